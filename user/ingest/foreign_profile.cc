// SPDX-License-Identifier: Apache-2.0
#include "ingest/foreign_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "model/stack_merger.h"

namespace nettoll {
namespace {

/// What the join keeps for an event and a function, and for an event and a CPU.
constexpr uint64_t kBytesAFunction = 128;
constexpr uint64_t kBytesACpu = 320;
constexpr size_t kFewEvents = 8;
constexpr size_t kMostEvents = 1024;

}  // namespace

ForeignProfile::ForeignProfile(uint64_t stored_bytes) : bound_((uint64_t{16} << 20) + 4 * stored_bytes) {}

uint32_t ForeignProfile::add_name(CodeName name, const Symbol& place) {
  const auto* cause = std::get_if<UnnamedCause>(&name);
  Named key{cause ? place : std::get<Symbol>(std::move(name)), cause ? std::optional(*cause) : std::nullopt};
  const auto [found, is_new] = numbers_.try_emplace(std::move(key), static_cast<uint32_t>(symbols_.size()));
  if (is_new) {
    const Symbol& symbol = found->first.symbol;
    symbols_.push_back(symbol);
    causes_.push_back(found->first.cause);
    memory_ += 2 * (symbol.name.size() + symbol.module.size()) + 300;
  }
  return found->second;
}

Profile ForeignProfile::finish(Session session, Foreign foreign, StackTally& tally) && {
  Profile profile;
  profile.session = std::move(session);
  profile.foreign = std::move(foreign);
  profile.symbols = std::move(symbols_);
  size_t frames = 0;
  for (size_t i = 0; i < tally.stacks(); ++i) frames += tally.stack(i).size();
  profile.stacks.reserve(tally.stacks(), frames);
  for (size_t i = 0; i < tally.stacks(); ++i) profile.stacks.add(tally.stack(i));
  profile.samples = tally.take_rows();
  bound_events(profile);
  place_on_cpus(profile);
  count_unnamed(profile);
  return profile;
}

/// Leaves out events that perf adds for its own needs (dummy), and, where a file names thousands, those with
/// few samples: tables of events by functions must not outgrow the file.
void ForeignProfile::bound_events(Profile& profile) const {
  auto& events = profile.session.events;
  std::vector<uint64_t> samples(events.size());
  for (const StackSamples& row : profile.samples) samples[row.event] += row.samples;
  std::vector<uint32_t> kept(events.size());
  std::iota(kept.begin(), kept.end(), 0);
  std::erase_if(kept, [&](uint32_t e) { return samples[e] == 0 && events[e].name.starts_with("dummy"); });
  const uint64_t an_event = kBytesAFunction * std::max<uint64_t>(profile.symbols.size(), 1);
  const size_t most = std::clamp<size_t>(bound_ / an_event, kFewEvents, kMostEvents);
  if (kept.size() > most) {
    std::stable_sort(kept.begin(), kept.end(),
                     [&](uint32_t a, uint32_t b) { return samples[a] > samples[b]; });
    uint64_t lost = 0;
    for (size_t i = most; i < kept.size(); ++i) lost += samples[kept[i]];
    profile.session.notes.push_back(
        fmt::format("of {} events the {} with most samples are shown; {} samples are of others", kept.size(),
                    most, lost));
    kept.resize(most);
    std::sort(kept.begin(), kept.end());
  }
  if (kept.size() == events.size()) return;

  constexpr uint32_t kGone = UINT32_MAX;
  std::vector<uint32_t> place(events.size(), kGone);
  std::vector<Event> list;
  for (const uint32_t event : kept) {
    place[event] = static_cast<uint32_t>(list.size());
    list.push_back(std::move(events[event]));
  }
  events = std::move(list);
  std::erase_if(profile.samples, [&](const StackSamples& row) { return place[row.event] == kGone; });
  for (StackSamples& row : profile.samples) row.event = place[row.event];
  auto& comms = profile.foreign->comms;
  std::erase_if(comms, [&](const CommSamples& row) { return place[row.event] == kGone; });
  for (CommSamples& row : comms) row.event = place[row.event];
}

/// Where not every sample says its CPU, or the ids that are said would make a table out of proportion, none
/// counts.
void ForeignProfile::place_on_cpus(Profile& profile) const {
  uint32_t limit = 1;
  bool known = profile.foreign->cpus_known;
  for (const StackSamples& row : profile.samples) {
    known = known && row.cpu != kRowWithoutCpu;
    if (known) limit = std::max(limit, row.cpu + 1);
  }
  if (known && profile.session.events.size() * uint64_t{limit} * kBytesACpu > bound_) {
    profile.session.notes.push_back(
        fmt::format("CPU ids up to {} are out of proportion to the capture and are not shown", limit - 1));
    known = false;
  }
  profile.foreign->cpus_known = known;
  profile.session.cpu_limit = known ? limit : 1;
  if (known) return;
  for (StackSamples& row : profile.samples) row.cpu = 0;
  const std::vector<uint8_t> all(profile.stacks.size(), 1);
  profile.samples = merge_rows(std::move(profile.samples), all);
}

void ForeignProfile::count_unnamed(Profile& profile) const {
  std::vector<uint64_t> samples(profile.stacks.size());
  for (const StackSamples& row : profile.samples) samples[row.stack] += row.samples;
  std::array<Unnamed, std::size(kAllUnnamedCauses)> sums;
  for (size_t stack = 0; stack < profile.stacks.size(); ++stack) {
    bool leaf = true;
    for (const uint32_t symbol : profile.stacks[stack]) {
      if (const auto cause = causes_[symbol]) {
        Unnamed& sum = sums[static_cast<size_t>(*cause)];
        (leaf ? sum.samples : sum.callers) += samples[stack];
      }
      leaf = false;
    }
  }
  for (const UnnamedCause cause : kAllUnnamedCauses) {
    Unnamed& sum = sums[static_cast<size_t>(cause)];
    sum.cause = cause;
    if (sum.samples + sum.callers > 0) profile.foreign->unnamed.push_back(sum);
  }
}

}  // namespace nettoll
