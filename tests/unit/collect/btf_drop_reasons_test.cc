// SPDX-License-Identifier: Apache-2.0
#include "collect/btf_drop_reasons.h"

#include <bpf/btf.h>
#include <gmock/gmock.h>

#include <memory>
#include <utility>
#include <vector>

namespace nettoll {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

struct Free {
  void operator()(struct btf* btf) const { btf__free(btf); }
};
using Btf = std::unique_ptr<struct btf, Free>;
using Values = std::vector<std::pair<const char*, int64_t>>;

/// The type's id.
int add_enum(const Btf& btf, const char* name, const Values& values) {
  const int id = btf__add_enum(btf.get(), name, 4);
  for (const auto& [value_name, value] : values)
    EXPECT_EQ(btf__add_enum_value(btf.get(), value_name, value), 0);
  return id;
}

void add_enum64(const Btf& btf, const char* name,
                const std::vector<std::pair<const char*, uint64_t>>& values) {
  EXPECT_GT(btf__add_enum64(btf.get(), name, 8, false), 0);
  for (const auto& [value_name, value] : values)
    EXPECT_EQ(btf__add_enum64_value(btf.get(), value_name, value), 0);
}

DropReasonNames names_in(const Btf& btf) {
  DropReasonNames names;
  add_drop_reasons(btf.get(), names);
  return names;
}

/// btf_trace_kfree_skb of parameters with these types, after the tracer's own pointer.
void add_kfree_skb(const Btf& btf, const std::vector<int>& types) {
  const int pointer = btf__add_ptr(btf.get(), 0);
  const int proto = btf__add_func_proto(btf.get(), 0);
  EXPECT_EQ(btf__add_func_param(btf.get(), nullptr, pointer), 0);
  for (const int type : types) EXPECT_EQ(btf__add_func_param(btf.get(), nullptr, type), 0);
  EXPECT_GT(btf__add_typedef(btf.get(), "btf_trace_kfree_skb", btf__add_ptr(btf.get(), proto)), 0);
}

TEST(DropReasons, NoneInAKernelWithoutThem) {
  const Btf btf(btf__new_empty());
  EXPECT_THAT(names_in(btf).reasons, IsEmpty());
  EXPECT_THAT(names_in(btf).subsystems, IsEmpty());
  add_enum(btf, "drop_reason", {{"SKB_DROP_REASON_NO_SOCKET", 3}});  // of another name
  EXPECT_THAT(names_in(btf).reasons, IsEmpty());
}

TEST(DropReasons, OfTheCore) {
  const Btf btf(btf__new_empty());
  add_enum(btf, "skb_drop_reason",
           {{"SKB_NOT_DROPPED_YET", 0},
            {"SKB_CONSUMED", 1},
            {"SKB_DROP_REASON_NOT_SPECIFIED", 2},
            {"SKB_DROP_REASON_NO_SOCKET", 3},
            {"SKB_DROP_REASON_MAX", 4},
            {"SKB_DROP_REASON_SUBSYS_MASK", static_cast<int32_t>(0xffff0000)}});
  EXPECT_THAT(names_in(btf).reasons, UnorderedElementsAre(Pair(0, "NOT_DROPPED_YET"), Pair(1, "CONSUMED"),
                                                          Pair(2, "NOT_SPECIFIED"), Pair(3, "NO_SOCKET")));
}

TEST(DropReasons, ValuesUseAll32Bits) {
  const Btf btf(btf__new_empty());
  add_enum(btf, "mac80211_drop_reason",
           {{"RX_QUEUED", 0},
            {"RX_CONTINUE", 1},
            {"RX_DROP_U_MIC_FAIL", 0x20001},
            {"RX_DROP_U_LAST", static_cast<int32_t>(0x8002ffff)}});
  // What is not in a subsystem is no reason to drop.
  EXPECT_THAT(names_in(btf).reasons,
              UnorderedElementsAre(Pair(0x20001, "MIC_FAIL"), Pair(0x8002ffffu, "LAST")));
}

TEST(DropReasons, Enums64) {
  const Btf btf(btf__new_empty());
  add_enum64(btf, "skb_drop_reason",
             {{"SKB_DROP_REASON_NO_SOCKET", 3}, {"SKB_DROP_REASON_SUBSYS_MASK", 0xffff0000}});
  add_enum64(btf, "qdisc_drop_reason", {{"QDISC_DROP_GENERIC", 0x40001}, {"QDISC_DROP_MAX", 0x40002}});
  EXPECT_THAT(names_in(btf).reasons, UnorderedElementsAre(Pair(3, "NO_SOCKET"), Pair(0x40001, "GENERIC")));
}

TEST(DropReasons, SubsystemsByName) {
  const Btf btf(btf__new_empty());
  add_enum(btf, "skb_drop_reason_subsys",
           {{"SKB_DROP_REASON_SUBSYS_CORE", 0},
            {"SKB_DROP_REASON_SUBSYS_MAC80211_UNUSABLE", 1},
            {"SKB_DROP_REASON_SUBSYS_OPENVSWITCH", 3},
            {"SKB_DROP_REASON_SUBSYS_NUM", 4}});
  EXPECT_THAT(names_in(btf).subsystems,
              UnorderedElementsAre(Pair(0, "core"), Pair(1, "mac80211_unusable"), Pair(3, "openvswitch")));
}

TEST(DropReasons, AModuleAddsItsOwn) {
  const Btf vmlinux(btf__new_empty());
  add_enum(vmlinux, "skb_drop_reason", {{"SKB_DROP_REASON_NO_SOCKET", 3}});
  const Btf module(btf__new_empty_split(vmlinux.get()));
  add_enum(module, "ovs_drop_reason",
           {{"__OVS_DROP_REASON", 0x30000}, {"OVS_DROP_LAST_ACTION", 0x30001}, {"OVS_DROP_MAX", 0x30002}});
  DropReasonNames names = names_in(vmlinux);
  EXPECT_THAT(names.reasons, UnorderedElementsAre(Pair(3, "NO_SOCKET")));
  add_drop_reasons(module.get(), names);
  EXPECT_THAT(names.reasons, UnorderedElementsAre(Pair(3, "NO_SOCKET"), Pair(0x30000, "__OVS_DROP_REASON"),
                                                  Pair(0x30001, "LAST_ACTION")));
}

TEST(DropReasons, WhatIsThereStays) {
  const Btf btf(btf__new_empty());
  add_enum(btf, "skb_drop_reason", {{"SKB_DROP_REASON_A", 7}, {"SKB_DROP_REASON_ALIAS_OF_A", 7}});
  EXPECT_THAT(names_in(btf).reasons, UnorderedElementsAre(Pair(7, "A")));
}

TEST(DropReasonArgument, ByType) {
  const auto argument = [](const std::vector<const char*>& types) {
    const Btf btf(btf__new_empty());
    std::vector<int> ids;
    for (const char* type : types)
      ids.push_back(*type ? add_enum(btf, type, {{"X", 1}}) : btf__add_ptr(btf.get(), 0));
    add_kfree_skb(btf, ids);
    return drop_reason_argument(btf.get());
  };
  EXPECT_EQ(argument({"", ""}), 0u);                            // 5.10: skb, location
  EXPECT_EQ(argument({"", "", "skb_drop_reason"}), 2u);         // 5.17
  EXPECT_EQ(argument({"", "", "skb_drop_reason", ""}), 2u);     // 6.11: and the receiving socket
  EXPECT_EQ(argument({"", "", "", "skb_drop_reason"}), 3u);     // were it moved
  EXPECT_EQ(argument({"", "", "skb_drop_reason_subsys"}), 0u);  // another enum
  EXPECT_EQ(drop_reason_argument(Btf(btf__new_empty()).get()), 0u);
}

TEST(DropSocketArgument, ByType) {
  const Btf btf(btf__new_empty());
  const int reason = add_enum(btf, "skb_drop_reason", {{"X", 1}});
  const int packet = btf__add_ptr(btf.get(), btf__add_struct(btf.get(), "sk_buff", 0));
  const int address = btf__add_ptr(btf.get(), 0);
  const int socket = btf__add_ptr(btf.get(), btf__add_struct(btf.get(), "sock", 0));
  add_kfree_skb(btf, {packet, address, reason, socket});
  EXPECT_EQ(drop_socket_argument(btf.get()), 3u);
  EXPECT_EQ(drop_reason_argument(btf.get()), 2u);
  const Btf older(btf__new_empty());
  add_kfree_skb(older, {btf__add_ptr(older.get(), 0), btf__add_ptr(older.get(), 0)});
  EXPECT_EQ(drop_socket_argument(older.get()), 0u);
}

TEST(DropReasonArgument, OddShapes) {
  const Btf no_pointer(btf__new_empty());
  btf__add_typedef(no_pointer.get(), "btf_trace_kfree_skb", btf__add_func_proto(no_pointer.get(), 0));
  EXPECT_EQ(drop_reason_argument(no_pointer.get()), 0u);
  const Btf no_function(btf__new_empty());
  btf__add_typedef(no_function.get(), "btf_trace_kfree_skb", btf__add_ptr(no_function.get(), 0));
  EXPECT_EQ(drop_reason_argument(no_function.get()), 0u);
}

}  // namespace
}  // namespace nettoll
