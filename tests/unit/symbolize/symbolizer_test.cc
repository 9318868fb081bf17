// SPDX-License-Identifier: Apache-2.0
#include "symbolize/symbolizer.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

constexpr const char* kText =
    "ffffffff81000000 T _stext\n"
    "ffffffff81000100 t net_rx_action\n"
    "ffffffff81000200 t ip_rcv\n"
    "ffffffff81000300 t ip_rcv.cold\n"
    "ffffffff81000400 t memcpy\n"
    "ffffffff81000500 T bpf_trace_run2\n"
    "ffffffff81000600 T __traceiter_kfree_skb\n"
    "ffffffff81000700 T kfree_skb_reason\n"
    "ffffffff81000800 T __bpf_prog_enter\n"
    "ffffffff81000900 T asm_sysvec_apic_timer_interrupt\n"
    "ffffffff81000a00 T ends_with_a_call\n"
    "ffffffff81000b00 T comes_next\n"
    "ffffffff81000c00 T __x86_indirect_thunk_rax\n"
    "ffffffff81000d00 T _etext\n"
    "ffffffffa0000000 t nft_do_chain\t[nf_tables]\n"
    "ffffffffa0000100 d nft_data\t[nf_tables]\n"
    "ffffffffc0000000 t bpf_prog_0123456789abcdef_nt_kfree_skb\t[bpf]\n"
    "ffffffffc0000100 t bpf_prog_1111111111111111_their_filter\t[bpf]\n"
    "ffffffffc0000200 t bpf_prog_2222222222222222\t[bpf]\n"
    "ffffffffc0000300 t bpf_trampoline_17\t[bpf]\n"
    "ffffffffc0000400 t bpf_prog_3333333333333333_nt_fentry\t[bpf]\n";

constexpr uint64_t kNetRx = 0xffffffff81000100, kIpRcv = 0xffffffff81000200, kIpRcvCold = 0xffffffff81000300,
                   kMemcpy = 0xffffffff81000400, kTraceRun = 0xffffffff81000500,
                   kTraceIter = 0xffffffff81000600, kKfreeSkb = 0xffffffff81000700,
                   kProgEnter = 0xffffffff81000800, kInterruptEntry = 0xffffffff81000900,
                   kComesNext = 0xffffffff81000b00, kThunk = 0xffffffff81000c00, kNft = 0xffffffffa0000000,
                   kOwnProg = 0xffffffffc0000000, kTheirs = 0xffffffffc0000100,
                   kNameless = 0xffffffffc0000200, kTramp = 0xffffffffc0000300,
                   kOwnFentry = 0xffffffffc0000400, kNowhere = 0xffffffffd0000000;

const OwnCode kOwnCode{{"bpf_prog_0123456789abcdef_nt_kfree_skb", "bpf_prog_3333333333333333_nt_fentry"},
                       {"skb:kfree_skb"}};

class SymbolizerTest : public testing::Test {
 protected:
  SymbolizerTest() { root_.write("/proc/kallsyms", kText); }

  Symbolizer make(OwnCode own = kOwnCode, bool drop_reasons = true) const {
    Session session;
    session.host = "here";
    session.drop_reasons = drop_reasons;
    const DropReasonNames names{{{3, "NO_SOCKET"}}, {{0, "core"}}};
    return Symbolizer(KernelFs(root_.path()), *KernelSymbols::parse(kText), names, session, std::move(own));
  }

  FakeRoot root_;
};

/// A batch of one row of one sample for each stack, all of event 0 on CPU 0.
RawBatch batch_of(const std::vector<std::vector<uint64_t>>& stacks, uint64_t end_ns = 10 * kSecond) {
  RawBatch batch;
  batch.start_ns = end_ns - kSecond;
  batch.end_ns = end_ns;
  for (const auto& stack : stacks) batch.samples.push_back({0, 0, batch.stacks.add(stack), 1, 100});
  return batch;
}

/// Stacks as "leaf;caller;..." with their samples.
std::map<std::string, uint64_t> folded(const Profile& profile) {
  std::map<std::string, uint64_t> lines;
  for (const StackSamples& row : profile.samples) {
    std::string line;
    for (const uint32_t number : profile.stacks[row.stack])
      line += (line.empty() ? "" : ";") + profile.symbols[number].name;
    lines[line] += row.samples;
  }
  return lines;
}

using Lines = std::map<std::string, uint64_t>;

TEST_F(SymbolizerTest, TheLinkRegisterTellsTheCallerOfAFunctionWithoutAFrame) {
  Symbolizer symbolizer = make();
  const auto link = [](uint64_t address) { return as_link_frame(address); };
  const Profile profile = symbolizer.symbolize(
      batch_of({// memcpy has no frame: the unwinder starts with ip_rcv's, and finds its caller.
                {kMemcpy + 8, link(kIpRcv + 8), kNetRx + 5},
                {kMemcpy + 8, link(kIpRcv + 8)},
                // ip_rcv has one and has called nothing yet: both tell the same.
                {kIpRcv + 8, link(kNetRx + 9), kNetRx + 5},
                // The last call of ip_rcv is over, also one from its cold part.
                {kIpRcv + 8, link(kIpRcv + 4), kNetRx + 5},
                {kIpRcv + 8, link(kIpRcvCold + 4), kNetRx + 5},
                // No kernel code.
                {kIpRcv + 8, link(kNowhere), kNetRx + 5},
                // A kernel's return address is never one, also where it is odd.
                {kMemcpy + 8, kMemcpy + 9, kNetRx + 5}}),
      0);
  EXPECT_EQ(folded(profile), (Lines{{"memcpy;ip_rcv;net_rx_action", 1},
                                    {"memcpy;ip_rcv", 1},
                                    {"ip_rcv;net_rx_action", 4},
                                    {"memcpy;memcpy;net_rx_action", 1}}));
  EXPECT_EQ(symbolizer.stats().unknown_frames, 0u);
}

TEST_F(SymbolizerTest, NamesFramesByTheirRules) {
  Symbolizer symbolizer = make();
  const Profile profile =
      symbolizer.symbolize(batch_of({{kIpRcv, kNetRx + 5},
                                     // A leaf on a first byte is in that function; a return address
                                     // there is of a call that ended the one before.
                                     {kComesNext, kComesNext},
                                     // Nor are these return addresses: where an interrupt came, and where
                                     // a retpoline goes.
                                     {kMemcpy, kInterruptEntry + 8, kComesNext, kComesNext},
                                     {kThunk + 10, kComesNext, kNetRx + 5},
                                     {kThunk, kIpRcv + 5, kNetRx + 5},
                                     {kNft + 8, kIpRcv + 8},
                                     {kTheirs + 4, kNetRx + 5},
                                     {kNameless + 4},
                                     {kUserFrame},
                                     {kGuestFrame},
                                     {kMemcpy, kUserFrame},
                                     {kNowhere, kNetRx + 5},
                                     {0}}),
                           77);
  EXPECT_EQ(folded(profile), (Lines{{"ip_rcv;net_rx_action", 1},
                                    {"comes_next;ends_with_a_call", 1},
                                    {"memcpy;asm_sysvec_apic_timer_interrupt;comes_next;ends_with_a_call", 1},
                                    {"__x86_indirect_thunk_rax;comes_next;net_rx_action", 1},
                                    {"__x86_indirect_thunk_rax;ip_rcv;net_rx_action", 1},
                                    {"nft_do_chain;ip_rcv", 1},
                                    {"their_filter;net_rx_action", 1},
                                    {"bpf_prog_2222222222222222", 1},
                                    {"[user]", 1},
                                    {"[guest]", 1},
                                    {"memcpy;[user]", 1},
                                    {"[unknown];net_rx_action", 1},
                                    {"[unknown]", 1}}));
  const auto symbol = [&](std::string_view name) {
    for (const Symbol& one : profile.symbols) {
      if (one.name == name) return one;
    }
    return Symbol{};
  };
  EXPECT_EQ(symbol("ip_rcv"), (Symbol{"ip_rcv", kVmlinux, SymbolKind::kernel}));
  EXPECT_EQ(symbol("nft_do_chain"), (Symbol{"nft_do_chain", "nf_tables", SymbolKind::kernel}));
  EXPECT_EQ(symbol("their_filter"), (Symbol{"their_filter", "bpf", SymbolKind::bpf}));
  EXPECT_EQ(symbol("[user]"), (Symbol{"[user]", "", SymbolKind::user}));
  EXPECT_EQ(symbol("[guest]"), (Symbol{"[guest]", "", SymbolKind::user}));
  EXPECT_EQ(symbol("[unknown]"), (Symbol{"[unknown]", "", SymbolKind::unknown}));
  EXPECT_EQ(profile.wall_start_ns, 77u);
  EXPECT_EQ(profile.duration_ns, kSecond);
  EXPECT_EQ(profile.session.host, "here");
  EXPECT_EQ(symbolizer.stats().unknown_frames, 2u);
}

TEST_F(SymbolizerTest, SumsWhatBecomesEqual) {
  Symbolizer symbolizer = make();
  RawBatch batch =
      batch_of({{kIpRcv, kNetRx + 5}, {kIpRcv + 16, kNetRx + 9}, {kIpRcvCold + 2, kNetRx + 9}, {kMemcpy}});
  batch.samples.push_back({0, 1, 1, 4, 400});  // the same stack on another CPU
  batch.samples.push_back({1, 0, 0, 5, 500});  // and of another event
  const Profile profile = symbolizer.symbolize(std::move(batch), 0);
  EXPECT_EQ(profile.stacks.size(), 2u);
  const std::vector<StackSamples> expected{
      {0, 0, 0, 3, 300}, {0, 0, 1, 1, 100}, {0, 1, 0, 4, 400}, {1, 0, 0, 5, 500}};
  EXPECT_EQ(profile.samples, expected);
  ASSERT_EQ(profile.symbols.size(), 3u);  // only what this batch uses, in order
  EXPECT_EQ(profile.symbols[0].name, "ip_rcv");
  EXPECT_EQ(profile.symbols[1].name, "net_rx_action");
  EXPECT_EQ(profile.symbols[2].name, "memcpy");
}

TEST_F(SymbolizerTest, KeepsOwnCostApart) {
  Symbolizer symbolizer = make();
  const Profile profile =
      symbolizer.symbolize(batch_of({{kOwnProg + 4, kTraceRun + 9, kTraceIter + 9, kKfreeSkb + 9},
                                     {kMemcpy, kOwnProg + 9, kTraceRun + 9, kTraceIter + 9, kKfreeSkb + 9},
                                     {kTraceRun + 2, kTraceIter + 9, kKfreeSkb + 9},
                                     {kIpRcv, kNetRx + 9, kInterruptEntry + 9, kOwnProg + 9, kTraceRun + 9,
                                      kTraceIter + 9, kKfreeSkb + 9},
                                     {kTheirs + 4, kTraceRun + 9, kTraceIter + 9, kKfreeSkb + 9}}),
                           0);
  EXPECT_EQ(folded(profile),
            (Lines{{"nettoll (own cost);kfree_skb_reason", 3},
                   {"ip_rcv;net_rx_action;asm_sysvec_apic_timer_interrupt;kfree_skb_reason", 1},
                   {"their_filter;bpf_trace_run2;__traceiter_kfree_skb;kfree_skb_reason", 1}}));
  EXPECT_EQ(profile.symbols[0], (Symbol{kOwnCostName, "", SymbolKind::own}));
}

TEST_F(SymbolizerTest, LearnsTrampolinesWhateverTheOrderOfStacks) {
  Symbolizer symbolizer = make();
  const std::vector<std::vector<uint64_t>> leaf{{kProgEnter + 4, kTramp + 9, kIpRcv + 9}};
  EXPECT_EQ(folded(symbolizer.symbolize(batch_of(leaf), 0)),
            (Lines{{"__bpf_prog_enter;bpf_trampoline_17;ip_rcv", 1}}));
  auto both = leaf;
  both.push_back({kOwnFentry + 4, kTramp + 9, kIpRcv + 9});
  both.push_back({kMemcpy, kIpRcv + 9, kTramp + 9, kNetRx + 9});
  EXPECT_EQ(folded(symbolizer.symbolize(batch_of(both), 0)),
            (Lines{{"nettoll (own cost);ip_rcv", 2}, {"memcpy;ip_rcv;net_rx_action", 1}}));
  // Known from now on, also after the numbers changed.
  symbolizer.set_own_programs({"bpf_prog_3333333333333333_nt_fentry"});
  EXPECT_EQ(folded(symbolizer.symbolize(batch_of(leaf), 0)), (Lines{{"nettoll (own cost);ip_rcv", 1}}));
}

TEST_F(SymbolizerTest, TakesUpOwnProgramsLater) {
  Symbolizer symbolizer = make({});
  const std::vector<std::vector<uint64_t>> stack{{kOwnProg + 4, kKfreeSkb + 9}};
  EXPECT_EQ(folded(symbolizer.symbolize(batch_of(stack), 0)),
            (Lines{{"nettoll (another);kfree_skb_reason", 1}}));
  symbolizer.set_own_programs({"bpf_prog_0123456789abcdef_nt_kfree_skb"});
  EXPECT_EQ(folded(symbolizer.symbolize(batch_of(stack), 0)),
            (Lines{{"nettoll (own cost);kfree_skb_reason", 1}}));
  symbolizer.set_own_code({});
  EXPECT_EQ(folded(symbolizer.symbolize(batch_of(stack), 0)),
            (Lines{{"nettoll (another);kfree_skb_reason", 1}}));
}

TEST_F(SymbolizerTest, NamesDrops) {
  Symbolizer symbolizer = make();
  RawBatch batch = batch_of({});
  batch.drops = {{3, kIpRcv + 5, 0x0800, {1, 2}, "veth0", 10},
                 {3, kIpRcv + 99, 0x0800, {1, 2}, "veth0", 5},
                 {3, kIpRcvCold + 1, 0x0800, {1, 2}, "veth0", 1},
                 {3, kComesNext, 0x0800, {1, 2}, "veth0", 2},
                 {9, kNowhere, 0, {}, "", 4}};
  const Profile profile = symbolizer.symbolize(std::move(batch), 0);
  const std::vector<Drops> expected{{"NO_SOCKET", "core", "comes_next", "vmlinux", "ipv4", "veth0", 1, 2},
                                    {"NO_SOCKET", "core", "ip_rcv", "vmlinux", "ipv4", "veth0", 1, 16},
                                    {"unknown_9", "core", "0xffffffffd0000000", "", "none", "", 0, 4}};
  EXPECT_EQ(profile.drops, expected);
}

TEST_F(SymbolizerTest, ShowsDropsOfKindsThatFoundNoRoom) {
  Symbolizer symbolizer = make();
  RawBatch batch = batch_of({});
  batch.losses = {{LossKind::drop_table, "nt_drop", 7}, {LossKind::missed_run, "nt_rx", 1}};
  const Profile profile = symbolizer.symbolize(std::move(batch), 0);
  const std::vector<Drops> expected{{"other", "", "other", "", "other", "", 0, 7}};
  EXPECT_EQ(profile.drops, expected);
  EXPECT_EQ(profile.losses.size(), 2u);
}

TEST_F(SymbolizerTest, GivesNoReasonWhereTheKernelHasNone) {
  Symbolizer symbolizer = make(kOwnCode, false);
  RawBatch batch = batch_of({});
  batch.drops = {{3, kIpRcv + 5, 0x0800, {}, "", 10}, {4, kIpRcv + 5, 0x0800, {}, "", 1}};
  const Profile profile = symbolizer.symbolize(std::move(batch), 0);
  const std::vector<Drops> expected{{"unclassified", "", "ip_rcv", "vmlinux", "ipv4", "", 0, 11}};
  EXPECT_EQ(profile.drops, expected);
}

TEST_F(SymbolizerTest, HandsEverythingElseOnUnchanged) {
  Symbolizer symbolizer = make();
  RawBatch batch = batch_of({{kIpRcv}});
  batch.counts = {{0, 1, 2, 3, 4, 5.0}};
  batch.calls = {{0, {1, 2}, 3}};
  batch.packets = {{Path::tx, 1, 2, 3}};
  batch.napi = {{{1, 2}, "eth0", 3, 4, 5, 6}};
  batch.queues = {{{1, 2}, "eth0", 3, 4}};
  batch.softirqs = {{3, 1, 2, 4}};
  batch.losses = {{LossKind::throttled, "cycles", 9}};
  const RawBatch copy = batch;
  const Profile profile = symbolizer.symbolize(std::move(batch), 0);
  EXPECT_EQ(profile.counts, copy.counts);
  EXPECT_EQ(profile.calls, copy.calls);
  EXPECT_EQ(profile.packets, copy.packets);
  EXPECT_EQ(profile.napi, copy.napi);
  EXPECT_EQ(profile.queues, copy.queues);
  EXPECT_EQ(profile.softirqs, copy.softirqs);
  EXPECT_EQ(profile.losses, copy.losses);
}

TEST_F(SymbolizerTest, CountsRowsThatPointToNoStack) {
  Symbolizer symbolizer = make();
  RawBatch batch = batch_of({{kIpRcv}});
  batch.samples.push_back({0, 0, 1, 6, 600});
  const Profile profile = symbolizer.symbolize(std::move(batch), 0);
  EXPECT_EQ(profile.samples.size(), 1u);
  ASSERT_EQ(profile.losses.size(), 1u);
  EXPECT_EQ(profile.losses[0].kind, LossKind::unmatched_sample);
  EXPECT_EQ(profile.losses[0].count, 6u);
}

TEST_F(SymbolizerTest, ReadsSymbolsAgainOnAMissAtALimitedRate) {
  Symbolizer symbolizer = make();
  const auto name_at = [&](uint64_t second) {
    return folded(symbolizer.symbolize(batch_of({{kNowhere}}, second * kSecond), 0)).begin()->first;
  };
  EXPECT_EQ(name_at(100), "[unknown]");
  EXPECT_EQ(symbolizer.stats().reloads, 1u);
  root_.write("/proc/kallsyms", std::string(kText) + "ffffffffd0000000 t newcomer\t[late]\n");
  EXPECT_EQ(name_at(109), "[unknown]");  // in vain before, so it waits 10 s
  EXPECT_EQ(symbolizer.stats().reloads, 1u);
  EXPECT_EQ(name_at(110), "newcomer");
  EXPECT_EQ(symbolizer.stats().reloads, 2u);
  EXPECT_EQ(name_at(111), "newcomer");
  EXPECT_EQ(symbolizer.stats().reloads, 2u);
  EXPECT_EQ(symbolizer.stats().failed_reloads, 0u);
  EXPECT_EQ(symbolizer.kernel_symbols().count_named("newcomer"), 1u);
}

TEST_F(SymbolizerTest, ReadsSymbolsAgainForADropThatMisses) {
  Symbolizer symbolizer = make();
  root_.write("/proc/kallsyms", std::string(kText) + "ffffffffd0000000 t newcomer\t[late]\n");
  RawBatch batch = batch_of({});
  batch.drops = {{3, kNowhere + 8, 0, {}, "", 1}};
  const Profile profile = symbolizer.symbolize(std::move(batch), 0);
  ASSERT_EQ(profile.drops.size(), 1u);
  EXPECT_EQ(profile.drops[0].function, "newcomer");
  EXPECT_EQ(profile.drops[0].module, "late");
}

TEST_F(SymbolizerTest, ReadsSymbolsAgainWhenModulesChange) {
  root_.write("/proc/modules", "veth 45056 0 - Live 0xffffffffa0900000\n");
  Symbolizer symbolizer = make();
  const auto name_at = [&](uint64_t second) {
    return folded(symbolizer.symbolize(batch_of({{kNft}}, second * kSecond), 0)).begin()->first;
  };
  EXPECT_EQ(name_at(100), "nft_do_chain");
  // Another module took the place: the address does not miss, and yet the name must change.
  std::string text = kText;
  text.replace(text.find("nft_do_chain\t[nf_tables]"), 24, "xt_do_chain\t[x_tables]");
  root_.write("/proc/kallsyms", text);
  EXPECT_EQ(name_at(101), "nft_do_chain");
  root_.write("/proc/modules", "veth 45056 9 - Live 0xffffffffa0900000\n");  // use alone says nothing
  EXPECT_EQ(name_at(102), "nft_do_chain");
  root_.write("/proc/modules", "x_tables 45056 0 - Live 0xffffffffa0000000\n");
  EXPECT_EQ(name_at(103), "xt_do_chain");
  EXPECT_EQ(symbolizer.stats().reloads, 1u);
}

TEST_F(SymbolizerTest, ReadsSymbolsAgainOnRequest) {
  Symbolizer symbolizer = make();
  symbolizer.request_reload();
  symbolizer.symbolize(batch_of({{kIpRcv}}, 100 * kSecond), 0);
  EXPECT_EQ(symbolizer.stats().reloads, 1u);
  symbolizer.request_reload();
  symbolizer.symbolize(batch_of({{kIpRcv}}, 101 * kSecond), 0);
  EXPECT_EQ(symbolizer.stats().reloads, 1u);  // held back, not forgotten
  symbolizer.symbolize(batch_of({{kIpRcv}}, 105 * kSecond), 0);
  EXPECT_EQ(symbolizer.stats().reloads, 2u);
  symbolizer.symbolize(batch_of({{kIpRcv}}, 200 * kSecond), 0);
  EXPECT_EQ(symbolizer.stats().reloads, 2u);
}

TEST_F(SymbolizerTest, KeepsTheOldTableWhereANewOneCannotBeRead) {
  Symbolizer symbolizer = make();
  root_.write("/proc/kallsyms", "0000000000000000 T _stext\n");
  const Profile profile = symbolizer.symbolize(batch_of({{kNowhere, kIpRcv + 9}}), 0);
  EXPECT_EQ(folded(profile), (Lines{{"[unknown];ip_rcv", 1}}));
  EXPECT_EQ(symbolizer.stats().reloads, 1u);
  EXPECT_EQ(symbolizer.stats().failed_reloads, 1u);
}

}  // namespace
}  // namespace nettoll
