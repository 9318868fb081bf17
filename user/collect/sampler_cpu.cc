// SPDX-License-Identifier: Apache-2.0
#include "collect/sampler_cpu.h"

#include <algorithm>
#include <chrono>

namespace nettoll {
namespace {

Result<PerfEventFd> open_target(const EventSpec& spec, const EventTarget& target,
                                const SamplingConfig& config, bool counts_lost, uint32_t cpu) {
  AttrFeatures features;
  features.lost = counts_lost;
  auto fd = PerfEventFd::open(make_attr(spec, target, config, features), -1, static_cast<int>(cpu));
  if (fd) return fd;
  const int code = fd.error().code;
  const bool of_pmu = spec.kind == EventKind::cpu || spec.kind == EventKind::other;
  if (!of_pmu || (code != EINVAL && code != EOPNOTSUPP)) return fd;
  features.exclude_guest = false;
  return PerfEventFd::open(make_attr(spec, target, config, features), -1, static_cast<int>(cpu));
}

/// The running time may go back: that an event was throttled is told later than its times are read.
PerfReading since(const PerfReading& now, const PerfReading& before) {
  return {now.value - before.value, now.enabled_ns - before.enabled_ns,
          now.running_ns - std::min(now.running_ns, before.running_ns), now.lost - before.lost};
}

uint64_t monotonic_ns() {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                               std::chrono::nanoseconds(1));
}

}  // namespace

Status SamplerCpu::open(uint32_t event, const EventRequest& request, const OpenSettings& settings) {
  const auto refused = [&](int code) {
    Error error = failure(explain_open_error(request.spec, code, settings.context));
    error.code = code;
    return error;
  };
  const auto& targets = request.spec.targets;
  const auto target =
      std::find_if(targets.begin(), targets.end(), [&](const EventTarget& t) { return t.on(cpu_); });
  if (target == targets.end()) return refused(ENODEV);

  const SamplingConfig config{request.rate, settings.max_stack,
                              static_cast<uint32_t>(settings.ring_bytes / 2),
                              settings.thread_names && events_.empty()};
  auto fd = open_target(request.spec, *target, config, settings.counts_lost, cpu_);
  if (!fd) return refused(fd.error().code);
  if (events_.empty()) {
    auto ring = PerfRing::map(fd->get(), settings.ring_bytes);
    if (!ring) return ring.error();
    ring_ = std::move(*ring);
  } else if (auto done = fd->redirect_to(events_.front().fd); !done) {
    return done;
  }
  // Timers and software events have a counter each.
  const bool may_share = request.spec.kind == EventKind::cpu || request.spec.kind == EventKind::other;
  const uint64_t period = has_fixed_period(request.spec, request.rate) ? request.rate.period : 0;
  events_.push_back({event, std::move(*fd), may_share, period, {}, {}, {}, {}});
  return {};
}

void SamplerCpu::close_last(uint32_t event) {
  if (events_.empty() || events_.back().event != event) return;
  events_.pop_back();
  if (events_.empty()) ring_ = PerfRing();
}

// An event that cannot be switched has no times of being enabled, which read() reports as no row.
void SamplerCpu::enable() {
  for (const OpenEvent& event : events_) (void)event.fd.enable();
}

void SamplerCpu::disable() {
  for (const OpenEvent& event : events_) (void)event.fd.disable();
}

void SamplerCpu::drain(RecordSink& sink) {
  ring_.drain(sink);
}

ThrottleClock* SamplerCpu::throttle_clock(uint64_t id) {
  const auto found = std::ranges::find(events_, id, [](const OpenEvent& event) { return event.fd.id(); });
  return found == events_.end() ? nullptr : &found->throttle;
}

/// What the descriptor says, without the time that the event was throttled: the kernel lets its times go on.
std::optional<PerfReading> SamplerCpu::reading(const OpenEvent& event) {
  auto now = event.fd.read();
  if (!now) return std::nullopt;
  now->running_ns -= std::min(now->running_ns, event.throttle.throttled_ns(monotonic_ns()));
  return *now;
}

uint64_t SamplerCpu::fixed_period(uint64_t id) const {
  for (const OpenEvent& event : events_) {
    if (event.fd.id() == id) return event.fixed_period;
  }
  return 0;
}

std::optional<uint32_t> SamplerCpu::event_of(uint64_t id) const {
  for (const OpenEvent& event : events_) {
    if (event.fd.id() == id) return event.event;
  }
  return std::nullopt;
}

bool SamplerCpu::observe() {
  bool shared = false;
  for (OpenEvent& event : events_) {
    if (!event.may_share) continue;
    const auto now = reading(event);
    if (!now) continue;
    const PerfReading slice = since(*now, std::exchange(event.observed, *now));
    event.scaling.add(slice);
    shared = shared || slice.running_ns < slice.enabled_ns;
  }
  return shared;
}

bool SamplerCpu::read(std::vector<Delta>& deltas) {
  bool any = false;
  for (OpenEvent& event : events_) {
    const auto now = reading(event);
    if (!now) continue;
    const PerfReading window = since(*now, std::exchange(event.last, *now));
    const ScalingError scaling = std::exchange(event.scaling, {});
    if (window.enabled_ns == 0) continue;
    any = true;
    Delta delta;
    delta.count = {event.event, cpu_, window.value, window.enabled_ns, window.running_ns, scaling.of(window)};
    delta.lost = window.lost;
    deltas.push_back(delta);
  }
  return any;
}

}  // namespace nettoll
