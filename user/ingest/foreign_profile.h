// SPDX-License-Identifier: Apache-2.0
// The common end of all readers: symbols, stacks and rows become a Profile.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ingest/code_names.h"
#include "ingest/stack_tally.h"
#include "model/profile.h"

namespace nettoll {

/// CPU of rows that do not say theirs.
inline constexpr uint32_t kRowWithoutCpu = UINT32_MAX;

/// Builds one profile of a foreign capture.
class ForeignProfile {
 public:
  /// `stored_bytes` bound the tables of later stages, which are events by CPUs and events by functions.
  explicit ForeignProfile(uint64_t stored_bytes);

  /// A frame's symbol. Where it has no name, `place` stands for it, and the cause is kept.
  uint32_t add_name(CodeName name, const Symbol& place);
  /// Bytes held.
  uint64_t memory_bytes() const { return memory_; }

  /// Makes the profile. The stacks are of symbols that add_name() gave, innermost first; events are places in
  /// the session's, CPUs are real or kRowWithoutCpu.
  Profile finish(Session session, Foreign foreign, StackTally& tally) &&;

 private:
  void count_unnamed(Profile& profile) const;
  void bound_events(Profile& profile) const;
  void place_on_cpus(Profile& profile) const;

  uint64_t bound_;
  /// A place without a name that has several causes is several symbols here; the join makes them one.
  std::map<std::pair<Symbol, std::optional<UnnamedCause>>, uint32_t> numbers_;
  std::vector<Symbol> symbols_;
  std::vector<std::optional<UnnamedCause>> causes_;  ///< by symbol
  uint64_t memory_ = 0;
};

}  // namespace nettoll
