// SPDX-License-Identifier: Apache-2.0
#include "symbolize/address_namer.h"

#include <utility>

#include "model/exact_frame.h"
#include "model/raw_batch.h"
#include "symbolize/symbol_names.h"

namespace nettoll {
Symbol readable_symbol(const Hit& hit) {
  std::string_view name = hit.name;
  if (hit.kind == SymbolKind::bpf) {
    if (const auto program = parse_bpf_program(name); program && !program->name.empty()) name = program->name;
  } else {
    name = base_name(name);
  }
  return {std::string(name), std::string(hit.module), hit.kind};
}

void AddressNamer::reset() {
  cache_.clear();
  symbols_ = {{kUnknownName, "", SymbolKind::unknown},
              {kUserName, "", SymbolKind::user},
              {kGuestName, "", SymbolKind::user},
              {kOwnCostName, "", SymbolKind::own},
              {kOtherNettollName, "bpf", SymbolKind::bpf}};
  roles_ = {0, 0, 0, kOwnProgram, kForeignProgram | kOtherNettoll};
  exact_below_.assign(symbols_.size(), false);
  numbers_.clear();
}

uint32_t AddressNamer::number_of_mark(uint64_t frame) {
  return frame == kUserFrame ? kUser : frame == kGuestFrame ? kGuest : kUnknown;
}

uint32_t AddressNamer::number_of_location(uint64_t location, const KernelSymbols& symbols,
                                          const OwnCodeNames& own) {
  const auto hit = symbols.find(location);
  return number_of_frame(location, hit && hit->start == location, symbols, own);
}

uint32_t AddressNamer::look_up(uint64_t address, const KernelSymbols& symbols, const OwnCodeNames& own) {
  uint32_t number = kUnknown;
  if (const auto hit = symbols.find(address)) {
    const FrameRoles roles = own.roles_of(*hit);
    number = (roles & kOwnProgram)     ? kOwn
             : (roles & kOtherNettoll) ? kOther
                                       : number_of_symbol(readable_symbol(*hit), roles);
  }
  cache_.insert(address, number);
  return number;
}

uint32_t AddressNamer::number_of_symbol(Symbol symbol, FrameRoles roles) {
  const auto next = static_cast<uint32_t>(symbols_.size());
  const auto [found, added] = numbers_.try_emplace(std::move(symbol), next);
  if (added) {
    symbols_.push_back(found->first);
    roles_.push_back(roles);
    exact_below_.push_back(frame_below_is_exact(found->first));
  }
  return found->second;
}

}  // namespace nettoll
