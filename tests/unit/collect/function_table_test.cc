// SPDX-License-Identifier: Apache-2.0
#include "collect/function_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace nettoll {
namespace {

using std::string_view;

const TableEntry* entry_of(string_view name) {
  for (const TableEntry& entry : function_table()) {
    if (std::find(entry.names.begin(), entry.names.end(), name) != entry.names.end()) return &entry;
  }
  return nullptr;
}

TEST(FunctionTable, HoldsAtLeastSixtyFunctions) {
  EXPECT_GE(function_table().size(), 60u);
}

TEST(FunctionTable, NamesNoFunctionTwice) {
  std::set<string_view> seen;
  for (const TableEntry& entry : function_table()) {
    ASSERT_FALSE(entry.names.empty());
    for (const auto name : entry.names) EXPECT_TRUE(seen.insert(name).second) << name << " is there twice";
  }
}

TEST(FunctionTable, HasTheTracepointOfEachFunctionThatMustBeCountedWithoutFentry) {
  // The tracepoint, and whether its count divides costs: false where ordinary traffic meets the condition.
  struct Want {
    string_view function, tracepoint;
    bool denominator;
  };
  const Want cases[] = {
      {"net_rx_action", "softirq_entry", true},
      {"net_tx_action", "softirq_entry", true},
      {"__napi_poll", "napi_poll", true},
      {"napi_poll", "napi_poll", true},
      {"__netif_receive_skb_core", "netif_receive_skb", true},
      {"netif_rx", "netif_rx_entry", false},
      {"netif_rx_internal", "netif_rx", true},
      {"napi_gro_receive", "napi_gro_receive_entry", true},
      {"gro_receive_skb", "napi_gro_receive_entry", true},
      {"__dev_queue_xmit", "net_dev_queue", true},
      {"dev_hard_start_xmit", "net_dev_start_xmit", false},
      {"kfree_skb", "kfree_skb", false},
      {"kfree_skb_reason", "kfree_skb", false},
      {"sk_skb_reason_drop", "kfree_skb", false},
      {"consume_skb", "consume_skb", false},
      {"fib_table_lookup", "fib_table_lookup", true},
      {"tcp_rcv_established", "tcp_probe", true},
      {"dev_qdisc_enqueue", "qdisc_enqueue", false},
      {"dequeue_skb", "qdisc_dequeue", false},
      {"skb_copy_datagram_iter", "skb_copy_datagram_iovec", true},
  };
  for (const auto& want : cases) {
    const TableEntry* entry = entry_of(want.function);
    ASSERT_TRUE(entry) << want.function;
    EXPECT_EQ(entry->proxy.tracepoint, want.tracepoint) << want.function;
    EXPECT_EQ(entry->proxy.denominator, want.denominator) << want.function;
  }
}

TEST(FunctionTable, SaysWhyACountDividesNoCost) {
  for (const TableEntry& entry : function_table()) {
    EXPECT_TRUE(entry.proxy.denominator || !entry.proxy.condition.empty()) << entry.names.front();
  }
}

TEST(FunctionTable, StatesConditionsAsOneShortFragment) {
  for (const TableEntry& entry : function_table()) {
    const string_view text = entry.proxy.condition;
    if (text.empty()) continue;
    EXPECT_FALSE(entry.proxy.tracepoint.empty()) << entry.names.front();
    EXPECT_TRUE(text.front() >= 'a' && text.front() <= 'z') << text;
    EXPECT_NE(text.back(), '.') << text;
    EXPECT_EQ(text.find('\n'), string_view::npos) << text;
    EXPECT_LE(text.size(), 100u) << text;
  }
}

TEST(FunctionTable, TakesFreeCountsFromTheTracepointsThatTheNetPathCountsAtAnyway) {
  const std::map<FreeCounter, string_view> hooks = {
      {FreeCounter::rx_packets, "netif_receive_skb"}, {FreeCounter::tx_packets, "net_dev_queue"},
      {FreeCounter::net_rx_runs, "softirq_entry"},    {FreeCounter::net_tx_runs, "softirq_entry"},
      {FreeCounter::napi_polls, "napi_poll"},         {FreeCounter::drops, "kfree_skb"}};
  std::set<FreeCounter> used;
  for (const TableEntry& entry : function_table()) {
    if (entry.proxy.free == FreeCounter::none) continue;
    EXPECT_EQ(entry.proxy.tracepoint, hooks.at(entry.proxy.free)) << entry.names.front();
    EXPECT_TRUE(used.insert(entry.proxy.free).second) << entry.names.front() << " shares its counter";
  }
  EXPECT_EQ(used.size(), hooks.size());
}

TEST(FunctionTable, HooksNoTracepointForTwoFunctions) {
  // softirq_entry stands for two, but as two counters of one hook that is there anyway.
  std::set<string_view> hooked;
  for (const TableEntry& entry : function_table()) {
    if (entry.proxy.tracepoint.empty() || entry.proxy.free != FreeCounter::none) continue;
    EXPECT_TRUE(hooked.insert(entry.proxy.tracepoint).second) << entry.proxy.tracepoint;
  }
}

}  // namespace
}  // namespace nettoll
