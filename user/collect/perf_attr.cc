// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_attr.h"

#include <ctime>

#include "collect/link_register.h"

namespace nettoll {

perf_event_attr make_attr(const EventSpec& spec, const EventTarget& target, const SamplingConfig& config,
                          AttrFeatures features) {
  const bool of_pmu = spec.kind == EventKind::cpu || spec.kind == EventKind::other;
  perf_event_attr attr = {};
  attr.size = sizeof(attr);
  attr.type = target.type;
  attr.config = target.config;
  attr.config1 = target.config1;
  attr.config2 = target.config2;

  attr.freq = config.rate.frequency != 0;
  if (attr.freq) {
    attr.sample_freq = config.rate.frequency;
  } else {
    attr.sample_period = config.rate.period;
  }
  attr.sample_type = kSampleType | (kLinkRegisterBit ? PERF_SAMPLE_REGS_INTR : 0);
  if (has_fixed_period(spec, config.rate)) attr.sample_type &= ~static_cast<uint64_t>(PERF_SAMPLE_PERIOD);
  attr.sample_regs_intr = kLinkRegisterBit;
  attr.sample_max_stack = config.max_stack;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
                     (features.lost ? PERF_FORMAT_LOST : 0);
  attr.disabled = 1;
  attr.sample_id_all = 1;  // lost and throttle records name their event
  attr.comm = config.thread_names;

  // A callchain without its user part: nothing of ours looks at it, and it needs the user's stack to be read.
  attr.exclude_callchain_user = 1;
  attr.exclude_user = spec.kernel_only;
  attr.exclude_hv = spec.kernel_only;
  attr.precise_ip = spec.precise;
  // Guests of this host run their own kernel, whose addresses are not ours. The kernel ignores the bit for
  // its software events, so that a clock also sees guests: those samples become kGuestFrame.
  attr.exclude_guest = of_pmu && features.exclude_guest;

  attr.watermark = 1;
  attr.wakeup_watermark = config.watermark;
  // The clock that RawBatch uses; every event of a ring must have the same.
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  return attr;
}

}  // namespace nettoll
