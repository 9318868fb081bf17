// SPDX-License-Identifier: Apache-2.0
// Call chains: who called a function, and what it called, as trees with what each branch took.
//
// The arithmetic is perf report's (tools/perf/util/callchain.c and hist.c), so that branches agree with it to
// the last shown digit: a sample stands once under a function, whole; branches below the limit go with all
// that is under them; the limit is the floor of its percent of the event's total.
//
// A tree is made from the top: the chains that are left are divided by their next function, and only parts
// that reach the limit are divided further. So the cost is that of what is shown, not of all there is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// A function in a tree with all chains that came through it.
struct ChainNode {
  uint32_t symbol = 0;
  Estimate cost;
  std::vector<ChainNode> children;  ///< that reach the limit, largest first
};

/// Which chains stand under a function.
enum class ChainScope : uint8_t {
  leaf_from_caller,  ///< samples in the function itself, from the outermost caller inwards
  leaf_from_callee,  ///< the same, from the function outwards
  callers,           ///< all samples with it: outwards from where it stands innermost
  callees,           ///< all samples with it: inwards from where it stands outermost
  /// What perf report --children has: samples in the function itself from the outermost caller, all others
  /// as `callees`.
  children,
};

/// The stacks of one event, ready to be asked for trees.
class Chains {
 public:
  /// Frames further from where a tree begins than this belong to their parent (kernels record 127).
  static constexpr uint32_t kDeepest = 512;

  /// `weights` as sample_weights() gives them; `first` as first_of_each_symbol() does, and must outlive this,
  /// as the profile must. Only the functions in `wanted` (by first symbol) can be asked for.
  Chains(const Profile& profile, std::span<const double> weights, std::span<const uint32_t> first,
         uint32_t event, const std::vector<bool>& wanted);

  /// The trees of a function; their branches have at least `least` events.
  std::vector<ChainNode> of(uint32_t symbol, ChainScope scope, double least);

 private:
  /// A stack that holds a wanted function.
  struct Place {
    uint32_t stack;
    uint32_t innermost;  ///< frame where the function stands
    uint32_t outermost;
  };
  /// A chain that is partly walked and has not ended.
  struct Rest {
    const uint32_t* next;
    double weight;
    uint32_t samples;
    uint32_t left;  ///< frames, the next included
  };
  /// Chains beside one another in rests_.
  struct Run {
    size_t begin;
    size_t end;
  };
  /// Chains of a run with the same next function.
  struct Group {
    uint32_t symbol = 0;
    uint32_t going_on = 0;  ///< that do not end with it
    Estimate cost;
  };
  struct Walk {
    int step;  ///< to the next frame
    double least;
  };

  /// Never makes rests_ smaller: what is in it is written before it is read.
  void make_room(size_t rests) {
    if (rests_.size() < rests) rests_.resize(rests);
  }
  /// Puts a function's chains at the begin of rests_; gives how many.
  size_t start(uint32_t symbol, ChainScope scope, bool inwards);
  std::vector<Group> groups_of(const Run& run);
  /// From `top` on nothing in rests_ is in use.
  std::vector<ChainNode> divide(Run run, size_t top, const Walk& walk, uint32_t depth);

  const Profile& profile_;
  std::span<const uint32_t> first_;
  std::vector<double> weight_;      ///< by stack
  std::vector<uint32_t> samples_;   ///< by stack
  std::vector<Place> places_;       ///< by function
  std::vector<uint32_t> begins_;    ///< of a function's run in places_, by symbol
  std::vector<Rest> rests_;         ///< a stack of runs: branches' lie above their parents'
  std::vector<uint32_t> group_of_;  ///< scratch, by symbol: 1 + its group
};

/// Sorts a branch's children, largest first; among equals by symbol.
void sort_children(std::vector<ChainNode>& nodes);

/// The least cost that a branch of `percent` of `total` has: perf's floor.
double least_of(double percent, double total);

}  // namespace nettoll
