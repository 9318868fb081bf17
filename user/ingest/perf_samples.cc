// SPDX-License-Identifier: Apache-2.0
#include "ingest/perf_samples.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/field_reader.h"

namespace nettoll {
namespace {

/// Linux builds for at most 8192 CPUs (arch/*/Kconfig, NR_CPUS).
constexpr uint32_t kMostCpus = 8192;

}  // namespace

PerfSamples::PerfSamples(PerfDataCapture& capture, std::endian order, const IngestOptions& options,
                         const CommHistory* comms, bool timed)
    : capture_(capture), swap_(needs_swap(order)), options_(options), comms_(comms), timed_(timed) {
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
  if (options_.any() && !wanted(sample, time)) {
    ++capture_.filtered;
    return;
  }
  if (sample.time) {
    if (!capture_.first_ns || *sample.time < *capture_.first_ns) capture_.first_ns = sample.time;
    if (!capture_.last_ns || *sample.time > *capture_.last_ns) capture_.last_ns = sample.time;
  }
  lay_out(sample, record.misc & perf::kMiscCpuMode, time);
  if (sample.read_values.size() > 0) {
    tally_group(sample, attr);
    return;
  }
  uint64_t period = 1;
  if (sample.period)
    period = *sample.period;
  else if (!attr.flag(perf::kFlagFreq))
    period = attr.period_or_frequency;
  else
    guessed_weight_ = true;
  tally(sample, *event, period);
}

bool PerfSamples::wanted(const CapturedSample& sample, uint64_t time) const {
  if (!options_.cpus.empty() && (!sample.cpu || std::find(options_.cpus.begin(), options_.cpus.end(),
                                                          *sample.cpu) == options_.cpus.end()))
    return false;
  if (options_.times &&
      (!sample.time || *sample.time < options_.times->first || *sample.time > options_.times->second))
    return false;
  return !comms_ || (sample.tid && comms_->matches(*sample.tid, time));
}

void PerfSamples::lay_out(const CapturedSample& sample, uint8_t mode, uint64_t time) {
  bool user = mode == perf::kModeUser;
  bool kernel = mode == perf::kModeKernel;
  const size_t frames = sample.callchain.size();
  words_.resize(kStackHeadWords + frames);
  for (size_t i = 0; i < frames; ++i) {
    const uint64_t word = sample.callchain[i];
    user = user || word == perf::kContextUser;
    kernel = kernel || word == perf::kContextKernel;
    words_[kStackHeadWords + i] = word;
  }
  // A space that no frame is looked up in would only make equal stacks different.
  const uint32_t kernel_space = kernel ? capture_.spaces.space_of(kKernelPid, time) : 0;
  const uint32_t user_space = user && sample.pid ? capture_.spaces.space_of(*sample.pid, time) : 0;
  words_[0] = uint64_t{kernel_space} << 32 | user_space;
  words_[1] = mode;
  words_[2] = frames > 0 ? frames + 1 : 0;
  words_[3] = sample.ip.value_or(0);
}

void PerfSamples::tally(const CapturedSample& sample, uint32_t event, uint64_t period) {
  uint32_t cpu = sample.cpu.value_or(kUnknownCpu);
  if (sample.cpu && cpu >= kMostCpus) {
    ++capture_.impossible_cpus;
    cpu = kUnknownCpu;
  }
  without_cpu_ = without_cpu_ || cpu == kUnknownCpu;
  capture_.tally.add(event, cpu, words_, period);
  ++capture_.samples;
  ++capture_.samples_by_event[event];
}

/// A sample of a group carries the counts of all its events (perf's ":S"): what each counted since it was
/// read last is its period, as perf has it.
void PerfSamples::tally_group(const CapturedSample& sample, const CapturedAttr& attr) {
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
    if (period > 0 && period <= value) tally(sample, *event, period);
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
