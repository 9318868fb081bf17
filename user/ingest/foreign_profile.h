// SPDX-License-Identifier: Apache-2.0
// The common end of all readers: symbols, stacks and rows become a Profile.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
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

  /// A place without a name that has several causes is several symbols here; the join makes them one.
  struct Named {
    Symbol symbol;
    std::optional<UnnamedCause> cause;
    bool operator==(const Named&) const = default;
  };
  struct NamedHash {
    size_t operator()(const Named& key) const {
      const std::hash<std::string> hash;
      const auto kinds =
          static_cast<size_t>(key.symbol.kind) << 8 | (key.cause ? 1 + static_cast<size_t>(*key.cause) : 0);
      return (hash(key.symbol.name) * 31 + hash(key.symbol.module)) * 31 + kinds;
    }
  };

  uint64_t bound_;
  std::unordered_map<Named, uint32_t, NamedHash> numbers_;
  std::vector<Symbol> symbols_;
  std::vector<std::optional<UnnamedCause>> causes_;  ///< by symbol
  uint64_t memory_ = 0;
};

}  // namespace nettoll
