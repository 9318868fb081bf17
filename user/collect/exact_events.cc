// SPDX-License-Identifier: Apache-2.0
#include "collect/exact_events.h"

#include <bpf/bpf.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "bpf/shared.h"
#include "collect/perf_attr.h"

namespace nettoll {
namespace {

/// The sampler's attributes without the sampling, so that both count the same.
perf_event_attr counting_attr(EventSpec spec, const EventTarget& target, bool exclude_guest) {
  spec.precise = 0;  // is about samples, and refused without them
  perf_event_attr attr = make_attr(spec, target, {}, {.lost = false, .exclude_guest = exclude_guest});
  attr.sample_type = 0;
  attr.sample_max_stack = 0;
  attr.sample_id_all = 0;
  attr.exclude_callchain_user = 0;
  attr.watermark = 0;
  attr.wakeup_watermark = 0;
  return attr;
}

Result<PerfEventFd> open_counter(const EventSpec& spec, const EventTarget& target, uint32_t cpu) {
  auto counter = PerfEventFd::open(counting_attr(spec, target, true), -1, static_cast<int>(cpu));
  // Some PMUs refuse every exclude bit of guests.
  if (!counter && (counter.error().code == EINVAL || counter.error().code == EOPNOTSUPP))
    counter = PerfEventFd::open(counting_attr(spec, target, false), -1, static_cast<int>(cpu));
  if (!counter) return counter;
  if (auto ok = counter->enable(); !ok) return ok.error();
  return counter;
}

}  // namespace

std::vector<EventSpec> exact_events(std::span<const EventRequest> requests, std::span<const Event> running,
                                    std::vector<std::string>& notes) {
  std::vector<EventSpec> specs;
  for (const EventRequest& request : requests) {
    const bool runs = std::any_of(running.begin(), running.end(),
                                  [&](const Event& event) { return event.name == request.spec.name; });
    if (!runs || request.spec.kind != EventKind::cpu) continue;
    if (specs.size() < NT_EXACT_EVENTS)
      specs.push_back(request.spec);
    else
      notes.push_back(fmt::format("exact mode: {} is not read: there is room for {} events",
                                  request.spec.name, NT_EXACT_EVENTS));
  }
  return specs;
}

Result<ExactEvents> ExactEvents::open(std::span<const EventSpec> events, const CpuSet& cpus,
                                      uint32_t cpu_limit, int map_fd) {
  ExactEvents all;
  for (uint32_t event = 0; event < events.size(); ++event) {
    const EventSpec& spec = events[event];
    for (const uint32_t cpu : cpus.ids) {
      const auto target = std::find_if(spec.targets.begin(), spec.targets.end(),
                                       [&](const EventTarget& t) { return t.on(cpu); });
      if (target == spec.targets.end()) continue;
      auto counter = open_counter(spec, *target, cpu);
      if (!counter) {
        spdlog::debug("exact: {} on CPU {}: {}", spec.name, cpu, counter.error().text());
        continue;
      }
      const uint32_t place = event * cpu_limit + cpu;
      const int fd = counter->get();
      if (const int err = bpf_map_update_elem(map_fd, &place, &fd, BPF_ANY); err)
        return system_error(fmt::format("cannot let programs read {} on CPU {}", spec.name, cpu), -err);
      all.counters_.push_back(std::move(*counter));
    }
  }
  return all;
}

}  // namespace nettoll
