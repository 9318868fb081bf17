// SPDX-License-Identifier: Apache-2.0
#include "collect/btf_drop_reasons.h"

#include <bpf/btf.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace nettoll {
namespace {

/// `name` with a common prefix removed.
std::string without_prefix(std::string_view name, std::string_view prefix) {
  return std::string(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Calls `take` with the name and value of each enumerator of the enum `name`; nothing where there is no such
/// enum.
template <typename Take>
void for_each_enumerator(const struct btf* btf, const char* name, Take take) {
  int id = btf__find_by_name_kind(btf, name, BTF_KIND_ENUM);
  if (id < 0) id = btf__find_by_name_kind(btf, name, BTF_KIND_ENUM64);
  if (id < 0) return;
  const btf_type* type = btf__type_by_id(btf, static_cast<uint32_t>(id));
  const int count = btf_vlen(type);
  for (int i = 0; i < count; ++i) {
    if (btf_is_enum(type)) {
      const struct btf_enum& e = btf_enum(type)[i];
      take(std::string_view(btf__str_by_offset(btf, e.name_off)), static_cast<uint32_t>(e.val));
    } else {
      const struct btf_enum64& e = btf_enum64(type)[i];
      take(std::string_view(btf__str_by_offset(btf, e.name_off)), e.val_lo32);
    }
  }
}

std::string_view name_of(const struct btf* btf, const btf_type* type) {
  return btf__str_by_offset(btf, type->name_off);
}

/// The number of the argument of skb:kfree_skb that `is` accepts, counted from 0 (the skb); 0 where there is
/// none.
template <typename Is>
uint32_t drop_argument(const struct btf* vmlinux, Is is) {
  // typedef void (*btf_trace_kfree_skb)(void *, struct sk_buff *, void *location[, enum skb_drop_reason][,
  // ...]);
  const int id = btf__find_by_name_kind(vmlinux, "btf_trace_kfree_skb", BTF_KIND_TYPEDEF);
  if (id < 0) return 0;
  const btf_type* pointer =
      btf__type_by_id(vmlinux, btf__type_by_id(vmlinux, static_cast<uint32_t>(id))->type);
  if (!pointer || !btf_is_ptr(pointer)) return 0;
  const btf_type* proto = btf__type_by_id(vmlinux, pointer->type);
  if (!proto || !btf_is_func_proto(proto)) return 0;
  for (uint32_t i = 1; i < btf_vlen(proto); ++i) {
    const btf_type* type = btf__type_by_id(vmlinux, btf_params(proto)[i].type);
    if (type && is(type)) return i - 1;
  }
  return 0;
}

}  // namespace

uint32_t drop_reason_argument(const struct btf* vmlinux) {
  return drop_argument(vmlinux, [&](const btf_type* type) {
    return btf_is_any_enum(type) && name_of(vmlinux, type) == "skb_drop_reason";
  });
}

uint32_t drop_socket_argument(const struct btf* vmlinux) {
  return drop_argument(vmlinux, [&](const btf_type* type) {
    if (!btf_is_ptr(type)) return false;
    const btf_type* target = btf__type_by_id(vmlinux, type->type);
    return target && btf_is_struct(target) && name_of(vmlinux, target) == "sock";
  });
}

void add_drop_reasons(const struct btf* btf, DropReasonNames& names) {
  // SKB_CONSUMED and SKB_NOT_DROPPED_YET keep what tells them from SKB_DROP_REASON_*.
  for_each_enumerator(btf, "skb_drop_reason", [&](std::string_view name, uint32_t value) {
    if (name == "SKB_DROP_REASON_MAX" || name == "SKB_DROP_REASON_SUBSYS_MASK") return;
    names.reasons.emplace(value, without_prefix(without_prefix(name, "SKB_DROP_REASON_"), "SKB_"));
  });
  for_each_enumerator(btf, "skb_drop_reason_subsys", [&](std::string_view name, uint32_t value) {
    if (name == "SKB_DROP_REASON_SUBSYS_NUM") return;
    names.subsystems.emplace(value, lower(without_prefix(name, "SKB_DROP_REASON_SUBSYS_")));
  });
  // Subsystems keep enums of their own, whose values hold the subsystem in the high 16 bits.
  constexpr struct {
    const char* type;
    const char* prefix;
  } kSubsystemEnums[] = {
      {"mac80211_drop_reason", "RX_DROP_U_"},
      {"___mac80211_drop_reason", "___RX_DROP_"},
      {"ovs_drop_reason", "OVS_DROP_"},
      {"qdisc_drop_reason", "QDISC_DROP_"},
  };
  for (const auto& e : kSubsystemEnums) {
    for_each_enumerator(btf, e.type, [&](std::string_view name, uint32_t value) {
      if (value >> 16 && !name.ends_with("_MAX"))
        names.reasons.emplace(value, without_prefix(name, e.prefix));
    });
  }
}

}  // namespace nettoll
