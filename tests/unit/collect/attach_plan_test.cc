// SPDX-License-Identifier: Apache-2.0
#include "collect/attach_plan.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace nettoll {
namespace {

/// A kernel made of lists.
struct FakeKernel {
  std::map<std::string, size_t, std::less<>> exact;   ///< instances by name
  std::map<std::string, size_t, std::less<>> suffix;  ///< more, with .isra and the like
  std::set<std::string, std::less<>> btf;
  std::set<std::string, std::less<>> tracepoints;
  std::string no_fentry;

  KernelView view() const {
    const auto count = [](const auto& from, std::string_view name) -> size_t {
      const auto found = from.find(name);
      return found == from.end() ? 0 : found->second;
    };
    return {[this, count](std::string_view name) { return count(exact, name); },
            [this, count](std::string_view name) { return count(exact, name) + count(suffix, name); },
            [this](std::string_view name) -> std::optional<uint32_t> {
              if (!btf.contains(name)) return std::nullopt;
              return static_cast<uint32_t>(name.size());
            },
            [this](std::string_view name) { return tracepoints.contains(name); }, no_fentry};
  }
};

FakeKernel usual() {
  FakeKernel kernel;
  for (const TableEntry& entry : function_table()) {
    kernel.exact.emplace(entry.names.front(), 1);
    kernel.btf.emplace(entry.names.front());
    if (!entry.proxy.tracepoint.empty()) kernel.tracepoints.emplace(entry.proxy.tracepoint);
  }
  return kernel;
}

PlanRow row_of(const std::vector<PlanRow>& rows, std::string_view name) {
  for (const PlanRow& row : rows) {
    if (row.function.name == name) return row;
  }
  ADD_FAILURE() << "no row for " << name;
  return {};
}

TEST(AttachPlan, CoreTakesNoHookOfItsOwn) {
  const auto rows = plan_attach({FunctionSet::core, {}, {}}, usual().view());
  for (const PlanRow& row : rows) EXPECT_FALSE(row.needs_hook()) << row.function.name;
  EXPECT_EQ(hooks_per_packet(rows), 6);
  EXPECT_EQ(row_of(rows, "net_rx_action").function.state, CountState::proxied);
  EXPECT_EQ(row_of(rows, "ip_rcv").function.state, CountState::sampled);
  EXPECT_NE(row_of(rows, "ip_rcv").function.condition.find("--set wide"), std::string::npos);
}

TEST(AttachPlan, WidePrefersFreeExactCountsThenFentry) {
  const auto rows = plan_attach({FunctionSet::wide, {}, {}}, usual().view());
  const PlanRow rx = row_of(rows, "__netif_receive_skb_core");
  EXPECT_EQ(rx.function.method, Method::tracepoint);
  EXPECT_EQ(rx.free, FreeCounter::rx_packets);
  EXPECT_TRUE(rx.function.denominator);
  EXPECT_EQ(row_of(rows, "ip_rcv").function.method, Method::fentry);
  EXPECT_EQ(row_of(rows, "ip_rcv").btf_id, 6u);
  // A free count with a condition gives way to the exact one.
  EXPECT_EQ(row_of(rows, "__dev_queue_xmit").function.method, Method::fentry);
  EXPECT_TRUE(row_of(rows, "__dev_queue_xmit").needs_hook());
  EXPECT_GT(hooks_per_packet(rows), 6);
}

TEST(AttachPlan, WithoutFentryTracepointsStandForCalls) {
  FakeKernel kernel = usual();
  kernel.no_fentry = "the kernel refuses to load fentry programs";
  const auto rows = plan_attach({FunctionSet::wide, {}, {}}, kernel.view());
  const PlanRow tcp = row_of(rows, "tcp_rcv_established");
  EXPECT_EQ(tcp.function.state, CountState::proxied);
  EXPECT_EQ(tcp.function.tracepoint, "tcp_probe");
  EXPECT_TRUE(tcp.needs_hook());
  const PlanRow consume = row_of(rows, "consume_skb");
  EXPECT_FALSE(consume.function.denominator) << "fires for the last reference only";
  EXPECT_FALSE(consume.function.condition.empty());
  const PlanRow ip = row_of(rows, "ip_rcv");
  EXPECT_EQ(ip.function.state, CountState::sampled);
  EXPECT_EQ(ip.function.condition, kernel.no_fentry);
}

TEST(AttachPlan, TellsWhyAFunctionCannotBeHooked) {
  FakeKernel kernel = usual();
  kernel.exact.erase("ip_rcv");
  kernel.exact["udp_rcv"] = 2;
  kernel.btf.erase("tcp_ack");
  kernel.exact.erase("arp_rcv");
  kernel.suffix["ip_rcv"] = 1;
  const auto rows = plan_attach({FunctionSet::wide, {}, {}}, kernel.view());
  EXPECT_NE(row_of(rows, "ip_rcv").function.condition.find("renamed"), std::string::npos);
  EXPECT_EQ(row_of(rows, "ip_rcv").function.state, CountState::sampled);
  EXPECT_EQ(row_of(rows, "udp_rcv").function.condition, "2 functions have this name");
  EXPECT_EQ(row_of(rows, "tcp_ack").function.condition, "no BTF describes it");
  EXPECT_EQ(row_of(rows, "arp_rcv").function.state, CountState::absent);
  EXPECT_FALSE(row_of(rows, "arp_rcv").function.condition.empty());
}

TEST(AttachPlan, TakesTheNameThatTheKernelHas) {
  FakeKernel kernel = usual();
  kernel.exact.erase("sk_skb_reason_drop");
  kernel.exact["kfree_skb_reason"] = 1;
  const auto rows = plan_attach({FunctionSet::core, {}, {}}, kernel.view());
  EXPECT_EQ(row_of(rows, "kfree_skb_reason").free, FreeCounter::drops);
}

TEST(AttachPlan, ForcedMethodRulesOutTheOthers) {
  const auto fentry = plan_attach({FunctionSet::wide, Method::fentry, {}}, usual().view());
  EXPECT_EQ(row_of(fentry, "net_rx_action").function.method, Method::fentry);
  EXPECT_EQ(row_of(fentry, "net_rx_action").free, FreeCounter::none);
  const auto tracepoint = plan_attach({FunctionSet::wide, Method::tracepoint, {}}, usual().view());
  EXPECT_EQ(row_of(tracepoint, "ip_rcv").function.state, CountState::sampled);
  EXPECT_EQ(row_of(tracepoint, "__dev_queue_xmit").function.method, Method::tracepoint);
}

TEST(AttachPlan, NamedFunctionsAreCountedInEverySet) {
  FakeKernel kernel = usual();
  kernel.exact["my_driver_poll"] = 1;
  kernel.btf.emplace("my_driver_poll");
  const auto rows = plan_attach({FunctionSet::core, {}, {"ip_rcv", "my_driver_poll"}}, kernel.view());
  EXPECT_EQ(row_of(rows, "ip_rcv").function.method, Method::fentry);
  EXPECT_EQ(row_of(rows, "my_driver_poll").function.method, Method::fentry);
  EXPECT_EQ(row_of(rows, "udp_rcv").function.method, Method::samples);
  EXPECT_EQ(hooks_per_packet(rows), 8);
}

TEST(AttachPlan, AMissingTracepointCostsItsFunctionOnly) {
  FakeKernel kernel = usual();
  kernel.no_fentry = "refused";
  kernel.tracepoints.erase("qdisc_enqueue");  // older than 5.16
  const auto rows = plan_attach({FunctionSet::wide, {}, {}}, kernel.view());
  EXPECT_EQ(row_of(rows, "dev_qdisc_enqueue").function.state, CountState::sampled);
  EXPECT_EQ(row_of(rows, "dequeue_skb").function.state, CountState::proxied);
}

}  // namespace
}  // namespace nettoll
