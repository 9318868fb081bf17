// SPDX-License-Identifier: Apache-2.0
#include "collect/attach_plan.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace nettoll {
namespace {

/// A kernel made of lists, in which every method works until it is told otherwise.
struct FakeKernel {
  std::map<std::string, std::vector<FunctionEntry>, std::less<>> entries;  ///< by name without suffixes
  std::set<std::pair<std::string, std::string>> btf;                       ///< name, module
  std::set<std::string, std::less<>> tracepoints;
  std::set<std::string, std::less<>> notrace;
  std::string no_fentry, no_kprobe_multi, no_kprobe;
  uint64_t next_address = 0xffffffff81000000;

  /// `full` is the name with its suffixes.
  void add(const std::string& name, const std::string& full, const std::string& module = kVmlinux) {
    entries[name].push_back({full, module, next_address += 16});
  }
  void with_btf(const std::string& name, const std::string& module = kVmlinux) {
    add(name, name, module);
    btf.emplace(name, module);
  }
  void no_entry_hooks() {
    no_fentry = "no fentry";
    no_kprobe_multi = "no kprobe.multi";
    no_kprobe = "no kprobe";
  }
  KernelView view() const {
    return {[this](std::string_view name) {
              const auto found = entries.find(name);
              return found == entries.end() ? std::vector<FunctionEntry>() : found->second;
            },
            [this](std::string_view name, std::string_view module) -> std::optional<BtfTarget> {
              if (!btf.contains({std::string(name), std::string(module)})) return std::nullopt;
              return BtfTarget{module == kVmlinux ? 0u : 7u, static_cast<uint32_t>(name.size())};
            },
            [this](std::string_view name) { return tracepoints.contains(name); },
            [this](std::string_view name) { return !notrace.contains(name); },
            no_fentry,
            no_kprobe_multi,
            no_kprobe};
  }
};

FakeKernel usual() {
  FakeKernel kernel;
  for (const TableEntry& entry : function_table()) {
    kernel.with_btf(std::string(entry.names.front()));
    if (!entry.proxy.tracepoint.empty()) kernel.tracepoints.emplace(entry.proxy.tracepoint);
  }
  return kernel;
}

PlanRow row_of(const std::vector<PlanRow>& rows, std::string_view name, std::string_view module = kVmlinux) {
  for (const PlanRow& row : rows) {
    if (row.function.name == name && row.function.module == module) return row;
  }
  ADD_FAILURE() << "no row for " << name << " in " << module;
  return {};
}

std::vector<PlanRow> plan_wide(const FakeKernel& kernel, std::optional<Method> force = {}) {
  return plan_attach({FunctionSet::wide, force, {}}, kernel.view());
}

std::vector<Method> methods_of(const PlanRow& row) {
  std::vector<Method> methods;
  for (const Step& step : row.steps) methods.push_back(step.method);
  return methods;
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
  const auto rows = plan_wide(usual());
  const PlanRow rx = row_of(rows, "__netif_receive_skb_core");
  EXPECT_EQ(rx.function.method, Method::tracepoint);
  EXPECT_EQ(rx.free, FreeCounter::rx_packets);
  EXPECT_TRUE(rx.function.denominator);
  const PlanRow ip = row_of(rows, "ip_rcv");
  EXPECT_EQ(ip.function.method, Method::fentry);
  EXPECT_EQ(ip.function.state, CountState::counted);
  EXPECT_EQ(ip.btf, (BtfTarget{0, 6}));
  // A free count with a condition gives way to the exact one.
  EXPECT_EQ(row_of(rows, "__dev_queue_xmit").function.method, Method::fentry);
  EXPECT_TRUE(row_of(rows, "__dev_queue_xmit").needs_hook());
  EXPECT_GT(hooks_per_packet(rows), 6);
}

TEST(AttachPlan, LadderGoesFromFentryDownToTheTracepoint) {
  const auto rows = plan_wide(usual());
  EXPECT_EQ(methods_of(row_of(rows, "ip_rcv")),
            (std::vector{Method::fentry, Method::kprobe_multi, Method::kprobe}));
  EXPECT_EQ(methods_of(row_of(rows, "tcp_rcv_established")),
            (std::vector{Method::fentry, Method::kprobe_multi, Method::kprobe, Method::tracepoint}));
  // The tracepoint is hooked anyway: cheaper than any kprobe.
  EXPECT_EQ(methods_of(row_of(rows, "__dev_queue_xmit")), (std::vector{Method::fentry, Method::tracepoint}));
}

TEST(AttachPlan, StepsDownWithTheKernelsReasons) {
  auto rows = plan_wide(usual());
  PlanRow row = row_of(rows, "tcp_rcv_established");
  try_next(row, "refused");
  EXPECT_EQ(row.function.method, Method::kprobe_multi);
  EXPECT_EQ(row.function.state, CountState::counted);
  try_next(row, "refused");
  EXPECT_EQ(row.function.method, Method::kprobe);
  EXPECT_EQ(row.function.hooks_per_packet, 1);
  try_next(row, "refused");
  EXPECT_EQ(row.function.method, Method::tracepoint);
  EXPECT_EQ(row.function.state, CountState::proxied);
  EXPECT_EQ(row.function.tracepoint, "tcp_probe");
  try_next(row, "no such tracepoint");
  EXPECT_EQ(row.function.method, Method::samples);
  EXPECT_EQ(row.function.state, CountState::sampled);
  EXPECT_FALSE(row.function.denominator);
  EXPECT_EQ(row.function.hooks_per_packet, 0);
  EXPECT_EQ(row.function.condition,
            "fentry: refused; kprobe_multi: refused; kprobe: refused; tracepoint: no such tracepoint");

  PlanRow free = row_of(rows, "__dev_queue_xmit");
  EXPECT_EQ(free.free, FreeCounter::none);
  try_next(free, "refused");
  EXPECT_EQ(free.free, FreeCounter::tx_packets);
  EXPECT_FALSE(free.needs_hook());
}

TEST(AttachPlan, TakesTheNextMethodWhereOneDoesNotWork) {
  FakeKernel kernel = usual();
  kernel.no_fentry = "the kernel refuses to load fentry programs";
  EXPECT_EQ(row_of(plan_wide(kernel), "ip_rcv").function.method, Method::kprobe_multi);
  kernel.no_kprobe_multi = "no FPROBE";
  EXPECT_EQ(row_of(plan_wide(kernel), "ip_rcv").function.method, Method::kprobe);
}

TEST(AttachPlan, WithoutEntryHooksTracepointsStandForCalls) {
  FakeKernel kernel = usual();
  kernel.no_entry_hooks();
  const auto rows = plan_wide(kernel);
  const PlanRow tcp = row_of(rows, "tcp_rcv_established");
  EXPECT_EQ(tcp.function.state, CountState::proxied);
  EXPECT_EQ(tcp.function.tracepoint, "tcp_probe");
  EXPECT_TRUE(tcp.needs_hook());
  const PlanRow consume = row_of(rows, "consume_skb");
  EXPECT_FALSE(consume.function.denominator) << "fires for the last reference only";
  EXPECT_FALSE(consume.function.condition.empty());
  const PlanRow ip = row_of(rows, "ip_rcv");
  EXPECT_EQ(ip.function.state, CountState::sampled);
  EXPECT_NE(ip.function.condition.find("doctor"), std::string::npos);
}

TEST(AttachPlan, TellsFunctionsThatCannotBeHookedApart) {
  FakeKernel kernel = usual();
  kernel.no_kprobe_multi = kernel.no_kprobe = "no kprobes";
  kernel.entries.erase("ip_rcv");
  kernel.add("ip_rcv", "ip_rcv.isra.0");
  kernel.add("udp_rcv", "udp_rcv");
  kernel.btf.erase({"tcp_ack", kVmlinux});
  kernel.entries.erase("arp_rcv");
  kernel.entries.erase("ip_rcv_core");  // ip_rcv is there
  kernel.entries.erase("udp_send_skb");
  kernel.add("udp_send_skb", "udp_send_skb.part.0");
  kernel.notrace.emplace("tcp_v4_rcv");
  const struct {
    const char* name;
    CountState state;
    const char* said;
  } cases[] = {
      {"ip_rcv", CountState::renamed, "renamed it (ip_rcv.isra.0)"},
      {"udp_rcv", CountState::duplicate, "2 functions have this name"},
      {"tcp_ack", CountState::sampled, "no BTF describes it"},
      {"arp_rcv", CountState::absent, "no such function"},
      {"ip_rcv_core", CountState::inlined, "samples are those of ip_rcv"},
      {"udp_send_skb", CountState::inlined, "only udp_send_skb.part.0 is left"},
      {"tcp_v4_rcv", CountState::notrace, "notrace"},
  };
  const auto rows = plan_wide(kernel);
  for (const auto& c : cases) {
    const PlanRow row = row_of(rows, c.name);
    EXPECT_EQ(row.function.state, c.state) << c.name;
    EXPECT_EQ(row.function.method, Method::samples) << c.name;
    EXPECT_NE(row.function.condition.find(c.said), std::string::npos) << row.function.condition;
  }
}

TEST(AttachPlan, CountsRenamedAndDuplicateFunctionsByAddress) {
  FakeKernel kernel = usual();
  kernel.entries.erase("ip_rcv");
  kernel.add("ip_rcv", "ip_rcv.isra.0");
  kernel.add("udp_rcv", "udp_rcv");
  const auto rows = plan_wide(kernel);
  const PlanRow renamed = row_of(rows, "ip_rcv");
  EXPECT_EQ(renamed.function.method, Method::kprobe_multi);
  EXPECT_EQ(renamed.function.state, CountState::counted);
  EXPECT_TRUE(renamed.function.denominator);
  ASSERT_EQ(renamed.entries.size(), 1u);
  EXPECT_EQ(renamed.entries[0].name, "ip_rcv.isra.0");
  const PlanRow twice = row_of(rows, "udp_rcv");
  EXPECT_EQ(twice.function.method, Method::kprobe_multi);
  EXPECT_EQ(twice.entries.size(), 2u);
  EXPECT_EQ(twice.function.condition, "counts 2 functions of this name together");
}

TEST(AttachPlan, AFunctionWithCopiesIsWholeByAddressAlone) {
  FakeKernel kernel = usual();
  kernel.add("ip_rcv", "ip_rcv.constprop.0");
  const PlanRow all = row_of(plan_wide(kernel), "ip_rcv");
  EXPECT_EQ(all.function.method, Method::kprobe_multi);
  EXPECT_EQ(all.entries.size(), 2u);
  EXPECT_TRUE(all.function.denominator);
  kernel.no_kprobe_multi = kernel.no_kprobe = "no kprobes";
  const PlanRow part = row_of(plan_wide(kernel), "ip_rcv");
  EXPECT_EQ(part.function.method, Method::fentry);
  EXPECT_FALSE(part.function.denominator);
  EXPECT_NE(part.function.condition.find("misses calls of its copies ip_rcv.constprop.0"), std::string::npos);
}

TEST(AttachPlan, HooksAnAddressOnceHoweverManyNamesItHas) {
  FakeKernel kernel = usual();
  kernel.entries["ip_rcv"].push_back({"ip_rcv", kVmlinux, kernel.entries["ip_rcv"].front().address});
  const PlanRow row = row_of(plan_wide(kernel), "ip_rcv");
  EXPECT_EQ(row.entries.size(), 1u);
  EXPECT_EQ(row.function.method, Method::fentry);
}

TEST(AttachPlan, TakesTheNameThatTheKernelHas) {
  FakeKernel kernel = usual();
  kernel.entries.erase("sk_skb_reason_drop");
  kernel.with_btf("kfree_skb_reason");
  const auto rows = plan_attach({FunctionSet::core, {}, {}}, kernel.view());
  EXPECT_EQ(row_of(rows, "kfree_skb_reason").free, FreeCounter::drops);
}

TEST(AttachPlan, ForcedMethodRulesOutTheOthers) {
  const auto fentry = plan_wide(usual(), Method::fentry);
  EXPECT_EQ(row_of(fentry, "net_rx_action").function.method, Method::fentry);
  EXPECT_EQ(row_of(fentry, "net_rx_action").free, FreeCounter::none);
  for (const Method method : {Method::kprobe_multi, Method::kprobe}) {
    const auto rows = plan_wide(usual(), method);
    for (const char* name : {"net_rx_action", "__dev_queue_xmit", "ip_rcv", "tcp_rcv_established"})
      EXPECT_EQ(methods_of(row_of(rows, name)), std::vector{method}) << name;
  }
  const auto tracepoint = plan_wide(usual(), Method::tracepoint);
  EXPECT_EQ(row_of(tracepoint, "ip_rcv").function.state, CountState::sampled);
  EXPECT_EQ(row_of(tracepoint, "__dev_queue_xmit").function.method, Method::tracepoint);
}

TEST(AttachPlan, NamedFunctionsAreCountedInEverySet) {
  FakeKernel kernel = usual();
  kernel.with_btf("my_driver_poll");
  const auto rows =
      plan_attach({FunctionSet::core, {}, {{"ip_rcv", ""}, {"my_driver_poll", ""}}}, kernel.view());
  EXPECT_EQ(row_of(rows, "ip_rcv").function.method, Method::fentry);
  EXPECT_EQ(row_of(rows, "my_driver_poll").function.method, Method::fentry);
  EXPECT_EQ(row_of(rows, "udp_rcv").function.method, Method::samples);
  EXPECT_EQ(hooks_per_packet(rows), 8);
}

TEST(AttachPlan, AShedRowHasNoHookAndSaysSo) {
  const PlanRow counted = row_of(plan_wide(usual()), "ip_rcv");
  ASSERT_TRUE(counted.needs_hook());
  const PlanRow shed = shed_row(counted);
  EXPECT_FALSE(shed.needs_hook());
  EXPECT_EQ(shed.function.state, CountState::shed);
  EXPECT_EQ(shed.function.method, Method::samples);
  EXPECT_FALSE(shed.function.denominator);
  EXPECT_NE(shed.function.condition.find("--max-overhead"), std::string::npos);
  // Still the same function, so that a module that comes does not seem to change it.
  EXPECT_EQ(shed.function.name, counted.function.name);
  EXPECT_EQ(shed.entries, counted.entries);
}

TEST(AttachPlan, FunctionsOfModulesAreFoundInTheirBtf) {
  FakeKernel kernel = usual();
  kernel.entries.erase("veth_xmit");
  kernel.with_btf("veth_xmit", "veth");
  kernel.add("send", "send", "one");
  kernel.with_btf("send", "two");
  const auto rows =
      plan_attach({FunctionSet::wide, {}, {{"send", "two"}, {"later", "three"}}}, kernel.view());
  const PlanRow veth = row_of(rows, "veth_xmit", "veth");
  EXPECT_EQ(veth.function.method, Method::fentry);
  EXPECT_EQ(veth.btf, (BtfTarget{7, 9}));
  EXPECT_EQ(row_of(rows, "send", "two").function.method, Method::fentry);
  const PlanRow later = row_of(rows, "later", "three");
  EXPECT_EQ(later.function.state, CountState::absent);
  EXPECT_NE(later.function.condition.find("three is not loaded"), std::string::npos);
}

TEST(AttachPlan, AMissingTracepointCostsItsFunctionOnly) {
  FakeKernel kernel = usual();
  kernel.no_entry_hooks();
  kernel.tracepoints.erase("qdisc_enqueue");  // older than 5.16
  const auto rows = plan_wide(kernel);
  EXPECT_EQ(row_of(rows, "dev_qdisc_enqueue").function.state, CountState::sampled);
  EXPECT_EQ(row_of(rows, "dequeue_skb").function.state, CountState::proxied);
}

}  // namespace
}  // namespace nettoll
