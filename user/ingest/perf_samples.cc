// SPDX-License-Identifier: Apache-2.0
#include "ingest/perf_samples.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/field_reader.h"

namespace nettoll {
namespace {

/// Linux builds for at most 8192 CPUs (arch/*/Kconfig, NR_CPUS).
constexpr uint32_t kMostCpus = 8192;

uint8_t mode_after(uint64_t marker) {
  switch (marker) {
    case perf::kContextKernel:
      return perf::kModeKernel;
    case perf::kContextUser:
      return perf::kModeUser;
    case perf::kContextHypervisor:
      return perf::kModeHypervisor;
    case perf::kContextGuest:
    case perf::kContextGuestKernel:
      return perf::kModeGuestKernel;
    case perf::kContextGuestUser:
      return perf::kModeGuestUser;
    default:
      return perf::kModeUnknown;
  }
}

}  // namespace

PerfSamples::PerfSamples(PerfDataCapture& capture, FrameNamer& namer, std::endian order,
                         const IngestOptions& options, const CommHistory* comms, bool timed)
    : capture_(capture),
      namer_(namer),
      swap_(needs_swap(order)),
      options_(options),
      comms_(comms),
      timed_(timed) {
  const auto& events = capture.events.events();
  one_layout_ = std::all_of(events.begin(), events.end(), [&](const CapturedEvent& event) {
    return event.attr.sample_type == events.front().attr.sample_type;
  });
}

std::optional<uint32_t> PerfSamples::event_of(std::span<const uint8_t> body) const {
  const auto& events = capture_.events.events();
  if (events.size() == 1) return 0;
  for (const CapturedEvent& event : events) {
    const auto id = sample_event_id(event.attr, body, swap_);
    const auto found = id ? capture_.events.find(*id) : std::nullopt;
    // The id must stand where its own event has it.
    if (found && (one_layout_ || sample_event_id(events[*found].attr, body, swap_) == id)) return found;
    if (one_layout_) break;
  }
  return std::nullopt;
}

void PerfSamples::take(const CapturedRecord& record) {
  ++number_;
  if (record.type != perf::kSample) return;
  const auto event = event_of(record.body);
  if (!event) {
    ++capture_.no_event;
    return;
  }
  const CapturedAttr& attr = capture_.events.events()[*event].attr;
  CapturedSample sample;
  switch (parse_sample(attr, record.body, swap_, sample)) {
    case LayoutError::none:
      break;
    case LayoutError::short_record:
      ++capture_.short_samples;
      return;
    case LayoutError::unknown_format:
      ++capture_.unknown_layout;
      return;
  }
  const uint64_t time = timed_ ? sample.time.value_or(0) : number_;
  // Before any sample is left out: what it counted is no part of the next one.
  read_group(sample, attr);
  if (options_.any() && !wanted(sample, time)) {
    ++capture_.filtered;
    return;
  }
  if (sample.time) {
    if (!capture_.first_ns || *sample.time < *capture_.first_ns) capture_.first_ns = sample.time;
    if (!capture_.last_ns || *sample.time > *capture_.last_ns) capture_.last_ns = sample.time;
  }
  name_stack(sample, record.misc & perf::kMiscCpuMode, time);
  if (sample.read_values.size() > 0) {
    for (const auto& [counter, counted] : group_) add(sample, counter, counted, time);
    return;
  }
  uint64_t period = 1;
  if (sample.period)
    period = *sample.period;
  else if (!attr.flag(perf::kFlagFreq))
    period = attr.period_or_frequency;
  else
    guessed_weight_ = true;
  add(sample, *event, period, time);
}

bool PerfSamples::wanted(const CapturedSample& sample, uint64_t time) const {
  if (!options_.cpus.empty() && (!sample.cpu || std::find(options_.cpus.begin(), options_.cpus.end(),
                                                          *sample.cpu) == options_.cpus.end()))
    return false;
  if (options_.times &&
      (!sample.time || *sample.time < options_.times->first || *sample.time > options_.times->second))
    return false;
  return !options_.comm || (sample.tid && comms_->name_at(*sample.tid, time) == *options_.comm);
}

void PerfSamples::name_stack(const CapturedSample& sample, uint8_t mode, uint64_t time) {
  stack_.clear();
  std::optional<uint32_t> spaces[2];  // of the kernel and of the process, asked for when a frame needs them
  const auto space_of = [&](uint8_t of_mode) -> uint32_t {
    if (of_mode != perf::kModeKernel && of_mode != perf::kModeUser) return 0;
    const bool user = of_mode == perf::kModeUser;
    auto& space = spaces[user];
    if (!space) {
      space = 0;
      if (!user) space = capture_.spaces.space_of(kKernelPid, time);
      if (user && sample.pid) space = capture_.spaces.space_of(*sample.pid, time);
    }
    return *space;
  };
  // A return address may be the first byte behind its function.
  const auto add_frame = [&](uint8_t of_mode, uint64_t address, bool exact) {
    const uint64_t place = exact || address == 0 ? address : address - 1;
    stack_.push_back(namer_.symbol(of_mode, space_of(of_mode), place, stack_.empty()));
  };
  const uint64_t ip = sample.ip.value_or(0);
  if (ip != 0) add_frame(mode, ip, true);
  bool first = true;   // of its mode
  bool begun = false;  // whether the chain has come to an address
  for (size_t i = 0; i < sample.callchain.size(); ++i) {
    const uint64_t word = sample.callchain[i];
    if (word == perf::kContextUserDeferred) {
      ++i;  // a number that the deferred stack carries too
      continue;
    }
    if (word >= perf::kContextMax) {
      mode = mode_after(word);
      first = true;
      continue;
    }
    const bool again = !begun && word == ip;
    if (!again) add_frame(mode, word, first || (!stack_.empty() && namer_.exact_below(stack_.back())));
    // The chain's own begin is in the function of the sample's place: one frame, not a recursion.
    if (!begun && !again && stack_.size() == 2 && stack_[0] == stack_[1]) stack_.pop_back();
    begun = true;
    first = false;
  }
}

void PerfSamples::add(const CapturedSample& sample, uint32_t event, uint64_t period, uint64_t time) {
  uint32_t cpu = sample.cpu.value_or(kRowWithoutCpu);
  if (sample.cpu && cpu >= kMostCpus) {
    ++capture_.impossible_cpus;
    cpu = kRowWithoutCpu;
  }
  without_cpu_ = without_cpu_ || cpu == kRowWithoutCpu;
  tally_.add(event, cpu, stack_, period);
  if (options_.sum_comms && sample.tid) comm_tally_.add(comms_->name_at(*sample.tid, time), event, period);
  ++capture_.samples;
  ++capture_.samples_by_event[event];
}

/// A sample of a group carries the counts of all its events (perf's ":S"): what each counted since it was
/// read last is its period, as perf has it.
void PerfSamples::read_group(const CapturedSample& sample, const CapturedAttr& attr) {
  group_.clear();
  if (sample.words_per_value == 0) return;  // not of a group
  for (size_t i = 0; i + sample.words_per_value <= sample.read_values.size(); i += sample.words_per_value) {
    const uint64_t value = sample.read_values[i];
    const uint64_t id = sample.words_per_value > 1 ? sample.read_values[i + 1] : 0;
    const auto event = capture_.events.find(id);
    if (!event) {
      ++capture_.no_event;
      continue;
    }
    uint64_t& last = last_counts_[{id, attr.flag(perf::kFlagInherit) ? sample.tid.value_or(0) : 0}];
    const uint64_t period = value - last;
    last = value;
    if (period > 0 && period <= value) group_.push_back({*event, period});
  }
}

void PerfSamples::finish() {
  capture_.cpus_known = !without_cpu_;
  if (guessed_weight_)
    capture_.notes.push_back("samples do not say their periods though these vary: each counts as 1");
  if (capture_.no_event > 0)
    capture_.notes.push_back(
        fmt::format("{} samples belong to an event that cannot be told; they are not in these numbers",
                    capture_.no_event));
  if (capture_.short_samples > 0)
    capture_.notes.push_back(fmt::format(
        "{} samples are shorter than their layout; they are not in these numbers", capture_.short_samples));
  if (capture_.unknown_layout > 0)
    capture_.notes.push_back(
        fmt::format("{} samples could not be laid out: their event has a read_format that is not known",
                    capture_.unknown_layout));
  if (capture_.impossible_cpus > 0)
    capture_.notes.push_back(fmt::format("{} samples name a CPU that cannot be", capture_.impossible_cpus));
}

}  // namespace nettoll
