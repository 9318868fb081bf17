// SPDX-License-Identifier: Apache-2.0
#include "correlate/diff.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

/// A window with `packets` received and functions of the rx path, by samples of 1 ms of cpu-clock.
ProfileBuilder window(const std::vector<std::pair<std::string, uint32_t>>& functions,
                      uint64_t packets = 1000) {
  ProfileBuilder b({"cpu-clock"}, 1);
  for (const auto& [name, samples] : functions) {
    if (samples > 0) b.sample(0, 0, {name, "net_rx_action"}, samples, uint64_t{samples} * 1'000'000);
  }
  if (packets > 0) b.profile.packets.push_back({Path::rx, 0, packets, packets});
  b.profile.session.host = "h";
  b.profile.session.kernel = "6.1";
  return b;
}

/// Twelve functions that do not change, so that the spread is known, and one that is given.
std::vector<std::pair<std::string, uint32_t>> with(const std::string& name, uint32_t samples) {
  std::vector<std::pair<std::string, uint32_t>> all;
  for (int i = 0; i < 12; ++i) all.emplace_back("steady_" + std::to_string(i), 400);
  all.emplace_back(name, samples);
  return all;
}

Result<CostDiff> try_diff(const Profile& a, const Profile& b, const DiffOptions& options = {}) {
  const CostTable cost_a = correlate(a);
  const CostTable cost_b = correlate(b);
  return diff_costs({a, cost_a, "a.data"}, {b, cost_b, "b.data"}, options);
}

CostDiff diff(const Profile& a, const Profile& b, const DiffOptions& options = {}) {
  auto result = try_diff(a, b, options);
  EXPECT_TRUE(result) << result.error().text();
  return result ? *result : CostDiff();
}

const FunctionChange* find(const CostDiff& diff, const std::string& name) {
  for (const auto& row : diff.events.front().functions) {
    if (row.symbol.name == name) return &row;
  }
  ADD_FAILURE() << name << " has no row";
  return nullptr;
}

size_t significant(const CostDiff& diff) {
  size_t count = 0;
  for (const auto& event : diff.events) {
    count += event.total.significant;
    for (const auto& row : event.paths) count += row.cost.significant;
    for (const auto& row : event.modules) count += row.self.significant;
    for (const auto& row : event.functions) count += row.significant() || row.per_call.significant;
  }
  return count;
}

bool has_note(const CostDiff& diff, const std::string& part) {
  for (const auto& note : diff.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(DiffCosts, OfOneRecordingWithItselfIsNothing) {
  const Profile profile = window(with("f", 100)).profile;
  const CostDiff result = diff(profile, profile);
  EXPECT_EQ(significant(result), 0u);
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_EQ(result.events[0].total.difference(), 0);
  EXPECT_EQ(result.events[0].spread, 0);
  for (const auto& row : result.events[0].functions) EXPECT_EQ(row.self.difference(), 0);
}

TEST(DiffCosts, DividesByPackets) {
  // Twice the packets at the same cost each: nothing changed.
  auto twice = with("f", 200);
  for (auto& [name, samples] : twice) samples = name == "f" ? 200 : 800;
  const CostDiff result = diff(window(with("f", 100)).profile, window(twice, 2000).profile);
  EXPECT_EQ(result.per, DiffPer::packet);
  EXPECT_EQ(result.packet_path, Path::rx);
  EXPECT_EQ(result.a.packets, 1000u);
  EXPECT_EQ(result.b.packets, 2000u);
  const FunctionChange* f = find(result, "f");
  EXPECT_DOUBLE_EQ(*f->self.a, 100e6 / 1000);  // 100 samples of 1 ms
  EXPECT_DOUBLE_EQ(*f->self.b, 200e6 / 2000);
  EXPECT_EQ(significant(result), 0u);
  EXPECT_TRUE(has_note(result, "load: A had 1000 rx packets a second, B 2000"));
}

TEST(DiffCosts, NamesWhatGrewFirst) {
  const CostDiff result = diff(window(with("f", 100)).profile, window(with("f", 300)).profile);
  const FunctionChange& first = result.events[0].functions.front();
  EXPECT_EQ(first.symbol.name, "f");
  EXPECT_TRUE(first.self.significant);
  EXPECT_NEAR(*first.self.relative(), 2, 1e-9);
  // 300 against 100: the common cost is 200 samples of 1 us a packet each, the error sqrt(400).
  EXPECT_NEAR(*first.self.standard_error, 20 * 1e3, 1e-6);
  EXPECT_FALSE(find(result, "steady_0")->self.significant);
}

TEST(DiffCosts, NamesTheAddedBeforeWhatCallsIt) {
  // What was added costs little by itself: many evaluators with too few samples each to be tested.
  auto before = window(with("f", 100));
  before.sample(0, 0, {"ip_local_deliver", "net_rx_action"}, 300, 300'000'000);
  auto after = window(with("f", 100));
  after.sample(0, 0, {"ip_local_deliver", "net_rx_action"}, 300, 300'000'000);
  for (int i = 0; i < 20; ++i) {
    after.sample(0, 0, {"eval_" + std::to_string(i), "nft_do_chain", "ip_local_deliver", "net_rx_action"}, 10,
                 10'000'000);
  }
  for (const CostDiff& result : {diff(before.profile, after.profile), diff(after.profile, before.profile)}) {
    const auto& rows = result.events[0].functions;
    EXPECT_EQ(rows[0].symbol.name, "nft_do_chain");
    EXPECT_TRUE(rows[0].inclusive.significant);
    EXPECT_EQ(rows[1].symbol.name, "ip_local_deliver");
    EXPECT_TRUE(rows[1].inclusive.significant);
    EXPECT_FALSE(rows[1].self.significant);
  }
}

TEST(DiffCosts, NamesWhatIsInOneAlone) {
  const CostDiff result =
      diff(window(with("nft_do_chain", 0)).profile, window(with("nft_do_chain", 100)).profile);
  const FunctionChange* added = find(result, "nft_do_chain");
  EXPECT_EQ(added, &result.events[0].functions.front());
  EXPECT_FALSE(added->in_a);
  EXPECT_TRUE(added->in_b);
  EXPECT_FALSE(added->self.a);
  EXPECT_FALSE(added->self.relative());
  EXPECT_TRUE(added->self.significant);
  const CostDiff back =
      diff(window(with("nft_do_chain", 100)).profile, window(with("nft_do_chain", 0)).profile);
  EXPECT_FALSE(find(back, "nft_do_chain")->in_b);
  EXPECT_TRUE(find(back, "nft_do_chain")->self.significant);
}

TEST(DiffCosts, DoesNotTestTooFewSamples) {
  const CostDiff result = diff(window(with("f", 0)).profile, window(with("f", 15)).profile);
  EXPECT_FALSE(find(result, "f")->self.standard_error);
  EXPECT_FALSE(find(result, "f")->self.significant);
}

TEST(DiffCosts, IgnoresSmallChangesHoweverSure) {
  const auto a = with("f", 1'000'000);
  const CostDiff result = diff(window(a).profile, window(with("f", 1'040'000)).profile);
  EXPECT_LT(find(result, "f")->self.q, 0.001);
  EXPECT_FALSE(find(result, "f")->self.significant);  // 4%
  // Nor what is no part of the whole: 40 samples of two million.
  auto large = with("f", 2'000'000);
  auto small = large;
  large.emplace_back("small", 0);
  small.emplace_back("small", 40);
  EXPECT_FALSE(find(diff(window(large).profile, window(small).profile), "small")->self.significant);
}

TEST(DiffCosts, SaysOnceWhatSlowsAllAlike) {
  std::vector<std::pair<std::string, uint32_t>> a, b;
  for (int i = 0; i < 20; ++i) {
    a.emplace_back("f_" + std::to_string(i), 10'000);
    b.emplace_back("f_" + std::to_string(i), 12'000);
  }
  const CostDiff result = diff(window(a).profile, window(b).profile);
  EXPECT_TRUE(result.events[0].total.significant);
  EXPECT_GT(result.events[0].spread, 0.2);
  for (const auto& row : result.events[0].functions) EXPECT_FALSE(row.self.significant) << row.symbol.name;
}

TEST(DiffCosts, MatchesFunctionsThroughSuffixes) {
  const CostDiff result = diff(window(with("f.isra.0", 100)).profile, window(with("f.isra.1", 100)).profile);
  const FunctionChange* f = find(result, "f.isra.1");
  ASSERT_TRUE(f->symbol_a);
  EXPECT_EQ(f->symbol_a->name, "f.isra.0");
  EXPECT_TRUE(f->in_a && f->in_b);
  EXPECT_EQ(significant(result), 0u);
  EXPECT_TRUE(has_note(result, "another suffix"));
}

TEST(DiffCosts, ComparesCostsPerCall) {
  ProfileBuilder a = window(with("f", 400));
  ProfileBuilder b = window(with("f", 800));
  a.counted("f", 1000);
  b.counted("f", 2000);
  const CostDiff by_packet = diff(a.profile, b.profile);
  const FunctionChange* f = find(by_packet, "f");
  EXPECT_DOUBLE_EQ(*f->per_call.a, 400e6 / 1000);
  EXPECT_DOUBLE_EQ(*f->per_call.b, 800e6 / 2000);
  EXPECT_TRUE(f->self.significant);  // twice as much a packet
  EXPECT_FALSE(f->per_call.significant);
  const CostDiff by_call = diff(a.profile, b.profile, {DiffPer::call, {}, {}});
  EXPECT_EQ(by_call.per, DiffPer::call);
  EXPECT_EQ(by_call.totals_per, DiffPer::packet);
  ASSERT_EQ(by_call.events[0].functions.size(), 1u);  // others are not counted
  EXPECT_FALSE(by_call.events[0].functions[0].self.significant);

  ProfileBuilder other = window(with("f", 800));
  other.counted("f", 2000, Method::tracepoint);
  const CostDiff methods = diff(a.profile, other.profile);
  EXPECT_FALSE(find(methods, "f")->per_call.a);
  EXPECT_TRUE(has_note(methods, "calls of 1 functions were counted by another method"));
}

TEST(DiffCosts, ChoosesTheBestDivisorThatBothHave) {
  struct Case {
    uint64_t packets_a, packets_b, duration_b;
    DiffPer expected;
  };
  for (const Case& c :
       {Case{10, 20, 1, DiffPer::packet}, {0, 20, 1, DiffPer::second}, {10, 0, 0, DiffPer::share}}) {
    Profile a = window(with("f", 100), c.packets_a).profile;
    Profile b = window(with("f", 100), c.packets_b).profile;
    b.duration_ns *= c.duration_b;
    EXPECT_EQ(diff(a, b).per, c.expected);
    if (c.expected != DiffPer::packet) {
      const auto refused = try_diff(a, b, {DiffPer::packet, {}, {}});
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().kind, ErrorKind::usage);
    }
    EXPECT_FALSE(try_diff(a, b, {DiffPer::call, {}, {}}));
    EXPECT_EQ(diff(a, b, {DiffPer::share, {}, {}}).per, DiffPer::share);
  }
}

TEST(DiffCosts, DividesNoCutCaptureBySeconds) {
  Profile a = window(with("f", 100), 0).profile;
  Profile b = a;
  EXPECT_EQ(diff(a, b).per, DiffPer::second);
  b.foreign = Foreign{};
  EXPECT_EQ(diff(a, b).per, DiffPer::second);
  b.foreign->ending = Ending::cut;
  EXPECT_EQ(diff(a, b).per, DiffPer::share);
  EXPECT_FALSE(try_diff(a, b, {DiffPer::second, {}, {}}));
}

TEST(DiffCosts, NeverComparesDifferentEvents) {
  const auto one = [](const std::string& name, bool kernel_only = true) {
    ProfileBuilder b({name}, 1);
    b.sample(0, 0, {"f", "net_rx_action"}, 100, 100'000'000);
    if (name != "cpu-clock") b.profile.session.events[0].kernel_only = kernel_only;
    return b.profile;
  };
  const CostDiff other = diff(one("cpu-clock"), one("cycles"));
  EXPECT_TRUE(other.events.empty());
  EXPECT_TRUE(has_note(other, "cpu-clock is in A alone"));
  EXPECT_TRUE(has_note(other, "cycles is in B alone"));
  EXPECT_TRUE(has_note(other, "no event in common"));

  const CostDiff scope = diff(one("cycles"), one("cycles", false));
  EXPECT_TRUE(scope.events.empty());
  EXPECT_TRUE(has_note(scope, "cycles is not compared: A sampled kernel mode, B all modes"));
  EXPECT_TRUE(diff(one("cycles:u", false), one("cycles", false)).events.empty());

  EXPECT_EQ(diff(one("cpu-cycles"), one("cycles:k")).events.front().name, "cycles");
  EXPECT_EQ(diff(one("cycles:pp"), one("cycles")).events.size(), 1u);
  EXPECT_TRUE(diff(one("net:netif_rx"), one("net:napi_poll")).events.empty());
}

TEST(DiffCosts, SaysHowTheSidesDiffer) {
  ProfileBuilder a = window(with("f", 100));
  ProfileBuilder b = window(with("f", 100));
  b.profile.session.host = "other";
  b.profile.session.kernel = "6.12";
  b.profile.session.set = "core";
  b.profile.session.hooks_per_packet = 6;
  b.profile.session.cpus_online = 4;
  b.profile.session.events[0].frequency = 99;
  b.profile.duration_ns *= 3;
  b.profile.losses.push_back({LossKind::ring_full, "cpu-clock", 7});
  const CostDiff result = diff(a.profile, b.profile);
  for (const char* part : {"host: A h, B other", "kernel: A 6.1, B 6.12", "counted set: A unknown, B core",
                           "hooks per packet: A 0.0, B 6.0", "CPUs online: A 1, B 4",
                           "cpu-clock was sampled at an unknown rate in A, 99 times a second in B",
                           "duration: A 1 s, B 3 s", "B lost data: ring_full 7 cpu-clock"})
    EXPECT_TRUE(has_note(result, part)) << part;
  EXPECT_FALSE(has_note(result, "same recording"));
}

TEST(DiffCosts, SaysNothingOfWhatACaptureDidNotCount) {
  ProfileBuilder a = window(with("f", 100));
  ProfileBuilder b = window(with("f", 100), 0);
  a.profile.session.set = "wide";
  a.profile.session.hooks_per_packet = 6;
  b.profile.foreign = Foreign{};
  b.profile.foreign->tool = "perf.data";
  for (const CostDiff& result : {diff(a.profile, b.profile), diff(b.profile, a.profile)}) {
    EXPECT_FALSE(has_note(result, "hooks per packet"));
    EXPECT_FALSE(has_note(result, "counted set"));
  }
}

TEST(DiffCosts, PassesOnWhatReadersNoted) {
  ProfileBuilder a = window(with("f", 100));
  ProfileBuilder b = window(with("f", 100));
  // A recording's notes are of how it was counted, and stay with its report.
  a.profile.session.notes = {"kept short"};
  b.profile.session.notes = {"the file ends inside a record"};
  b.profile.foreign = Foreign{};
  b.profile.foreign->ending = Ending::cut;
  const CostDiff result = diff(a.profile, b.profile);
  EXPECT_TRUE(has_note(result, "B: the file ends inside a record"));
  EXPECT_FALSE(has_note(result, "kept short"));
  EXPECT_EQ(result.a.ending, Ending::whole);
  EXPECT_EQ(result.b.ending, Ending::cut);
}

TEST(DiffCosts, ComparesNoEventWithoutWeight) {
  ProfileBuilder a({"cycles"}, 1);
  a.sample(0, 0, {"f", "net_rx_action"}, 100, 0);
  const CostDiff result = diff(a.profile, a.profile);
  EXPECT_TRUE(result.events.empty());
  EXPECT_TRUE(has_note(result, "cycles is not compared: all its samples in A and B have the period 0"));
}

TEST(DiffCosts, ComparesNoInclusiveCostWithoutCallChains) {
  ProfileBuilder whole = window(with("f", 400));
  whole.counted("f", 1000);
  ProfileBuilder alone({"cpu-clock"}, 1);
  alone.profile.session.events[0].chains = false;
  for (const auto& [name, samples] : with("f", 400))
    alone.sample(0, 0, {name}, samples, uint64_t{samples} * 1'000'000);
  alone.sample(0, 0, {"net_rx_action"}, 3, 3'000'000).counted("f", 1000);

  const CostDiff neither = diff(alone.profile, alone.profile);
  EXPECT_TRUE(neither.paths_compare);
  // Leaves of a few entry points are no path of the network.
  EXPECT_NE(std::count(neither.paths.begin(), neither.paths.end(), Path::other), 0);
  EXPECT_TRUE(find(neither, "f")->self.a);
  EXPECT_FALSE(find(neither, "f")->inclusive.a || find(neither, "f")->per_call.a);
  EXPECT_TRUE(has_note(neither, "cpu-clock has no call chains in A and B"));

  const CostDiff one = diff(whole.profile, alone.profile);
  EXPECT_FALSE(one.paths_compare);
  EXPECT_FALSE(find(one, "f")->inclusive.a || find(one, "f")->inclusive.b);
  EXPECT_FALSE(find(one, "f")->self.significant);
  EXPECT_TRUE(one.events[0].paths.empty());
  EXPECT_TRUE(has_note(one, "no call chains in B"));
  EXPECT_FALSE(try_diff(whole.profile, alone.profile, {{}, {Path::rx}, {}}));
}

TEST(DiffCosts, LeavesOutIdleTimeAndItsOwnCost) {
  ProfileBuilder a = window(with("f", 100));
  ProfileBuilder b = window(with("f", 100));
  b.sample(0, 0, {"default_idle", "cpu_startup_entry"}, 5000, 5'000'000'000)
      .sample(0, 0, {kOwnCostName, "ip_rcv"}, 900, 900'000'000);
  EXPECT_EQ(significant(diff(a.profile, b.profile)), 0u);
  // Work outside the network is compared where it is asked for.
  b.sample(0, 0, {"clear_page", "do_user_addr_fault"}, 900, 900'000'000);
  EXPECT_EQ(significant(diff(a.profile, b.profile)), 0u);
  const CostDiff all = diff(a.profile, b.profile, {{}, {Path::rx, Path::other}, {}});
  EXPECT_TRUE(find(all, "clear_page")->self.significant);
}

TEST(DiffCosts, ComparesDropsByReason) {
  ProfileBuilder a = window(with("f", 100), 1000);
  ProfileBuilder b = window(with("f", 100), 2000);
  a.profile.drops = {{"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv4", "eth0", 1, 10},
                     {"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv6", "eth0", 1, 10}};
  b.profile.drops = {{"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv4", "eth1", 2, 40},
                     {"NETFILTER_DROP", "core", "nf_hook_slow", kVmlinux, "ipv4", "eth0", 1, 500}};
  const CostDiff result = diff(a.profile, b.profile);
  ASSERT_TRUE(result.drops);
  ASSERT_EQ(result.drops->size(), 2u);
  EXPECT_EQ((*result.drops)[0], (DropChange{"NETFILTER_DROP", "core", 0, 500, 0, 0.25}));
  EXPECT_EQ((*result.drops)[1], (DropChange{"NO_SOCKET", "core", 20, 40, 0.02, 0.02}));
  b.profile.session.drop_reasons = false;
  EXPECT_FALSE(diff(a.profile, b.profile).drops);
  b.profile.foreign = Foreign{};
  EXPECT_FALSE(diff(a.profile, b.profile).drops);
}

TEST(DiffCosts, OfEmptyProfilesIsEmpty) {
  const CostDiff nothing = diff(Profile(), Profile());
  EXPECT_TRUE(nothing.events.empty());
  EXPECT_TRUE(has_note(nothing, "no event in common"));
  const CostDiff one = diff(Profile(), window(with("f", 100)).profile);
  EXPECT_TRUE(one.events.empty());
  const CostDiff no_samples = diff(window({}).profile, window({}).profile);
  EXPECT_TRUE(no_samples.events.empty());
  EXPECT_TRUE(has_note(no_samples, "neither side has no sample") || has_note(no_samples, "neither"));
}

TEST(DiffCosts, MarksNamedFunctions) {
  const CostDiff result = diff(window(with("f.isra.0", 100)).profile, window(with("f.isra.0", 100)).profile,
                               {{}, {}, {"f", "absent"}});
  EXPECT_TRUE(find(result, "f.isra.0")->named);
  EXPECT_FALSE(find(result, "steady_0")->named);
  EXPECT_TRUE(has_note(result, "absent is in neither A nor B"));
}

}  // namespace
}  // namespace nettoll
