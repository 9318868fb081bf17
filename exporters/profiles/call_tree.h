// SPDX-License-Identifier: Apache-2.0
// Stacks of one or two profiles as one tree.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/named_stacks.h"

namespace nettoll {

/// What a frame took in one profile, with the frames that led to it.
struct CallCost {
  double self = 0;
  double total = 0;      ///< with all above
  uint64_t samples = 0;  ///< of `total`

  bool operator==(const CallCost&) const = default;
};

/// One frame of the tree.
struct CallNode {
  static constexpr uint32_t kNoParent = UINT32_MAX;

  uint32_t symbol = 0;
  uint32_t depth = 0;
  uint32_t parent = kNoParent;  ///< place in the tree; of a frame without a caller kNoParent
  CallCost now;
  CallCost before;

  bool operator==(const CallNode&) const = default;
};

/// Frames in the order of a walk: each before those that it called, which are sorted by name.
struct CallTree {
  std::vector<Symbol> symbols;
  std::vector<std::optional<Path>> begins;  ///< by symbol, as in NamedStacks
  std::vector<CallNode> nodes;
  double now_total = 0;  ///< the event's, also what is in no frame
  double before_total = 0;
  // What prune() took away.
  uint64_t pruned = 0;     ///< frames
  double pruned_self = 0;  ///< their own cost now
  double pruned_before_self = 0;
};

/// The stacks of an event as a tree; what is in no stack is a frame kNotSampledName without a caller.
CallTree call_tree(const NamedStacks& now, uint32_t event);

/// Two profiles over each other: a frame that only one has costs nothing in the other.
CallTree call_tree(const NamedStacks& now, uint32_t event, const NamedStacks& before, uint32_t before_event);

/// Leaves the `most` frames with the largest share of either profile, and says in the tree what went. Symbols
/// that no frame has, of other events or of what went, go too.
void prune(CallTree& tree, size_t most);

}  // namespace nettoll
