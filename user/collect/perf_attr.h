// SPDX-License-Identifier: Apache-2.0
// Builds what perf_event_open(2) takes. No system calls.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>

#include "collect/perf_event_spec.h"

namespace nettoll {

/// The fields of a sample, the same for all events so that one decoder reads every ring. Where the
/// architecture has a link register (link_register.h), PERF_SAMPLE_REGS_INTR with it is behind them.
inline constexpr uint64_t kSampleType = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                                        PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
                                        PERF_SAMPLE_CALLCHAIN;

/// Software events of a fixed period: were their samples to have PERF_SAMPLE_PERIOD, the kernel would take
/// one for each event (perf_swevent_event in kernel/events/core.c).
inline bool has_fixed_period(const EventSpec& spec, const SampleRate& rate) {
  return spec.kind == EventKind::software && rate.frequency == 0;
}

/// What this kernel, or this PMU, takes; found by trying.
struct AttrFeatures {
  bool lost = true;           ///< PERF_FORMAT_LOST (6.0)
  bool exclude_guest = true;  ///< some PMUs refuse every exclude bit (PERF_PMU_CAP_NO_EXCLUDE)

  bool operator==(const AttrFeatures&) const = default;
};

/// How samples are taken.
struct SamplingConfig {
  SampleRate rate;
  uint16_t max_stack = 127;   ///< frames; at most kernel.perf_event_max_stack
  uint32_t watermark = 0;     ///< bytes in the ring that wake a poller
  bool thread_names = false;  ///< a record where a thread gets another name (PERF_RECORD_COMM)
};

/// The attributes of one event on one of its targets: disabled, with kernel call chains only, kernel mode
/// only if the spec says so, times by CLOCK_MONOTONIC, and a descriptor that reads as value, enabled time,
/// running time, id (and lost samples).
perf_event_attr make_attr(const EventSpec& spec, const EventTarget& target, const SamplingConfig& config,
                          AttrFeatures features);

}  // namespace nettoll
