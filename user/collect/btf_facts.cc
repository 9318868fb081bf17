// SPDX-License-Identifier: Apache-2.0
#include "collect/btf_facts.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include <algorithm>

#include "base/unique_fd.h"

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

/// The names of all BTF objects of modules, with their ids (since 5.11).
template <typename Take>
void for_each_module_btf(Take take) {
  uint32_t id = 0;
  while (bpf_btf_get_next_id(id, &id) == 0) {
    const UniqueFd fd(bpf_btf_get_fd_by_id(id));
    if (!fd) continue;  // gone meanwhile
    char name[64] = {};
    bpf_btf_info info = {};
    info.name = reinterpret_cast<uint64_t>(name);
    info.name_len = sizeof(name);
    uint32_t size = sizeof(info);
    if (bpf_obj_get_info_by_fd(fd.get(), &info, &size) != 0) continue;
    if (info.kernel_btf && std::string_view(name) != kVmlinux) take(std::string(name), id);
  }
}

std::optional<uint32_t> find_function(const struct btf* btf, std::string_view name) {
  const int id = btf__find_by_name_kind(btf, std::string(name).c_str(), BTF_KIND_FUNC);
  return id > 0 ? std::optional(static_cast<uint32_t>(id)) : std::nullopt;
}

}  // namespace

void BtfFacts::Free::operator()(struct btf* btf) const {
  btf__free(btf);
}

Result<BtfFacts> BtfFacts::load() {
  struct btf* btf = btf__load_vmlinux_btf();
  if (!btf) {
    // libbpf says ESRCH where none of the places that it knows has it.
    return system_error("cannot read the kernel's BTF (/sys/kernel/btf/vmlinux)",
                        errno == ESRCH ? ENOENT : errno,
                        "nettoll needs a kernel built with CONFIG_DEBUG_INFO_BTF=y");
  }
  return BtfFacts(btf);
}

const BtfFacts::ModuleBtf* BtfFacts::module(std::string_view name) {
  if (!listed_) {
    for_each_module_btf([&](std::string module, uint32_t id) { modules_[std::move(module)].object = id; });
    listed_ = true;
  }
  const auto found = modules_.find(name);
  if (found == modules_.end()) return nullptr;
  ModuleBtf& module = found->second;
  if (!module.btf) module.btf.reset(btf__load_from_kernel_by_id_split(module.object, btf_.get()));
  return module.btf ? &module : nullptr;
}

std::optional<BtfTarget> BtfFacts::function(std::string_view name, std::string_view in) {
  if (in == kVmlinux) {
    const auto id = find_function(btf_.get(), name);
    return id ? std::optional(BtfTarget{0, *id}) : std::nullopt;
  }
  const ModuleBtf* of_module = module(in);
  const auto id = of_module ? find_function(of_module->btf.get(), name) : std::nullopt;
  // A split BTF finds the functions of vmlinux, too.
  if (!id || *id < btf__type_cnt(btf_.get())) return std::nullopt;
  return BtfTarget{of_module->object, *id};
}

bool BtfFacts::has_tracepoint(std::string_view name) const {
  return btf__find_by_name_kind(btf_.get(), fmt::format("btf_trace_{}", name).c_str(), BTF_KIND_TYPEDEF) > 0;
}

uint32_t BtfFacts::drop_reason_argument() const {
  // typedef void (*btf_trace_kfree_skb)(void *, struct sk_buff *, void *location[, enum skb_drop_reason][,
  // ...]);
  const int id = btf__find_by_name_kind(btf_.get(), "btf_trace_kfree_skb", BTF_KIND_TYPEDEF);
  if (id < 0) return 0;
  const btf_type* pointer =
      btf__type_by_id(btf_.get(), btf__type_by_id(btf_.get(), static_cast<uint32_t>(id))->type);
  if (!pointer || !btf_is_ptr(pointer)) return 0;
  const btf_type* proto = btf__type_by_id(btf_.get(), pointer->type);
  if (!proto || !btf_is_func_proto(proto)) return 0;
  for (uint32_t i = 1; i < btf_vlen(proto); ++i) {
    const btf_type* type = btf__type_by_id(btf_.get(), btf_params(proto)[i].type);
    const std::string_view name = type ? btf__str_by_offset(btf_.get(), type->name_off) : "";
    if (type && btf_is_any_enum(type) && name == "skb_drop_reason") return i - 1;
  }
  return 0;
}

DropReasonNames BtfFacts::drop_reasons() {
  DropReasonNames names;
  // SKB_CONSUMED and SKB_NOT_DROPPED_YET keep what tells them from SKB_DROP_REASON_*.
  for_each_enumerator(btf_.get(), "skb_drop_reason", [&](std::string_view name, uint32_t value) {
    if (name == "SKB_DROP_REASON_MAX" || name == "SKB_DROP_REASON_SUBSYS_MASK") return;
    names.reasons.emplace(value, without_prefix(without_prefix(name, "SKB_DROP_REASON_"), "SKB_"));
  });
  for_each_enumerator(btf_.get(), "skb_drop_reason_subsys", [&](std::string_view name, uint32_t value) {
    if (name == "SKB_DROP_REASON_SUBSYS_NUM") return;
    names.subsystems.emplace(value, lower(without_prefix(name, "SKB_DROP_REASON_SUBSYS_")));
  });
  // Subsystems keep enums of their own, whose values hold the subsystem in the high 16 bits; some are
  // modules.
  constexpr struct {
    const char* type;
    const char* prefix;
    const char* module;
  } kSubsystemEnums[] = {
      {"mac80211_drop_reason", "RX_DROP_U_", "mac80211"},
      {"___mac80211_drop_reason", "___RX_DROP_", "mac80211"},
      {"ovs_drop_reason", "OVS_DROP_", "openvswitch"},
      {"qdisc_drop_reason", "QDISC_DROP_", ""},
  };
  for (const auto& e : kSubsystemEnums) {
    const auto take = [&](std::string_view name, uint32_t value) {
      if (value >> 16 && !name.ends_with("_MAX"))
        names.reasons.emplace(value, without_prefix(name, e.prefix));
    };
    for_each_enumerator(btf_.get(), e.type, take);
    if (const ModuleBtf* of_module = module(e.module))
      for_each_enumerator(of_module->btf.get(), e.type, take);
  }
  return names;
}

}  // namespace nettoll
