// SPDX-License-Identifier: Apache-2.0
#include "diagnose/observe/sight.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace nettoll {
namespace {

bool is_kernel(const Symbol& symbol) {
  return symbol.kind == SymbolKind::kernel || symbol.kind == SymbolKind::bpf;
}

/// "cycles" of "cycles:k", "cpu-cycles", "cpu_core/cycles/u".
std::string_view plain_name(std::string_view name) {
  if (const size_t slash = name.find('/'); slash != name.npos) {
    name.remove_prefix(slash + 1);
    name = name.substr(0, name.find_first_of("/,"));
  }
  return name.substr(0, name.find(':'));
}

bool is_cycles(std::string_view name) {
  return name == "cycles" || name == "cpu-cycles";
}

bool is_clock(std::string_view name) {
  return name == "cpu-clock" || name == "task-clock";
}

bool is_cache_miss(std::string_view name) {
  if (name == "cache-misses") return true;
  constexpr std::string_view kCaches[] = {"LLC-", "L1-dcache-", "L2-", "l2_", "l3_", "node-"};
  return name.find("miss") != name.npos && std::any_of(std::begin(kCaches), std::end(kCaches),
                                                       [&](auto cache) { return name.starts_with(cache); });
}

}  // namespace

void Amount::add(const StackCost& row) {
  kernel.add(row);
  if (is_network(row.path)) network.add(row);
}

Sight::Sight(const Profile& profile, std::span<const StackCost> costs)
    : profile_(profile), wholes_(profile.session.events.size()) {
  works_.reserve(profile.symbols.size());
  std::transform(profile.symbols.begin(), profile.symbols.end(), std::back_inserter(works_), works_of);
  in_stack_.resize(profile.stacks.size());
  unbroken_.resize(profile.stacks.size());
  for (uint32_t stack = 0; stack < profile.stacks.size(); ++stack) {
    for (const uint32_t frame : profile.stacks[stack]) {
      const Works& works = works_[frame];
      // Softirq work that ends enables interrupts itself: at the innermost place that is work, not an entry.
      if (!is_kernel(profile.symbols[frame]) || (unbroken_[stack] > 0 && works.has(Work::interrupt))) break;
      in_stack_[stack].add(works);
      ++unbroken_[stack];
    }
  }
  for (const StackCost& row : costs) {
    const bool busy = row.path != Path::user && row.path != Path::idle && row.path != Path::own;
    if (!busy || unbroken_[row.stack] == 0) continue;
    rows_.push_back(row);
    wholes_[row.event].add(row);
  }
  choose_events();
}

std::span<const uint32_t> Sight::frames(uint32_t stack) const {
  return profile_.stacks[stack].first(unbroken_[stack]);
}

void Sight::choose_events() {
  const auto first = [&](auto is_one) {
    for (uint32_t event = 0; event < wholes_.size() && !time_; ++event) {
      if (wholes_[event].kernel.samples > 0 && is_one(plain_name(event_name(event)))) time_ = event;
    }
  };
  first(is_cycles);
  first(is_clock);
  for (uint32_t event = 0; event < wholes_.size(); ++event) {
    const std::string_view name = plain_name(event_name(event));
    if (wholes_[event].kernel.samples == 0 || event == time_) continue;
    if (is_cache_miss(name)) cache_misses_.push_back(event);
    if (is_cycles(name) || is_clock(name) || name == "instructions" || name.find("miss") != name.npos)
      others_.push_back(event);
  }
}

}  // namespace nettoll
