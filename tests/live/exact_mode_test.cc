// SPDX-License-Identifier: Apache-2.0
// Exact mode on the running kernel, by the tracepoints around the receive softirq, which every kernel has: it
// measures the runs that there were, and about the time that the net path measured in its own way.
#include <gtest/gtest.h>

#include "base/capabilities.h"
#include "cli/live_session.h"
#include "live/kernel_counters.h"
#include "live/traffic.h"

namespace nettoll::live {
namespace {

struct Window {
  ExactCost exact;
  uint64_t runs = 0;  ///< of NET_RX, by the net path
  uint64_t ns = 0;    ///< in them
};

class ExactMode : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_for_netns(); !missing.empty()) GTEST_SKIP() << missing;
    if (auto ok = check_tracing_rights(KernelFs()); !ok) GTEST_SKIP() << ok.error().text();
  }

  static TraceOptions options(std::vector<std::string> functions, uint32_t rate = 1) {
    TraceOptions options;
    options.set = "core";
    options.method = "tracepoint";
    options.events = {"none"};
    options.exact = std::move(functions);
    options.exact_rate = rate;
    return options;
  }

  /// Traffic between two reads.
  static Window measure(uint32_t rate, uint64_t packets) {
    auto pair = VethPair::create();
    if (!pair) throw std::runtime_error(pair.error().text());
    auto session = LiveSession::start(options({"net_rx_action"}, rate), KernelFs());
    if (!session) throw std::runtime_error(session.error().text());
    window_of(*session);
    auto sent = send_udp(pair->a, pair->b, {.packets = packets, .open = packets, .cpu = 0});
    if (!sent) throw std::runtime_error(sent.error().text());
    return window_of(*session);
  }

  static Window window_of(LiveSession& session) {
    auto profile = session.read();
    if (!profile) throw std::runtime_error(profile.error().text());
    EXPECT_EQ(profile->exact.size(), 1u);
    Window window;
    window.exact = profile->exact.at(0);
    for (const auto& row : profile->softirqs) {
      if (row.vector != 3) continue;
      window.runs += row.runs;
      window.ns += row.ns;
    }
    return window;
  }
};

TEST_F(ExactMode, MeasuresEachRunOfTheReceiveSoftirq) {
  const Window window = measure(1, 100'000);
  const ExactCost& exact = window.exact;
  EXPECT_EQ(exact.function, "net_rx_action");
  EXPECT_EQ(exact.method, Method::tracepoint);
  EXPECT_GE(exact.n, 90'000u) << "a run a packet, where each is sent by itself";
  // Other traffic of the host may run between the two reads, which are not at one instant.
  EXPECT_NEAR(static_cast<double>(exact.n), static_cast<double>(window.runs),
              20 + static_cast<double>(window.runs) * 1e-3);
  EXPECT_EQ(exact.calls, exact.n);
  EXPECT_EQ(exact.discards, ExactDiscards{}) << "a softirq neither moves nor sleeps";
  ASSERT_TRUE(exact.calibrated);
  EXPECT_GT(exact.own_cost, 0);
  EXPECT_LE(exact.p50, exact.p90);
  EXPECT_LE(exact.p90, exact.p99);
  EXPECT_GT(exact.p50, 0);
  // The net path's time holds these programs, and its own: it is the longer one.
  const double total = exact.mean * static_cast<double>(exact.n);
  EXPECT_LT(total, static_cast<double>(window.ns));
  EXPECT_GT(total, static_cast<double>(window.ns) * 0.2);
}

TEST_F(ExactMode, MeasuresOneRunInN) {
  const Window window = measure(20, 200'000);
  const ExactCost& exact = window.exact;
  EXPECT_EQ(exact.one_in, 20u);
  EXPECT_GE(exact.calls, 180'000u);
  // Intervals are drawn evenly from 1 to 39: 10,000 of them have a mean within 0.6%, so 6% is ten such
  // errors.
  const double expected = static_cast<double>(exact.calls) / 20;
  EXPECT_NEAR(static_cast<double>(exact.n), expected, expected * 0.06);
}

TEST_F(ExactMode, FunctionsThatCannotBeHookedAreNamed) {
  auto session = LiveSession::start(options({"net_rx_action", "ip_rcv"}), KernelFs());
  ASSERT_TRUE(session) << session.error().text();
  bool named = false;
  for (const auto& note : session->session().notes)
    named |= note.starts_with("exact mode: ip_rcv is not measured: ");
  EXPECT_TRUE(named);
  auto none = LiveSession::start(options({"ip_rcv"}), KernelFs());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::failure);
  EXPECT_NE(none.error().text().find("ip_rcv"), std::string::npos);
}

TEST_F(ExactMode, UnknownFunctionsAreAUsageError) {
  for (const char* name : {"no_such_function_here", "net_rx_*", ""}) {
    const auto session = LiveSession::start(options({"net_rx_action", name}), KernelFs());
    ASSERT_FALSE(session) << name;
    EXPECT_EQ(session.error().kind, ErrorKind::usage) << name;
  }
}

}  // namespace
}  // namespace nettoll::live
