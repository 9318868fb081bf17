// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/call_tree.h"

#include <algorithm>
#include <functional>
#include <span>

namespace nettoll {
namespace {

/// The costs of one event, stack by stack in order, with symbols as another table numbers them.
class StackCursor {
 public:
  StackCursor(const NamedStacks& costs, uint32_t event, std::vector<uint32_t> numbers)
      : costs_(costs), event_(event), numbers_(std::move(numbers)) {
    find_row();
  }

  bool at_end() const { return row_ == costs_.costs.size(); }
  std::span<const uint32_t> stack() const { return stack_; }
  const Estimate& cost() const { return costs_.costs[row_].cost; }
  void next() {
    ++row_;
    find_row();
  }

 private:
  void find_row() {
    while (!at_end() && costs_.costs[row_].event != event_) ++row_;
    if (at_end()) return;
    stack_.clear();
    for (const uint32_t frame : costs_.stacks[costs_.costs[row_].stack]) stack_.push_back(numbers_[frame]);
  }

  const NamedStacks& costs_;
  uint32_t event_;
  std::vector<uint32_t> numbers_;
  size_t row_ = 0;
  std::vector<uint32_t> stack_;
};

/// Both tables' symbols, sorted. Gives the numbers that they have in it; since both are sorted alike their
/// stacks stay in order.
void merge_symbols(const NamedStacks& one, const NamedStacks& other, CallTree& tree,
                   std::vector<uint32_t>& one_numbers, std::vector<uint32_t>& other_numbers) {
  size_t i = 0, j = 0;
  while (i < one.symbols.size() || j < other.symbols.size()) {
    const bool from_one =
        j == other.symbols.size() || (i < one.symbols.size() && one.symbols[i] <= other.symbols[j]);
    const bool from_other =
        i == one.symbols.size() || (j < other.symbols.size() && other.symbols[j] <= one.symbols[i]);
    const auto number = static_cast<uint32_t>(tree.symbols.size());
    tree.symbols.push_back(from_one ? one.symbols[i] : other.symbols[j]);
    tree.begins.push_back(from_one ? one.begins[i] : other.begins[j]);
    if (from_one) one_numbers.push_back(number), ++i;
    if (from_other) other_numbers.push_back(number), ++j;
  }
}

/// Adds stacks in order; each shares its first frames with the one before.
class TreeBuilder {
 public:
  explicit TreeBuilder(CallTree& tree) : tree_(tree) {}

  void add(std::span<const uint32_t> stack, const Estimate* now, const Estimate* before) {
    size_t shared = 0;
    while (shared < open_.size() && shared < stack.size() &&
           tree_.nodes[open_[shared]].symbol == stack[shared])
      ++shared;
    open_.resize(shared);
    for (size_t depth = shared; depth < stack.size(); ++depth) {
      CallNode node;
      node.symbol = stack[depth];
      node.depth = static_cast<uint32_t>(depth);
      if (depth > 0) node.parent = open_.back();
      open_.push_back(static_cast<uint32_t>(tree_.nodes.size()));
      tree_.nodes.push_back(node);
    }
    CallNode& leaf = tree_.nodes[open_.back()];
    if (now) leaf.now.self += now->value;
    if (before) leaf.before.self += before->value;
    for (const uint32_t place : open_) {
      if (now) add_to(tree_.nodes[place].now, *now);
      if (before) add_to(tree_.nodes[place].before, *before);
    }
    if (now) tree_.now_total += now->value;
    if (before) tree_.before_total += before->value;
  }

 private:
  static void add_to(CallCost& cost, const Estimate& more) {
    cost.total += more.value;
    cost.samples += more.samples;
  }

  CallTree& tree_;
  std::vector<uint32_t> open_;  ///< frames of the last stack
};

CallTree build(const NamedStacks& now, uint32_t event, const NamedStacks* before, uint32_t before_event) {
  CallTree tree;
  static const NamedStacks kNothing{{}, {}, {}, {}, {}, {0}};
  const NamedStacks& old = before ? *before : kNothing;
  if (!before) before_event = 0;
  std::vector<uint32_t> numbers, old_numbers;
  merge_symbols(now, old, tree, numbers, old_numbers);
  StackCursor one(now, event, std::move(numbers));
  StackCursor other(old, before_event, std::move(old_numbers));
  TreeBuilder builder(tree);
  while (!one.at_end() || !other.at_end()) {
    const auto a = one.stack(), b = other.stack();
    const auto order = one.at_end() ? std::strong_ordering::greater
                       : other.at_end()
                           ? std::strong_ordering::less
                           : std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
    builder.add(order <= 0 ? a : b, order <= 0 ? &one.cost() : nullptr, order >= 0 ? &other.cost() : nullptr);
    if (order <= 0) one.next();
    if (order >= 0) other.next();
  }
  const Estimate rest{now.unattributed[event], 0};
  const Estimate old_rest{old.unattributed[before_event], 0};
  if (rest.value > 0 || old_rest.value > 0) {
    const auto symbol = static_cast<uint32_t>(tree.symbols.size());
    tree.symbols.push_back({kNotSampledName, "", SymbolKind::unknown});
    tree.begins.emplace_back();
    builder.add(std::span(&symbol, 1), &rest, &old_rest);
  }
  return tree;
}

void prune_frames(CallTree& tree, size_t most) {
  const auto share = [&](const CallNode& node) {
    const double now = tree.now_total > 0 ? node.now.total / tree.now_total : 0;
    const double before = tree.before_total > 0 ? node.before.total / tree.before_total : 0;
    return std::max(now, before);
  };
  std::vector<double> shares;
  shares.reserve(tree.nodes.size());
  for (const CallNode& node : tree.nodes) shares.push_back(share(node));
  auto sorted = shares;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(most), sorted.end(),
                   std::greater<>());
  // A caller's share is no smaller, and it comes first: so no frame stays without its caller. Of frames that
  // are as small as the first that does not fit the first ones stay.
  const double limit = sorted[most];
  size_t room =
      most - static_cast<size_t>(std::ranges::count_if(shares, [&](double s) { return s > limit; }));
  std::vector<uint32_t> place(tree.nodes.size());
  std::vector<CallNode> kept;
  kept.reserve(most);
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    CallNode node = tree.nodes[i];
    if (shares[i] > limit || (shares[i] == limit && room > 0)) {
      if (shares[i] == limit) --room;
      place[i] = static_cast<uint32_t>(kept.size());
      if (node.parent != CallNode::kNoParent) node.parent = place[node.parent];
      kept.push_back(node);
      continue;
    }
    ++tree.pruned;
    tree.pruned_self += node.now.self;
    tree.pruned_before_self += node.before.self;
  }
  tree.nodes = std::move(kept);
}

void drop_unused_symbols(CallTree& tree) {
  std::vector<uint8_t> used(tree.symbols.size());
  for (const CallNode& node : tree.nodes) used[node.symbol] = 1;
  std::vector<uint32_t> place(tree.symbols.size());
  uint32_t kept = 0;
  for (uint32_t i = 0; i < tree.symbols.size(); ++i) {
    if (!used[i]) continue;
    place[i] = kept;
    std::swap(tree.symbols[kept], tree.symbols[i]);
    std::swap(tree.begins[kept], tree.begins[i]);
    ++kept;
  }
  tree.symbols.resize(kept);
  tree.begins.resize(kept);
  for (CallNode& node : tree.nodes) node.symbol = place[node.symbol];
}

}  // namespace

CallTree call_tree(const NamedStacks& now, uint32_t event) {
  return build(now, event, nullptr, 0);
}

CallTree call_tree(const NamedStacks& now, uint32_t event, const NamedStacks& before, uint32_t before_event) {
  return build(now, event, &before, before_event);
}

void prune(CallTree& tree, size_t most) {
  if (tree.nodes.size() > most) prune_frames(tree, most);
  drop_unused_symbols(tree);
}

}  // namespace nettoll
