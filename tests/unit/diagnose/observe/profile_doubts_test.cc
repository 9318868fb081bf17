// SPDX-License-Identifier: Apache-2.0
// What makes a profile doubtful is said, and lowers the confidence of what rests on it.
#include <gmock/gmock.h>

#include "unit/diagnose/observe/observed.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<std::string> kFilter = on({"nft_do_chain", "nf_hook_slow"}, kReceive);

Confidence confidence(const Diagnosis& diagnosis, const std::string& id) {
  const Finding* found = find(diagnosis, id);
  EXPECT_TRUE(found) << id;
  return found && found->confidence ? *found->confidence : Confidence::low;
}

TEST(ProfileDoubts, ThinSamples) {
  const struct {
    uint32_t samples;
    bool thin;
    Confidence confidence;
  } cases[] = {{320, false, Confidence::high},
               {319, true, Confidence::medium},
               {100, true, Confidence::medium},
               {99, true, Confidence::low}};
  for (const auto& c : cases) {
    const Diagnosis diagnosis =
        observe(profile_of({{kFilter, c.samples / 2}, {kReceive, c.samples - c.samples / 2}}));
    EXPECT_EQ(find(diagnosis, "samples_thin") != nullptr, c.thin) << c.samples;
    EXPECT_EQ(confidence(diagnosis, "filter_cost"), c.confidence) << c.samples;
  }
}

TEST(ProfileDoubts, AThinProfileDoesNotSayThatAllIsFine) {
  const Diagnosis diagnosis = observe(profile_of({{kReceive, 100}}));
  EXPECT_THAT(ids(diagnosis), ElementsAre("samples_thin"));
  EXPECT_EQ(check(diagnosis, "filter_cost")->outcome, Check::Outcome::unknown);
}

TEST(ProfileDoubts, ManyKernelSamplesAndFewOfTheNetwork) {
  const Diagnosis diagnosis = observe(profile_of({{kReceive, 50}, {kElse, 5000}}));
  ASSERT_THAT(ids(diagnosis), ElementsAre("samples_thin"));
  EXPECT_EQ(diagnosis.findings[0].condition, "50 samples of network work are few");
}

TEST(ProfileDoubts, LostSamples) {
  const struct {
    const char* what;
    LossKind kind;
    uint64_t count;
    bool found;
    Confidence confidence;
  } cases[] = {
      {"none", LossKind::ring_full, 0, false, Confidence::high},
      {"less than 1%", LossKind::ring_full, 9, false, Confidence::high},
      {"some", LossKind::ring_full, 20, true, Confidence::medium},
      {"many", LossKind::ring_full, 200, true, Confidence::low},
      {"throttled", LossKind::throttled, 3, true, Confidence::high},
      {"drops of the kernel's packets are no samples", LossKind::drop_table, 1000, false, Confidence::high},
  };
  for (const auto& c : cases) {
    Profile profile = profile_of({{kFilter, 500}, {kReceive, 500}});
    profile.losses.push_back({c.kind, "cycles", c.count});
    const Diagnosis diagnosis = observe(profile);
    EXPECT_EQ(find(diagnosis, "samples_lost") != nullptr, c.found) << c.what;
    EXPECT_EQ(confidence(diagnosis, "filter_cost"), c.confidence) << c.what;
  }
}

TEST(ProfileDoubts, NoCallChains) {
  std::vector<Sampled> all;
  for (const char* leaf : {"nft_do_chain", "__x86_return_thunk", "rep_movs_alternative", "ip_rcv"})
    all.push_back({{leaf}, 250});
  const Diagnosis diagnosis = observe(profile_of(all));
  ASSERT_TRUE(find(diagnosis, "chains_missing"));
  EXPECT_EQ(find(diagnosis, "chains_missing")->severity, Severity::warning);
  // The innermost function tells enough for some of them, and nothing of the network's part.
  EXPECT_EQ(confidence(diagnosis, "filter_cost"), Confidence::high);
  EXPECT_EQ(confidence(diagnosis, "tax_return_thunk"), Confidence::high);
  EXPECT_EQ(check(diagnosis, "copy_cost")->why, "recorded without call chains");
}

TEST(ProfileDoubts, SomeWithoutChainsTouchOnlyWhatRestsOnThem) {
  const auto copies = on({"rep_movs_alternative", "_copy_to_iter", "udp_recvmsg"}, kSend);
  const Diagnosis diagnosis = observe(profile_of({{{"memcmp"}, 200}, {copies, 400}, {kFilter, 400}}));
  ASSERT_TRUE(find(diagnosis, "chains_missing"));
  EXPECT_EQ(confidence(diagnosis, "copy_cost"), Confidence::medium);
  EXPECT_EQ(confidence(diagnosis, "filter_cost"), Confidence::high);
}

TEST(ProfileDoubts, GarbledChains) {
  const struct {
    const char* what;
    std::vector<std::string> stack;
    bool found;
  } cases[] = {
      {"the same leaf under itself", on({"tcp_rcv_established", "tcp_rcv_established"}, kReceive), true},
      {"a caller that calls nothing", on({"ip_local_deliver", "rep_movs_alternative"}, kReceive), true},
      {"a return thunk as caller", on({"ip_local_deliver", "__x86_return_thunk"}, kReceive), true},
      {"kernel above a program", {"ip_rcv", kUserName, "net_rx_action", "do_softirq"}, true},
      {"unnamed", {"[unknown kernel]", "[unknown kernel]", "[unknown kernel]", "net_rx_action"}, true},
      {"a page fault in a copy",
       on({"handle_mm_fault", "exc_page_fault", "asm_exc_page_fault", "rep_movs_alternative"}, kSend), false},
      {"a page fault of old kernels", on({"do_page_fault", "page_fault", "copy_user_generic_string"}, kSend),
       false},
      {"a retpoline calls itself", on({"__x86_indirect_thunk_rax", "__x86_indirect_thunk_rax"}, kReceive),
       false},
      {"srso_return_thunk calls srso_safe_ret", on({"srso_safe_ret", "srso_return_thunk"}, kReceive), false},
      {"recursion further up", on({"ip_rcv", "walk", "walk"}, kElse), false},
      {"a chain that ends in a program", on({"ip_rcv"}, {"do_syscall_64", kUserName, kUserName}), false},
  };
  for (const auto& c : cases) {
    ProfileBuilder builder({"cycles"}, 1);
    std::vector<uint32_t> frames;
    for (const std::string& name : c.stack) {
      // A place of the kernel that nothing names.
      if (name == "[unknown kernel]") {
        builder.profile.symbols.push_back({kUnknownName, kVmlinux, SymbolKind::kernel});
        frames.push_back(static_cast<uint32_t>(builder.profile.symbols.size() - 1));
      } else {
        frames.push_back(builder.symbol(name));
      }
    }
    builder.profile.samples.push_back({0, 0, builder.profile.stacks.add(frames), 40, 40});
    builder.sample(0, 0, on({"rep_movs_alternative", "_copy_to_iter", "udp_recvmsg"}, kSend), 400, 400);
    builder.sample(0, 0, kReceive, 560, 560);
    const Diagnosis diagnosis = observe(builder.profile);
    EXPECT_EQ(find(diagnosis, "chains_garbled") != nullptr, c.found) << c.what;
    EXPECT_EQ(confidence(diagnosis, "copy_cost"), c.found ? Confidence::medium : Confidence::high) << c.what;
  }
}

TEST(ProfileDoubts, BlindTimers) {
  const auto unlock =
      on({"_raw_spin_unlock_irqrestore", "__wake_up_common_lock", "sock_def_readable"}, kReceive);
  const struct {
    const char* what;
    const char* event;
    uint32_t samples;
    Severity severity;
    const char* says;
  } cases[] = {{"a timer", "cpu-clock", 200, Severity::note, "The event is a timer"},
               {"mostly", "cpu-clock", 500, Severity::warning, "The event is a timer"},
               {"a counter without NMI", "cycles", 200, Severity::note, "is not an NMI"}};
  for (const auto& c : cases) {
    const Diagnosis diagnosis =
        observe(profile_of({{unlock, c.samples}, {kFilter, 200}, {kReceive, 800 - c.samples}}, c.event));
    const Finding* found = find(diagnosis, "timer_blind");
    ASSERT_TRUE(found) << c.what;
    EXPECT_EQ(found->severity, c.severity) << c.what;
    EXPECT_THAT(found->explanation, HasSubstr(c.says)) << c.what;
    EXPECT_THAT(words(*found), HasSubstr("at _raw_spin_unlock_irqrestore"));
    EXPECT_THAT(words(*found), HasSubstr("enabled for __wake_up_common_lock"));
    // It is neither a contended lock nor a slow one.
    EXPECT_FALSE(find(diagnosis, "lock_contention") || find(diagnosis, "lock_taking")) << c.what;
    EXPECT_EQ(confidence(diagnosis, "filter_cost"), Confidence::medium) << c.what;
  }
  EXPECT_THAT(ids(observe(profile_of({{unlock, 50}, {kReceive, 950}}, "cpu-clock"))), IsEmpty());
}

}  // namespace
}  // namespace nettoll
