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
#include "model/profile.h"
#include "model/stack_merger.h"

namespace nettoll {

/// CPU of rows that do not say theirs.
inline constexpr uint32_t kRowWithoutCpu = UINT32_MAX;

/// Builds one profile of a foreign capture.
class ForeignProfile {
 public:
  /// `stored_bytes` bound the tables of later stages, which are events by CPUs and events by functions.
  ForeignProfile(Session session, Foreign foreign, uint64_t stored_bytes);

  /// Replaces the session, where it is known only at the end.
  void set_session(Session session, Foreign foreign) {
    session_ = std::move(session);
    foreign_ = std::move(foreign);
  }
  /// How much will come, at most. Call before the first stack.
  void expect(size_t stacks, size_t frames);
  /// A frame's symbol. Where it has no name, `place` stands for it, and the cause is kept.
  uint32_t add_name(CodeName name, const Symbol& place);
  /// A stack, innermost frame first.
  uint32_t add_stack(std::span<const uint32_t> stack);

  /// Makes the profile. The rows' events are places in the session's, their CPUs are real or kRowWithoutCpu.
  Profile finish(std::vector<StackSamples> rows) &&;

 private:
  void count_unnamed(Profile& profile) const;
  void bound_events(Profile& profile) const;
  void place_on_cpus(Profile& profile) const;

  Session session_;
  Foreign foreign_;
  uint64_t bound_;
  /// A place without a name that has several causes is several symbols here; the join makes them one.
  std::map<std::pair<Symbol, std::optional<UnnamedCause>>, uint32_t> numbers_;
  std::vector<Symbol> symbols_;
  std::vector<std::optional<UnnamedCause>> causes_;  ///< by symbol
  std::optional<StackMerger> stacks_;
};

}  // namespace nettoll
