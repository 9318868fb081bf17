// SPDX-License-Identifier: Apache-2.0
#include "model/append_window.h"

#include <map>

namespace nettoll {
namespace {

template <typename Row>
void append(std::vector<Row>& to, const std::vector<Row>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The number in `sum` of each symbol of `next`.
std::vector<uint32_t> add_symbols(Profile& sum, const Profile& next) {
  std::map<Symbol, uint32_t> known;
  for (uint32_t i = 0; i < sum.symbols.size(); ++i) known.emplace(sum.symbols[i], i);
  std::vector<uint32_t> numbers;
  numbers.reserve(next.symbols.size());
  for (const Symbol& symbol : next.symbols) {
    const auto [at, is_new] = known.emplace(symbol, static_cast<uint32_t>(sum.symbols.size()));
    if (is_new) sum.symbols.push_back(symbol);
    numbers.push_back(at->second);
  }
  return numbers;
}

void add_samples(Profile& sum, const Profile& next) {
  const auto numbers = add_symbols(sum, next);
  const auto first = static_cast<uint32_t>(sum.stacks.size());
  std::vector<uint32_t> frames;
  for (size_t i = 0; i < next.stacks.size(); ++i) {
    frames.clear();
    for (const uint32_t symbol : next.stacks[i]) frames.push_back(numbers[symbol]);
    sum.stacks.add(frames);
  }
  for (StackSamples row : next.samples) {
    row.stack += first;
    sum.samples.push_back(row);
  }
}

/// Rows of one kind of drop become one: a table of drops shows each kind once.
void add_drops(std::vector<Drops>& to, const std::vector<Drops>& from) {
  for (const Drops& row : from) {
    Drops without_count = row;
    bool added = false;
    for (Drops& there : to) {
      without_count.packets = there.packets;
      if (!(without_count == there)) continue;
      there.packets += row.packets;
      added = true;
      break;
    }
    if (!added) to.push_back(row);
  }
}

}  // namespace

bool append_window(Profile& sum, const Profile& next) {
  if (!(sum.session == next.session)) return false;
  add_samples(sum, next);
  append(sum.counts, next.counts);
  append(sum.calls, next.calls);
  append(sum.packets, next.packets);
  append(sum.napi, next.napi);
  append(sum.queues, next.queues);
  append(sum.softirqs, next.softirqs);
  append(sum.losses, next.losses);
  add_drops(sum.drops, next.drops);
  sum.duration_ns += next.duration_ns;
  return true;
}

}  // namespace nettoll
