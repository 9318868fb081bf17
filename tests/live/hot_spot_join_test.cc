// SPDX-License-Identifier: Apache-2.0
// The join finds a known hot spot: a packet filter of many rules in the receive path.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/capabilities.h"
#include "cli/live_session.h"
#include "correlate/correlate.h"
#include "live/hot_spot.h"
#include "live/traffic.h"

namespace nettoll::live {
namespace {

constexpr uint64_t kPackets = 150'000;
constexpr uint32_t kClock = 0;  // cpu-clock comes first, see plan_events()

struct Traced {
  CostTable cost;
  UdpSent sent;

  /// Self cost of a function inside the receive path.
  Estimate self(std::string_view name) const {
    for (const FunctionCost& row : cost.functions) {
      if (row.symbol.name == name) return row.self(kClock, Path::rx);
    }
    return {};
  }
  /// The function with the largest self cost in the receive path.
  std::string first() const {
    const auto best =
        std::max_element(cost.functions.begin(), cost.functions.end(), [](const auto& a, const auto& b) {
          return a.self(kClock, Path::rx).value < b.self(kClock, Path::rx).value;
        });
    return best == cost.functions.end() ? "" : best->symbol.name;
  }
  const PathCost& rx() const { return *cost.path(Path::rx); }
};

class HotSpotJoin : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_for_netns(); !missing.empty()) GTEST_SKIP() << missing;
    if (auto ok = check_tracing_rights(KernelFs()); !ok) GTEST_SKIP() << ok.error().text();
  }

  static Traced trace(const VethPair& pair) {
    TraceOptions options;
    options.set = "wide";
    options.frequency = 997;
    auto session = LiveSession::start(options, KernelFs());
    if (!session) throw std::runtime_error(session.error().text());
    auto sent = send_udp(pair.a, pair.b, {.packets = kPackets, .open = kPackets, .cpu = 0});
    if (!sent) throw std::runtime_error(sent.error().text());
    session->stop_sampling();
    auto profile = session->read();
    if (!profile) throw std::runtime_error(profile.error().text());
    return {correlate(*profile), *sent};
  }
};

TEST_F(HotSpotJoin, AHeavyFilterIsTheFirstFunctionOfTheReceivePath) {
  const auto kind = usable_hot_spot();
  if (!kind) GTEST_SKIP() << kind.error().text();
  auto pair = VethPair::create();
  ASSERT_TRUE(pair) << pair.error().text();
  const std::string hot = hot_functions(*kind).front();

  const Traced without = trace(*pair);
  EXPECT_EQ(without.self(hot).samples, 0u) << hot << " has no business in an unfiltered path";

  auto filter = HotSpot::add(pair->b.ns, *kind);
  ASSERT_TRUE(filter) << filter.error().text();
  const Traced with = trace(*pair);
  EXPECT_EQ(with.first(), hot);
  const Estimate cost = with.self(hot);
  EXPECT_FALSE(cost.too_few());
  // Every packet went through the filter, and it is most of what the receive path costs.
  ASSERT_TRUE(with.rx().packets);
  EXPECT_GE(*with.rx().packets, kPackets);
  EXPECT_GT(cost.value, 0.4 * with.rx().events[kClock].value);
  // Time that fits: the receive path ran on the sender's back, so it cannot have taken longer than the
  // sending did, and the filter made a packet dearer by about its own cost.
  EXPECT_LT(with.rx().events[kClock].value, 1.1 * static_cast<double>(with.sent.elapsed.count()));
  const double per_packet = cost.value / static_cast<double>(kPackets);
  const double dearer = *with.rx().per_packet(kClock) - without.rx().per_packet(kClock).value_or(0);
  EXPECT_NEAR(dearer / per_packet, 1, 0.5)
      << per_packet << " ns a packet by samples, " << dearer << " ns more a packet";
}

}  // namespace
}  // namespace nettoll::live
