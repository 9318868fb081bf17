// SPDX-License-Identifier: Apache-2.0
#include "collect/btf_facts.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "base/unique_fd.h"
#include "collect/btf_drop_reasons.h"

namespace nettoll {
namespace {

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
  return nettoll::drop_reason_argument(btf_.get());
}

uint32_t BtfFacts::drop_socket_argument() const {
  return nettoll::drop_socket_argument(btf_.get());
}

DropReasonNames BtfFacts::drop_reasons() {
  DropReasonNames names;
  add_drop_reasons(btf_.get(), names);
  for (const char* name : kDropReasonModules) {
    if (const ModuleBtf* of_module = module(name)) add_drop_reasons(of_module->btf.get(), names);
  }
  return names;
}

}  // namespace nettoll
