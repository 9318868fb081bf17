// SPDX-License-Identifier: Apache-2.0
#include "collect/exact_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace nettoll {
namespace {

using testing::HasSubstr;

constexpr const char* kRefused = "fentry and fexit do not work here: Operation not permitted";

ExactKernelView kernel(std::string no_fentry = "") {
  ExactKernelView view;
  view.no_fentry = std::move(no_fentry);
  view.instances = [](std::string_view name) -> size_t {
    const std::map<std::string_view, size_t> known{
        {"net_rx_action", 1}, {"net_tx_action", 1}, {"ip_rcv", 1}, {"cleanup", 3}, {"veth_xmit", 1}};
    const auto found = known.find(name);
    return found == known.end() ? 0 : found->second;
  };
  view.btf_id = [](std::string_view name) -> std::optional<uint32_t> {
    if (name == "veth_xmit") return std::nullopt;
    return static_cast<uint32_t>(100 + name.size());
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
      {"ip_rcv", "", {}, {"ip_rcv", Method::fentry, 106, 0, ""}},
      {"net_rx_action", "", {}, {"net_rx_action", Method::fentry, 113, 0, ""}},
      {"net_rx_action", kRefused, {}, {"net_rx_action", Method::tracepoint, 0, 3, ""}},
      {"net_tx_action", kRefused, {}, {"net_tx_action", Method::tracepoint, 0, 2, ""}},
      {"ip_rcv", kRefused, {}, {"ip_rcv", Method::samples, 0, 0, kRefused}},
      {"net_rx_action", "", Method::tracepoint, {"net_rx_action", Method::tracepoint, 0, 3, ""}},
      {"net_rx_action", kRefused, Method::fentry, {"net_rx_action", Method::samples, 0, 0, kRefused}},
      {"ip_rcv",
       "",
       Method::tracepoint,
       {"ip_rcv", Method::samples, 0, 0, "no pair of tracepoints brackets it, and fentry was not asked for"}},
      {"cleanup", "", {}, {"cleanup", Method::samples, 0, 0, "3 functions have this name"}},
      {"veth_xmit", "", {}, {"veth_xmit", Method::samples, 0, 0, "the kernel's BTF does not describe it"}},
      {"__core",
       "",
       {},
       {"__core", Method::samples, 0, 0,
        "the compiler renamed it (.isra, .constprop or .part): no entry to hook by name"}},
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
