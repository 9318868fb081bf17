// SPDX-License-Identifier: Apache-2.0
// Address to Symbol, each address looked up once.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/function.h"
#include "symbolize/address_cache.h"
#include "symbolize/kernel_symbols.h"
#include "symbolize/own_code.h"

namespace nettoll {

/// The name of frames that are kGuestFrame; its kind is user: code that is not looked into.
inline constexpr const char* kGuestName = "[guest]";

/// Turns addresses into numbered symbols as a reader should see them: base names, BPF programs without tag,
/// all of our programs as one, and all of another nettoll's. Numbers stay until reset().
class AddressNamer {
 public:
  // Symbols that are no address's name.
  static constexpr uint32_t kUnknown = 0;
  static constexpr uint32_t kUser = 1;
  static constexpr uint32_t kGuest = 2;
  static constexpr uint32_t kOwn = 3;
  static constexpr uint32_t kOther = 4;

  AddressNamer() { reset(); }

  /// The symbol of a frame of a stack. `symbols` and `own` are asked where the address is new. A frame that
  /// is not `exact` is a return address and looked up one byte earlier, for a call may be the last thing in a
  /// function.
  uint32_t number_of_frame(uint64_t frame, bool exact, const KernelSymbols& symbols,
                           const OwnCodeNames& own) {
    if (frame < kFirstPage) return number_of_mark(frame);
    const uint64_t address = exact ? frame : frame - 1;
    const uint32_t cached = cache_.find(address);
    return cached != AddressCache::kAbsent ? cached : look_up(address, symbols, own);
  }
  /// The symbol of a place that code names itself by: a return address, unless a function starts there.
  uint32_t number_of_location(uint64_t location, const KernelSymbols& symbols, const OwnCodeNames& own);

  const Symbol& symbol(uint32_t number) const { return symbols_[number]; }
  FrameRoles roles(uint32_t number) const { return roles_[number]; }
  /// frame_below_is_exact() of a symbol.
  bool exact_below(uint32_t number) const { return exact_below_[number]; }
  /// Marks a trampoline as one of ours.
  void mark_own_trampoline(uint32_t number) {
    roles_[number] = static_cast<FrameRoles>((roles_[number] & ~kForeignHook) | kOwnHook);
  }
  size_t size() const { return symbols_.size(); }
  size_t cached_addresses() const { return cache_.size(); }
  /// Forgets all addresses and numbers.
  void reset();

 private:
  /// No kernel has code there: what is below is a mark such as kUserFrame.
  static constexpr uint64_t kFirstPage = 4096;

  static uint32_t number_of_mark(uint64_t frame);
  uint32_t look_up(uint64_t address, const KernelSymbols& symbols, const OwnCodeNames& own);
  uint32_t number_of_symbol(Symbol symbol, FrameRoles roles);

  AddressCache cache_;
  std::vector<Symbol> symbols_;
  std::vector<FrameRoles> roles_;
  std::vector<bool> exact_below_;
  std::map<Symbol, uint32_t> numbers_;
};

/// The symbol that a reader sees for a function that is not ours.
Symbol readable_symbol(const Hit& hit);

}  // namespace nettoll
