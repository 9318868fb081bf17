// SPDX-License-Identifier: Apache-2.0
#include "diagnose/observe/sight.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "model/event_name.h"

namespace nettoll {
namespace {

bool is_kernel(const Symbol& symbol) {
  return symbol.kind == SymbolKind::kernel || symbol.kind == SymbolKind::bpf;
}

bool is_cache_miss(std::string_view name) {
  if (role_of(name) == EventRole::cache_misses) return true;
  name = parts_of_event(name).base;
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
  const auto sampled = [&](uint32_t event) { return wholes_[event].kernel.samples > 0; };
  const auto first = [&](auto is_one) {
    for (uint32_t event = 0; event < wholes_.size() && !time_; ++event) {
      if (sampled(event) && is_one(role_of(event_name(event)))) time_ = event;
    }
  };
  first([](EventRole role) { return role == EventRole::cycles; });
  first(is_clock);
  for (uint32_t event = 0; event < wholes_.size(); ++event) {
    if (!sampled(event) || event == time_) continue;
    const std::string_view name = event_name(event);
    const EventRole role = role_of(name);
    if (is_cache_miss(name)) cache_misses_.push_back(event);
    if (role == EventRole::cycles || is_clock(role) || role == EventRole::instructions ||
        parts_of_event(name).base.find("miss") != name.npos)
      others_.push_back(event);
  }
}

}  // namespace nettoll
