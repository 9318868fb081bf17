// SPDX-License-Identifier: Apache-2.0
// RawBatch to Profile: addresses become names.
//
// A batch of 120,000 sample rows and 50,000 stacks of 25 frames is named in some milliseconds: each frame is
// one probe of an address cache, and text is touched only for an address that was not seen since the last
// reload. bench_symbolizer measures it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/kernel_fs.h"
#include "model/drop_reasons.h"
#include "model/profile.h"
#include "model/raw_batch.h"
#include "symbolize/address_namer.h"
#include "symbolize/kernel_symbols.h"
#include "symbolize/own_code.h"
#include "symbolize/reload_policy.h"

namespace nettoll {

/// Reason, function and protocol of the drops that found no room in the kernel's table of kinds.
inline constexpr const char* kOtherDrops = "other";

/// What happened to the symbol table since the start.
struct SymbolizerStats {
  uint64_t reloads = 0;         ///< times that /proc/kallsyms was read again
  uint64_t failed_reloads = 0;  ///< of them, times that it could not be; the old table stayed
  uint64_t unknown_frames = 0;  ///< frames of distinct stacks that no symbol covered
};

/// Names the addresses of one batch after the other. Rules:
/// - Frame 0 is where the CPU was; other frames are return addresses and are looked up one byte earlier, but
///   those below a frame that frame_below_is_exact().
/// - A function and its compiler-made parts are one symbol, under base_name().
/// - A BPF program is its own name in module "bpf", without tag; without a name it keeps the tag.
/// - What our own programs cost is the one symbol kOwnCostName (own_frames.h has the rules).
/// - A drop's location is a return address unless it is a function's first byte.
/// - Stacks, sample rows and drops that become equal by naming are summed.
/// - Profile::symbols holds the symbols of this batch only, in order of first use.
class Symbolizer {
 public:
  /// `symbols` is the table to start with (KernelSymbols::load); `fs` is where later ones are read.
  Symbolizer(KernelFs fs, KernelSymbols symbols, DropReasonNames names, Session session, OwnCode own = {});

  /// Names one batch. `wall_start_ns` is CLOCK_REALTIME at its start. Never fails: where /proc/kallsyms
  /// cannot be read again the old table serves and stats() says so.
  Profile symbolize(RawBatch batch, uint64_t wall_start_ns);

  /// Replaces what is told of the session, and the names of drop reasons: functions and subsystems come and
  /// go with modules.
  void set_session(Session session, DropReasonNames names);
  /// Replaces what is recognised as our own code.
  void set_own_code(OwnCode own);
  /// Replaces the programs alone.
  void set_own_programs(const std::vector<std::string>& kallsyms_names);
  /// Asks for a reload before the next batch, within the rate limit: for a caller that learned that code came
  /// or went (PERF_RECORD_KSYMBOL, a program loaded). Needed where a new program takes the place of an old
  /// one because then no lookup misses.
  void request_reload() { reload_requested_ = true; }

  const KernelSymbols& kernel_symbols() const { return symbols_; }
  const SymbolizerStats& stats() const { return stats_; }

 private:
  std::string read_modules() const;
  bool reload();
  void refresh(const RawBatch& batch);
  size_t map_addresses(const RawBatch& batch);
  void learn_trampolines(std::span<const uint32_t> stack);
  void name_samples(RawBatch& batch, Profile& profile);

  KernelFs fs_;
  KernelSymbols symbols_;
  DropReasonNames reason_names_;
  Session session_;
  OwnCodeNames own_;
  AddressNamer namer_;
  ReloadPolicy policy_;
  std::string modules_;  ///< module_fingerprint() of the loaded table
  bool reload_requested_ = false;
  SymbolizerStats stats_;
  // The batch at hand as symbol numbers; members for their capacity.
  std::vector<uint32_t> frames_;
  std::vector<uint32_t> locations_;
};

}  // namespace nettoll
