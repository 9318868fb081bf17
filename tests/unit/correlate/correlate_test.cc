// SPDX-License-Identifier: Apache-2.0
#include "correlate/correlate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;

const FunctionCost* find(const CostTable& table, const std::string& name) {
  for (const auto& row : table.functions) {
    if (row.symbol.name == name) return &row;
  }
  return nullptr;
}

Estimate self(const CostTable& table, const std::string& name, uint32_t event = 0,
              std::optional<Path> path = {}) {
  const FunctionCost* row = find(table, name);
  return row ? row->self(event, path) : Estimate{};
}

Estimate inclusive(const CostTable& table, const std::string& name, uint32_t event = 0,
                   std::optional<Path> path = {}) {
  const FunctionCost* row = find(table, name);
  return row ? row->inclusive(event, path) : Estimate{};
}

double self_of_all(const CostTable& table, uint32_t event) {
  double sum = 0;
  for (const auto& row : table.functions) sum += row.self(event).value;
  return sum;
}

TEST(Correlate, SelfGoesToTheLeafAndInclusiveToTheWholeStack) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"memcpy", "ip_rcv", "net_rx_action"}, 3, 300);
  b.sample(0, 0, {"ip_rcv", "net_rx_action"}, 1, 100);
  b.count(0, 0, 4000);  // a period of 1 weighs 10
  const CostTable table = correlate(b.profile);

  EXPECT_EQ(self(table, "memcpy"), (Estimate{3000, 3}));
  EXPECT_EQ(self(table, "ip_rcv"), (Estimate{1000, 1}));
  EXPECT_EQ(self(table, "net_rx_action"), (Estimate{0, 0}));
  EXPECT_EQ(inclusive(table, "memcpy"), (Estimate{3000, 3}));
  EXPECT_EQ(inclusive(table, "ip_rcv"), (Estimate{4000, 4}));
  EXPECT_EQ(inclusive(table, "net_rx_action"), (Estimate{4000, 4}));
}

TEST(Correlate, EachCpuHasItsOwnScale) {
  ProfileBuilder b({"cycles"}, 8);
  b.sample(0, 0, {"f"}, 1, 100).sample(0, 7, {"f"}, 1, 100);
  b.count(0, 0, 200).count(0, 7, 600, 1000, 500);  // 200, and 600 of half the time
  const CostTable table = correlate(b.profile);
  EXPECT_EQ(self(table, "f"), (Estimate{1400, 2}));
  ASSERT_EQ(table.cpus.size(), 2u);
  EXPECT_EQ(table.cpus[0].cpu, 0u);
  EXPECT_EQ(table.cpus[1].cpu, 7u);
  EXPECT_DOUBLE_EQ(table.cpus[1].count, 1200);
  EXPECT_EQ(table.cpus[1].paths[static_cast<size_t>(Path::other)], (Estimate{1200, 1}));
}

TEST(Correlate, RecursionCountsOnce) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"f", "g", "f", "g", "net_rx_action"}, 2, 10).count(0, 0, 10);
  const CostTable table = correlate(b.profile);
  EXPECT_EQ(self(table, "f"), (Estimate{10, 2}));
  EXPECT_EQ(inclusive(table, "f"), (Estimate{10, 2}));
  EXPECT_EQ(inclusive(table, "g"), (Estimate{10, 2}));
}

TEST(Correlate, OneSharedStackSplitsByEventAndCpu) {
  ProfileBuilder b({"cycles", "instructions"}, 2);
  b.sample(0, 0, {"f", "net_rx_action"}, 1, 10);
  b.profile.samples.push_back({1, 0, 0, 2, 30});
  b.profile.samples.push_back({0, 1, 0, 4, 50});
  b.count(0, 0, 100).count(1, 0, 60).count(0, 1, 5);
  const CostTable table = correlate(b.profile);
  EXPECT_EQ(self(table, "f", 0), (Estimate{105, 5}));
  EXPECT_EQ(self(table, "f", 1), (Estimate{60, 2}));
  EXPECT_EQ(inclusive(table, "net_rx_action", 0, Path::rx), (Estimate{105, 5}));
}

TEST(Correlate, AFunctionCountsForThePathItRanIn) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"memcpy", "net_rx_action"}, 3, 30);
  b.sample(0, 0, {"memcpy", "__dev_queue_xmit", "ip_forward", "net_rx_action"}, 2, 20);
  b.sample(0, 0, {"memcpy", "vfs_write"}, 1, 10);
  b.count(0, 0, 60);
  const CostTable table = correlate(b.profile);
  EXPECT_EQ(self(table, "memcpy"), (Estimate{60, 6}));
  EXPECT_EQ(self(table, "memcpy", 0, Path::rx), (Estimate{30, 3}));
  EXPECT_EQ(self(table, "memcpy", 0, Path::tx), (Estimate{20, 2}));
  EXPECT_EQ(self(table, "memcpy", 0, Path::other), (Estimate{10, 1}));
  // Forwarding is transmit work of net_rx_action.
  EXPECT_EQ(inclusive(table, "net_rx_action", 0, Path::tx), (Estimate{20, 2}));
  EXPECT_EQ(table.path(Path::rx)->events[0], (Estimate{30, 3}));
  EXPECT_EQ(table.path(Path::tx)->events[0], (Estimate{20, 2}));
  EXPECT_EQ(table.path(Path::other)->events[0], (Estimate{10, 1}));
  EXPECT_EQ(table.path(Path::idle), nullptr);
}

TEST(Correlate, SoftirqOverIdleIsReceiveWork) {
  ProfileBuilder b({"cpu-clock"}, 1);
  b.sample(0, 0, {"pv_native_safe_halt", "do_idle"}, 9, 90);
  b.sample(0, 0, {"ip_rcv", "net_rx_action", "handle_softirqs", "asm_common_interrupt", "do_idle"}, 1, 10);
  b.count(0, 0, 100);
  const CostTable table = correlate(b.profile);
  EXPECT_EQ(table.path(Path::rx)->events[0], (Estimate{10, 1}));
  EXPECT_EQ(table.path(Path::idle)->events[0], (Estimate{90, 9}));
  EXPECT_EQ(inclusive(table, "do_idle", 0, Path::rx), (Estimate{10, 1}));
  EXPECT_EQ(inclusive(table, "do_idle", 0, Path::idle), (Estimate{90, 9}));
}

TEST(Correlate, OwnCostIsNobodyElses) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {kOwnCostName, "ip_rcv", "net_rx_action"}, 1, 10);
  b.sample(0, 0, {"htab_map_update_elem", kOwnCostName, "ip_rcv", "net_rx_action"}, 1, 20);
  b.sample(0, 0, {"ip_rcv", "net_rx_action"}, 1, 70);
  b.count(0, 0, 100);
  const CostTable table = correlate(b.profile);
  EXPECT_EQ(self(table, kOwnCostName), (Estimate{30, 2}));
  EXPECT_EQ(inclusive(table, kOwnCostName), (Estimate{30, 2}));
  EXPECT_EQ(inclusive(table, "ip_rcv"), (Estimate{70, 1}));
  EXPECT_EQ(find(table, "htab_map_update_elem"), nullptr);
  EXPECT_EQ(table.path(Path::own)->events[0], (Estimate{30, 2}));
  EXPECT_EQ(table.path(Path::rx)->events[0], (Estimate{70, 1}));
}

TEST(Correlate, SelfOfAllFunctionsAndUnattributedIsTheCount) {
  ProfileBuilder b({"cycles", "cpu-clock"}, 3);
  b.sample(0, 0, {"f", "net_rx_action"}, 3, 17).sample(0, 0, {"g"}, 1, 5).sample(0, 0, {kUserName}, 1, 9);
  b.sample(0, 1, {kOwnCostName, "f"}, 2, 11).sample(1, 1, {"do_idle"}, 5, 13).sample(0, 1, {}, 1, 4);
  b.count(0, 0, 1001).count(0, 1, 77, 900, 300).count(0, 2, 13);
  b.count(1, 0, 1000).count(1, 1, 1000).count(1, 2, 1000);
  const CostTable table = correlate(b.profile);
  for (uint32_t event : {0u, 1u}) {
    const EventTotal& total = table.events[event];
    EXPECT_NEAR(self_of_all(table, event) + total.unattributed, total.count, 1e-9 * total.count);
    double paths = 0;
    for (const auto& row : table.paths) paths += row.events[event].value;
    EXPECT_NEAR(paths + total.unattributed, total.count, 1e-9 * total.count);
    double modules = 0;
    for (const auto& row : table.modules) modules += row.events[event].value;
    EXPECT_NEAR(modules + total.unattributed, total.count, 1e-9 * total.count);
  }
  EXPECT_DOUBLE_EQ(table.events[0].count, 1001 + 231 + 13);
  EXPECT_NEAR(table.events[0].unattributed, 13 + 231 * 4.0 / 15,
              1e-9);  // CPU 2, and the sample without frames
  // CPUs 0 and 2, and what a timer's samples on CPU 1 do not stand for.
  EXPECT_DOUBLE_EQ(table.events[1].unattributed, 2000 + 1000 - 13);
}

TEST(Correlate, CarriedCountsReachFunctionsLater) {
  Carry carry;
  ProfileBuilder quiet({"cycles"}, 1);
  quiet.count(0, 0, 40);
  const CostTable first = correlate(quiet.profile, &carry);
  EXPECT_DOUBLE_EQ(first.events[0].pending, 40);
  EXPECT_DOUBLE_EQ(first.events[0].unattributed, 0);
  EXPECT_TRUE(first.functions.empty());

  ProfileBuilder busy({"cycles"}, 1);
  busy.sample(0, 0, {"f"}, 2, 5).count(0, 0, 60);
  const CostTable second = correlate(busy.profile, &carry);
  EXPECT_EQ(self(second, "f"), (Estimate{100, 2}));
  EXPECT_DOUBLE_EQ(second.events[0].pending, 0);
  EXPECT_DOUBLE_EQ(first.events[0].count + second.events[0].count, 100);
}

TEST(Correlate, AnEventThatNeverRanLeavesNoRows) {
  ProfileBuilder b({"cycles", "cache-misses"}, 1);
  b.sample(0, 0, {"f"}, 1, 10).count(0, 0, 10).count(1, 0, 0, 1000, 0);
  const CostTable table = correlate(b.profile);
  EXPECT_FALSE(table.events[1].known());
  ASSERT_EQ(table.cpus.size(), 1u);
  EXPECT_EQ(table.cpus[0].event, 0u);
  ASSERT_EQ(find(table, "f")->cells.size(), 1u);
  EXPECT_EQ(find(table, "f")->cells[0].event, 0u);
}

TEST(Correlate, CallsJoinFunctionsByNameAndModule) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"ip_rcv", "net_rx_action"}, 16, 100).count(0, 0, 1000);
  b.counted("ip_rcv", 50);
  b.counted("tcp_v4_rcv", 7).condition = "never sampled";
  auto& proxy = b.counted("net_rx_action", 4, Method::tracepoint);
  proxy.condition = "misses some";
  proxy.denominator = false;
  b.counted("not_measured", 0);
  b.profile.calls.pop_back();
  b.counted("ip_rcv", 9).module = "elsewhere";
  const CostTable table = correlate(b.profile);

  const FunctionCost* rcv = find(table, "ip_rcv");
  EXPECT_EQ(rcv->calls, 50u);
  EXPECT_EQ(rcv->method, Method::fentry);
  EXPECT_DOUBLE_EQ(*rcv->per_call(0), 20);

  const FunctionCost* rx = find(table, "net_rx_action");
  EXPECT_EQ(rx->calls, 4u);
  EXPECT_EQ(rx->method, Method::tracepoint);
  EXPECT_EQ(rx->condition, "misses some");
  EXPECT_EQ(rx->per_call(0), std::nullopt);

  const FunctionCost* unseen = find(table, "tcp_v4_rcv");
  ASSERT_NE(unseen, nullptr);
  EXPECT_EQ(unseen->calls, 7u);
  EXPECT_TRUE(unseen->cells.empty());
  EXPECT_EQ(unseen->per_call(0), std::nullopt);

  EXPECT_EQ(find(table, "not_measured"), nullptr);
  EXPECT_EQ(table.functions.back().symbol.module, kVmlinux);
  EXPECT_EQ(table.functions.size(), 4u);  // the one of another module is a row of its own
}

TEST(Correlate, ASampledFunctionWithoutACountSaysWhy) {
  ProfileBuilder b({"cycles"}, 1);
  b.sample(0, 0, {"f"}, 1, 1).count(0, 0, 1);
  b.counted("f", 0, Method::samples).condition = "notrace";
  b.profile.calls.clear();
  const CostTable table = correlate(b.profile);
  EXPECT_EQ(find(table, "f")->calls, std::nullopt);
  EXPECT_EQ(find(table, "f")->method, Method::samples);
  EXPECT_EQ(find(table, "f")->condition, "notrace");
}

TEST(Correlate, PacketsAddUpOverCpusAndDivideThePathCost) {
  ProfileBuilder b({"cycles"}, 2);
  b.sample(0, 0, {"net_rx_action"}, 20, 100).count(0, 0, 3000);
  b.profile.packets = {{Path::rx, 0, 10, 40}, {Path::rx, 1, 5, 5}, {Path::tx, 0, 0, 0}};
  const CostTable table = correlate(b.profile);
  const PathCost* rx = table.path(Path::rx);
  EXPECT_EQ(rx->packets, 15u);
  EXPECT_EQ(rx->segments, 45u);
  EXPECT_DOUBLE_EQ(*rx->per_packet(0), 200);
  const PathCost* tx = table.path(Path::tx);  // counted, and none went
  ASSERT_NE(tx, nullptr);
  EXPECT_EQ(tx->packets, 0u);
  EXPECT_EQ(tx->per_packet(0), std::nullopt);
}

TEST(Correlate, SortsByInclusiveCostThenName) {
  ProfileBuilder b({"cycles", "instructions"}, 1);
  b.sample(0, 0, {"b"}, 1, 10).sample(0, 0, {"c"}, 1, 30).sample(0, 0, {"a"}, 1, 10);
  b.sample(1, 0, {"b", "net_rx_action"}, 1, 1000).sample(1, 0, {"b"}, 1, 10);
  const CostTable table = correlate(b.profile);
  std::vector<std::string> names;
  for (const auto& row : table.functions) names.push_back(row.symbol.name);
  EXPECT_THAT(names, ElementsAre("c", "a", "b", "net_rx_action"));
  std::vector<std::pair<uint32_t, Path>> cells;
  for (const auto& cell : find(table, "b")->cells) cells.emplace_back(cell.event, cell.path);
  EXPECT_THAT(cells,
              ElementsAre(std::pair(0u, Path::other), std::pair(1u, Path::rx), std::pair(1u, Path::other)));
}

TEST(Correlate, ModulesHoldSelfCost) {
  ProfileBuilder b({"cycles"}, 1);
  const std::vector<uint32_t> frames{b.symbol("nft_do_chain", "nf_tables"), b.symbol("nf_hook_slow")};
  b.profile.stacks.add(frames);
  b.profile.samples.push_back({0, 0, 0, 4, 400});
  b.sample(0, 0, {"nf_hook_slow"}, 1, 100);
  const CostTable table = correlate(b.profile);
  ASSERT_EQ(table.modules.size(), 2u);
  EXPECT_EQ(table.modules[0].module, "nf_tables");
  EXPECT_EQ(table.modules[0].events[0], (Estimate{400, 4}));
  EXPECT_EQ(table.modules[1].module, kVmlinux);
  EXPECT_EQ(table.modules[1].events[0], (Estimate{100, 1}));
}

TEST(Correlate, AnEmptyProfileGivesAnEmptyTable) {
  EXPECT_EQ(correlate(Profile{}), CostTable{});

  ProfileBuilder no_events({}, 2);
  no_events.counted("f", 3);
  no_events.profile.packets = {{Path::rx, 0, 10, 10}};
  const CostTable table = correlate(no_events.profile);
  EXPECT_EQ(find(table, "f")->calls, 3u);
  EXPECT_EQ(table.path(Path::rx)->packets, 10u);
}

}  // namespace
}  // namespace nettoll
