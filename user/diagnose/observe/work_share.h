// SPDX-License-Identifier: Apache-2.0
// The common form of observations: some work is so large a part of network or of kernel time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/observe/limits.h"
#include "diagnose/observe/sight.h"
#include "diagnose/rule.h"

namespace nettoll {

/// Says of a stack whether it is the work in question.
using Holds = std::function<bool(uint32_t stack)>;
/// The symbol that a stack is listed under; empty for none.
using ListedUnder = std::function<std::optional<uint32_t>(uint32_t stack)>;

/// Stacks with such a frame before an interrupt breaks them off, or with such an innermost frame.
Holds in_stack(const Sight& sight, Works works);
Holds at_leaf(const Sight& sight, Works works);

/// The innermost function; the first above the innermost of `works` that has none of them nor of `between`.
ListedUnder leaf(const Sight& sight);
ListedUnder caller_of(const Sight& sight, Works works, Works between = {});

struct WorkShare {
  enum class Of : uint8_t {
    network,  ///< network time alone
    either,   ///< network time, else all kernel time
    kernel,   ///< kernel time alone
  };
  Of of = Of::network;
  limit::Limit limit{};
  Holds holds;
  std::string what;  ///< begins the condition: "walking filter rules"
  std::string explanation;
  std::vector<std::string> remedy;
  std::string list;  ///< what the listed functions are: "called by"
  ListedUnder listed_under;
};

/// Finds the work where it is surely above the limit.
void judge(const Sight& sight, Verdict& verdict, const WorkShare& work);

/// How sure a share of so many samples is, by itself; adds the reason where it is not high.
void set_confidence(Finding& finding, uint64_t samples_of_whole);

/// A share as evidence.
Evidence evidence_of(std::string what, const Share& share);

/// The largest of what stacks are listed under, as shares of a whole, those with too few samples left out.
std::vector<Evidence> largest(const Sight& sight, uint32_t event, const Holds& holds, const std::string& list,
                              const ListedUnder& listed_under, bool of_network);

/// Called "cycles of network work", "kernel time (cpu-clock)": the whole that shares are of.
std::string whole_name(const Sight& sight, uint32_t event, bool of_network);

}  // namespace nettoll
