// SPDX-License-Identifier: Apache-2.0
#include "ingest/frame_namer.h"

#include "ingest/module_path.h"
#include "model/exact_frame.h"

namespace nettoll {

uint32_t FrameNamer::add(uint8_t mode, uint32_t space, uint64_t address, bool leaf) {
  place_ = {kUnknownName, "", SymbolKind::unknown};
  CodeName name = UnnamedCause::no_mapping;
  switch (mode) {
    case perf::kModeKernel:
      name = kernel(space, address);
      break;
    case perf::kModeUser:
      name = user(space, address, leaf);
      break;
    case perf::kModeHypervisor:
      place_.module = "[hypervisor]";
      name = UnnamedCause::guest;
      break;
    case perf::kModeGuestKernel:
    case perf::kModeGuestUser:
      place_.module = "[guest]";
      name = UnnamedCause::guest;
      break;
    default:
      break;
  }
  const auto* symbol = std::get_if<Symbol>(&name);
  const bool exact_below = symbol && frame_below_is_exact(*symbol);
  const uint32_t number = profile_.add_name(std::move(name), place_);
  if (number >= exact_below_.size()) exact_below_.resize(number + 1);
  exact_below_[number] = exact_below;
  return number;
}

CodeName FrameNamer::kernel(uint32_t space, uint64_t address) {
  std::string module;
  if (const CodeMapping* mapping = spaces_.find(space, address)) {
    const MappedFile& file = spaces_.file(mapping->file);
    if (file.symbol) return Symbol{file.path, "bpf", SymbolKind::bpf};
    module = module_of_path(file.path);
  }
  place_ = {kUnknownName, module.empty() ? kVmlinux : module, SymbolKind::kernel};
  return names_.kernel(address, module);
}

CodeName FrameNamer::user(uint32_t space, uint64_t address, bool leaf) {
  place_.kind = SymbolKind::user;
  const CodeMapping* mapping = spaces_.find(space, address);
  if (!mapping) return !leaf && !spaces_.empty(space) ? UnnamedCause::broken_chain : UnnamedCause::no_mapping;
  const MappedFile& file = spaces_.file(mapping->file);
  place_.module = file.path;
  if (is_no_file(file.path)) return UnnamedCause::generated;
  return names_.user(file, address - mapping->start + mapping->file_offset);
}

}  // namespace nettoll
