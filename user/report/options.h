// SPDX-License-Identifier: Apache-2.0
// What the reader of a report may choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "model/finding.h"

namespace nettoll {

/// Where a tree of call chains begins: at the outermost caller, or at the function itself.
enum class ChainOrder : uint8_t { caller, callee };

/// What a table of shares has a row for.
enum class Grouping : uint8_t { cpu, module, path, comm };

struct ReportOptions {
  static constexpr size_t kTextLimit = 20;
  /// perf's own for call graphs.
  static constexpr double kChainPercent = 0.5;

  /// Rows of each table; 0 is all of them. Where not set: kTextLimit in text, all in JSON.
  std::optional<size_t> limit{};
  /// Functions whose part of every event is below this many percent are left out: their own part, or where
  /// `children` rules, that with all they call.
  double percent_limit = 0;
  /// Functions by what they took with all that they call, not by their own part.
  bool children = false;
  /// Whether functions come with their call chains, and from which end.
  std::optional<ChainOrder> chains{};
  /// Branches of a tree below this many percent of the event are left out.
  double chain_percent = kChainPercent;
  /// Only one tree: who called this function, or what it called. "" is none.
  std::string callers{};
  std::string callees{};
  /// Only one table of shares.
  std::optional<Grouping> by{};
  /// Columns of the terminal that shows it; empty where it is none: lines are then as long as they need.
  std::optional<size_t> terminal{};
  /// Which samples the profile was cut down to, a person's words; "" where it holds all.
  std::string selection{};
  /// What an analyst would say of it; null where nobody was asked.
  const Diagnosis* observations = nullptr;

  /// Whether the reader asks for one table or tree instead of the report.
  bool focused() const { return by || !callers.empty() || !callees.empty(); }
};

}  // namespace nettoll
