// SPDX-License-Identifier: Apache-2.0
// The net path programs where their tables are too small, and where kinds of drops move into the mapped
// table.
#include "collect/net_path.h"

#include <gtest/gtest.h>

#include "base/capabilities.h"
#include "base/kernel_fs.h"
#include "collect/btf_facts.h"
#include "live/kernel_counters.h"
#include "live/traffic.h"

namespace nettoll::live {
namespace {

struct DropSums {
  std::map<uint32_t, uint64_t> by_netns;
  uint64_t all = 0;
  uint64_t unkeyed = 0;
  uint64_t calls = 0;
};

class NetPathLive : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_for_netns(); !missing.empty()) GTEST_SKIP() << missing;
    if (auto ok = check_tracing_rights(KernelFs()); !ok) GTEST_SKIP() << ok.error().text();
    auto btf = BtfFacts::load();
    if (!btf) GTEST_SKIP() << btf.error().text();
    config_.possible = *KernelFs().possible_cpus();
    config_.drop_reason_argument = btf->drop_reason_argument();
    PlanRow row;
    row.free = FreeCounter::drops;
    rows_ = {row};
  }

  /// What was dropped since the last read.
  DropSums read(NetPath& path) {
    RawBatch batch;
    if (auto ok = path.read(batch, rows_); !ok) throw std::runtime_error(ok.error().text());
    DropSums sums;
    for (const auto& row : batch.drops) {
      sums.by_netns[row.id.netns] += row.packets;
      sums.all += row.packets;
    }
    for (const auto& loss : batch.losses) sums.unkeyed += loss.kind == LossKind::drop_table ? loss.count : 0;
    sums.calls = batch.calls.front().total();
    return sums;
  }
  static void drop(const VethPair& pair, uint64_t packets) {
    auto sent = send_udp(pair.a, pair.b, {.packets = packets, .open = 0, .cpu = 0});
    ASSERT_TRUE(sent) << sent.error().text();
    ASSERT_EQ(sent->sent_closed, packets);
  }
  static VethPair make() {
    auto pair = VethPair::create();
    if (!pair) throw std::runtime_error(pair.error().text());
    return std::move(*pair);
  }

  NetPathConfig config_;
  std::vector<PlanRow> rows_;
};

TEST_F(NetPathLive, AFullTableHidesNoDrop) {
  const VethPair one = make(), two = make();
  config_.max_drop_kinds = 1;
  auto path = NetPath::attach(config_);
  ASSERT_TRUE(path) << path.error().text();
  read(*path);
  drop(one, 2'000);  // takes the only place
  drop(two, 3'000);
  const DropSums sums = read(*path);
  const uint64_t second = sums.by_netns.contains(static_cast<uint32_t>(two.b.ns.inode()));
  EXPECT_EQ(second, 0u) << "there is room for one kind";
  EXPECT_GE(sums.unkeyed, 3'000u);
  // Whatever else the host dropped meanwhile: all are in the total, and none is in it twice.
  EXPECT_EQ(sums.calls, sums.all + sums.unkeyed);
  EXPECT_GE(sums.calls, 5'000u);
}

TEST_F(NetPathLive, AKindKeepsItsCountWhenItMovesIntoTheMappedTable) {
  const VethPair pair = make();
  const auto netns = static_cast<uint32_t>(pair.b.ns.inode());
  auto path = NetPath::attach(config_);
  ASSERT_TRUE(path) << path.error().text();
  for (const uint64_t packets : {1'000u, 2'000u, 3'000u}) {
    drop(pair, packets);
    EXPECT_EQ(read(*path).by_netns[netns], packets);
  }
  EXPECT_EQ(read(*path).by_netns[netns], 0u);
}

}  // namespace
}  // namespace nettoll::live
