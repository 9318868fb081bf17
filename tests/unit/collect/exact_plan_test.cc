// SPDX-License-Identifier: Apache-2.0
#include "collect/exact_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collect/own_footprint.h"

namespace nettoll {
namespace {

using testing::HasSubstr;

constexpr const char* kRefused = "fentry and fexit do not work here: Operation not permitted";

ExactKernelView kernel(std::string no_fentry = "") {
  ExactKernelView view;
  view.no_fentry = std::move(no_fentry);
  view.entries = [](std::string_view name) -> std::vector<FunctionEntry> {
    if (name == "cleanup") return {{"cleanup", kVmlinux, 1}, {"cleanup", "veth", 2}, {"cleanup", "tun", 3}};
    if (name == "__core") return {{"__core.constprop.0", kVmlinux, 4}};
    if (name == "gone") return {};
    return {{std::string(name), name == "veth_xmit" ? "veth" : kVmlinux, 5}};
  };
  view.btf = [](std::string_view name, std::string_view module) -> std::optional<BtfTarget> {
    if (name == "no_btf") return std::nullopt;
    return BtfTarget{module == "veth" ? 7u : 0u, static_cast<uint32_t>(100 + name.size())};
  };
  return view;
}

TEST(ExactPlan, PrefersFentryToTracepoints) {
  const struct {
    const char* function;
    const char* no_fentry;
    std::optional<Method> force;
    ExactRow expected;
  } cases[] = {
      {"ip_rcv", "", {}, {"ip_rcv", kVmlinux, Method::fentry, {0, 106}, 0, ""}},
      {"net_rx_action", "", {}, {"net_rx_action", kVmlinux, Method::fentry, {0, 113}, 0, ""}},
      {"net_rx_action", kRefused, {}, {"net_rx_action", kVmlinux, Method::tracepoint, {}, 3, ""}},
      {"net_tx_action", kRefused, {}, {"net_tx_action", kVmlinux, Method::tracepoint, {}, 2, ""}},
      {"ip_rcv", kRefused, {}, {"ip_rcv", kVmlinux, Method::samples, {}, 0, kRefused}},
      {"net_rx_action", "", Method::tracepoint, {"net_rx_action", kVmlinux, Method::tracepoint, {}, 3, ""}},
      {"net_rx_action",
       kRefused,
       Method::fentry,
       {"net_rx_action", kVmlinux, Method::samples, {}, 0, kRefused}},
      {"ip_rcv",
       "",
       Method::tracepoint,
       {"ip_rcv",
        kVmlinux,
        Method::samples,
        {},
        0,
        "no pair of tracepoints brackets it, and fentry was not asked for"}},
      {"_raw_spin_lock", "", {}, {"_raw_spin_lock", kVmlinux, Method::samples, {}, 0, kRunByProbes}},
      {"cleanup", "", {}, {"cleanup", kVmlinux, Method::samples, {}, 0, "3 functions have this name"}},
      {"veth_xmit", "", {}, {"veth_xmit", "veth", Method::fentry, {7, 109}, 0, ""}},
      {"no_btf", "", {}, {"no_btf", kVmlinux, Method::samples, {}, 0, "no BTF describes it"}},
      {"__core",
       "",
       {},
       {"__core", kVmlinux, Method::samples, {}, 0, "the compiler renamed it (__core.constprop.0)"}},
      {"gone", "", {}, {"gone", kVmlinux, Method::samples, {}, 0, "this kernel has no such function"}},
  };
  for (const auto& c : cases) {
    const auto rows = plan_exact({{c.function}, 1, c.force}, kernel(c.no_fentry));
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0], c.expected) << c.function << ": " << rows[0].obstacle;
  }
}

TEST(ExactPlan, KeepsTheOrderAndDropsRepetitions) {
  const auto rows = plan_exact({{"net_tx_action", "ip_rcv", "net_tx_action"}, 1, {}}, kernel());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].function, "net_tx_action");
  EXPECT_EQ(rows[1].function, "ip_rcv");
}

TEST(ExactPlan, FailsOnlyWhereNothingIsLeft) {
  EXPECT_TRUE(check_exact_plan(plan_exact({{"ip_rcv", "net_rx_action"}, 1, {}}, kernel(kRefused))));
  const auto none = check_exact_plan(plan_exact({{"ip_rcv", "cleanup"}, 1, {}}, kernel(kRefused)));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::failure);
  EXPECT_THAT(none.error().message, HasSubstr("ip_rcv: fentry and fexit do not work here"));
  EXPECT_THAT(none.error().message, HasSubstr("cleanup: "));
  EXPECT_THAT(none.error().remedy, HasSubstr("net_rx_action"));
}

}  // namespace
}  // namespace nettoll
