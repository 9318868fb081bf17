// SPDX-License-Identifier: Apache-2.0
#include "collect/sampler.h"

#include <linux/perf_event.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "collect/link_register.h"
#include "collect/perf_pmu_event.h"
#include "collect/pmu_check.h"
#include "collect/sampler_fd_limit.h"

namespace nettoll {
namespace {

constexpr uint16_t kUsualMaxStack = 127;  // PERF_MAX_STACK_DEPTH

// How often events are looked at for the error of scaling: each look is a read(2), and an interrupt of its
// CPU, for each event. Where none shares a counter, only often enough to find that one does now.
constexpr std::chrono::milliseconds kObserveShared{250};
constexpr std::chrono::milliseconds kObserveUnshared{1000};

/// Takes one CPU's records to where they are summed.
class CpuSink : public RecordSink {
 public:
  CpuSink(SamplerCpu& cpu, StackAggregator& stacks, SampleLosses& losses, RecordTap* tap)
      : cpu_(cpu), stacks_(stacks), losses_(losses), tap_(tap) {}

  void on_sample(const Sample& sample) override {
    const auto event = cpu_.event_of(sample.id);
    if (!event) return losses_.unmatched();
    cpu_.throttle_clock(sample.id)->sample(sample.time_ns);
    stacks_.add(*event, cpu_.cpu(), sample.period, sample.ip, callers_of(sample));
  }
  void on_lost(uint64_t, uint64_t count) override {
    // Where descriptors tell each event's own share, these are the same samples again.
    if (!cpu_.counts_lost()) losses_.ring_full_any(count);
  }
  void on_lost_samples(uint64_t id, uint64_t count) override {
    const auto event = cpu_.event_of(id);
    if (!event) return losses_.unmatched();
    losses_.ring_full(*event, count);
  }
  void on_throttle(uint64_t id, uint64_t time_ns) override {
    const auto event = cpu_.event_of(id);
    if (!event) return losses_.unmatched();
    losses_.throttled(*event);
    cpu_.throttle_clock(id)->throttle(time_ns);
  }
  void on_unthrottle(uint64_t id, uint64_t time_ns) override {
    if (ThrottleClock* clock = cpu_.throttle_clock(id)) clock->unthrottle(time_ns);
  }
  uint64_t fixed_period(uint64_t id) const override { return cpu_.fixed_period(id); }
  void on_record(std::span<const uint64_t> record) override {
    if (!tap_) return;
    if (const auto event = cpu_.event_of(event_id_in(record))) tap_->on_record(*event, cpu_.cpu(), record);
  }
  void on_unmatched() override { losses_.unmatched(); }

 private:
  /// With what the link register says in front, unless the unwinder says the same.
  std::span<const uint64_t> callers_of(const Sample& sample) {
    const auto caller = sample.link_register ? return_address_in(*sample.link_register) : std::nullopt;
    if (!caller || (!sample.callers.empty() && sample.callers.front() == *caller)) return sample.callers;
    callers_.assign(1, as_link_frame(*caller));
    callers_.insert(callers_.end(), sample.callers.begin(), sample.callers.end());
    return callers_;
  }

  SamplerCpu& cpu_;
  StackAggregator& stacks_;
  SampleLosses& losses_;
  RecordTap* tap_;
  std::vector<uint64_t> callers_;
};

/// The generic event; the high half of its config names a PMU where there are several.
bool counts_instructions(const EventTarget& target) {
  return target.type == PERF_TYPE_HARDWARE &&
         static_cast<uint32_t>(target.config) == PERF_COUNT_HW_INSTRUCTIONS;
}

/// Those of `online` that are wanted.
CpuSet chosen(CpuSet online, const std::optional<CpuSet>& only) {
  if (only) std::erase_if(online.ids, [&](uint32_t cpu) { return !only->contains(cpu); });
  return online;
}

uint16_t stack_limit(uint16_t asked, const KernelFs& fs) {
  const auto sysctl = fs.read_number("/proc/sys/kernel/perf_event_max_stack");
  const long limit = sysctl && *sysctl > 0 ? std::min(*sysctl, 65535L) : kUsualMaxStack;
  return asked == 0 ? static_cast<uint16_t>(limit) : std::min(asked, static_cast<uint16_t>(limit));
}

/// Sums rows of the same event and CPU: a CPU that was closed and opened again in one window has two.
void merge(std::vector<EventCount>& counts) {
  std::sort(counts.begin(), counts.end(), [](const EventCount& a, const EventCount& b) {
    return std::pair(a.event, a.cpu) < std::pair(b.event, b.cpu);
  });
  size_t last = 0;
  for (size_t i = 1; i < counts.size(); ++i) {
    EventCount& into = counts[last];
    const EventCount& row = counts[i];
    if (row.event != into.event || row.cpu != into.cpu) {
      counts[++last] = row;
      continue;
    }
    const auto one = into.scaling_error, other = row.scaling_error;
    into.scaling_error = one && other ? std::optional(std::hypot(*one, *other)) : std::nullopt;
    into.value += row.value;
    into.enabled_ns += row.enabled_ns;
    into.running_ns += row.running_ns;
  }
  if (!counts.empty()) counts.resize(last + 1);
}

}  // namespace

Sampler::Sampler(const SamplerConfig& config, const KernelFs& fs)
    : fs_(fs), only_(config.cpus), requests_(config.events), aggregator_(config.limits), tap_(config.tap) {}

Result<Sampler> Sampler::open(const SamplerConfig& config, const KernelFs& fs) {
  const auto online = fs.online_cpus();
  if (!online) return online.error();
  const CpuSet cpus = chosen(*online, config.cpus);
  if (online->empty())
    return failure(fmt::format("{} names no CPU", fs.path("/sys/devices/system/cpu/online")));
  if (cpus.empty()) {
    return usage_error(fmt::format("none of the CPUs {} is online", format_cpu_list(*config.cpus)),
                       fmt::format("online are {}", format_cpu_list(*online)));
  }
  Sampler sampler(config, fs);
  if (config.cpus && cpus.size() != config.cpus->size()) {
    CpuSet off = *config.cpus;
    std::erase_if(off.ids, [&](uint32_t cpu) { return cpus.contains(cpu); });
    sampler.note(fmt::format("CPUs {} are not online", format_cpu_list(off)));
  }
  sampler.lower_rates();
  if (config.check_pmu) sampler.drop_lying_pmus();

  // All CPUs that may come; their descriptors must fit as well.
  const auto possible = fs.possible_cpus();
  const size_t cpu_count =
      possible ? std::max(chosen(*possible, config.cpus).size(), cpus.size()) : cpus.size();
  OpenSettings& settings = sampler.settings_;
  settings.max_stack = stack_limit(config.max_stack, fs);
  settings.ring_bytes = nettoll::ring_bytes(sampler.requests_, config.drain_interval_ms, cpu_count);
  settings.counts_lost = kernel_counts_lost();
  settings.thread_names = config.tap != nullptr;
  settings.context.cpu_pmu = !find_cpu_pmus(fs).empty();
  if (const auto paranoid = fs.read_number("/proc/sys/kernel/perf_event_paranoid"))
    settings.context.paranoid = *paranoid;
  const uint64_t open_now = open_descriptors(fs) + config.descriptors_beside;
  const uint64_t need = descriptors_needed(open_now, cpu_count, sampler.requests_.size());
  settings.context.descriptors_needed = need;
  settings.context.descriptor_limit = raise_fd_limit(need);

  for (const uint32_t cpu : cpus.ids) sampler.cpus_.push_back({SamplerCpu(cpu)});
  const size_t fit = events_that_fit(settings.context.descriptor_limit, open_now, cpus.size());
  for (const EventRequest& request : sampler.requests_) {
    if (sampler.running_.size() < fit) {
      sampler.open_event(request);
    } else {
      sampler.missing_.push_back(
          {{request.spec.name, explain_open_error(request.spec, EMFILE, settings.context)}, EMFILE});
    }
  }
  std::erase_if(sampler.cpus_, [](const Cpu& cpu) { return cpu.events.empty(); });
  for (const Event& event : sampler.events_)
    spdlog::debug(
        "sampling: {} on CPUs {}, {}", event.name, format_cpu_list(sampler.cpus()),
        event.frequency ? fmt::format("{} Hz", event.frequency) : fmt::format("one in {}", event.period));
  for (const UnavailableEvent& missing : sampler.missing_)
    spdlog::debug("not sampled: {}: {}", missing.event.name, missing.event.reason);
  if (sampler.running_.empty() && !sampler.missing_.empty())
    sampler.note(fmt::format("nothing is sampled: {}", sampler.missing_.front().event.reason));
  return sampler;
}

void Sampler::lower_rates() {
  const auto most = fs_.read_number("/proc/sys/kernel/perf_event_max_sample_rate");
  const uint64_t limit = most && *most > 0 ? static_cast<uint64_t>(*most) : UINT64_MAX;
  for (EventRequest& request : requests_) {
    if (auto sentence = lower_rate(request, limit)) lowered_.emplace(request.spec.name, std::move(*sentence));
  }
}

void Sampler::drop_lying_pmus() {
  std::map<std::string, PmuVerdict> verdicts;
  for (auto request = requests_.begin(); request != requests_.end();) {
    EventSpec& spec = request->spec;
    std::string reason;
    if (spec.kind == EventKind::cpu) {
      std::erase_if(spec.targets, [&](const EventTarget& target) {
        auto known = verdicts.find(target.pmu);
        if (known == verdicts.end())
          known = verdicts.emplace(target.pmu, judge_pmu(count_loop(target))).first;
        const PmuVerdict& verdict = known->second;
        const std::string& why = verdict.state == PmuVerdict::State::lies ? verdict.reason
                                 : counts_instructions(target)            ? verdict.instructions
                                                                          : std::string();
        if (why.empty()) return false;
        reason = why;
        return true;
      });
    }
    if (!spec.targets.empty()) {
      if (!reason.empty()) note(fmt::format("{} is not counted on some CPUs: {}", spec.name, reason));
      ++request;
      continue;
    }
    missing_.push_back({{spec.name, std::move(reason)}, 0});
    request = requests_.erase(request);
  }
}

// Event by event, so that a limit which is reached on the way costs the last events and not the last CPUs.
void Sampler::open_event(const EventRequest& request) {
  const auto index = static_cast<uint32_t>(running_.size());
  size_t opened = 0;
  CpuSet without;
  std::optional<Error> why;
  for (Cpu& cpu : cpus_) {
    auto done = cpu.events.open(index, request, settings_);
    if (done) {
      ++opened;
      continue;
    }
    // A CPU without the event's PMU says less than one that refused it.
    const bool absent = done.error().code == ENODEV;
    if (!why || (why->code == ENODEV && !absent)) why = done.error();
    if (!absent) without.ids.push_back(cpu.events.cpu());
    if (why->code == EMFILE || why->code == ENFILE) {
      for (Cpu& other : cpus_) other.events.close_last(index);
      opened = 0;
      break;
    }
  }
  if (opened == 0) {
    missing_.push_back(
        {{request.spec.name, why ? why->text() : "no CPU is online"}, why ? why->code : ENODEV});
    return;
  }
  if (!without.empty())
    note(fmt::format("{} is not counted on CPUs {}: {}", request.spec.name, format_cpu_list(without),
                     why->text()));
  if (const auto lowered = lowered_.find(request.spec.name); lowered != lowered_.end()) note(lowered->second);
  running_.push_back(request);
  asked_.push_back(request.rate);
  events_.push_back(to_event(request));
}

void Sampler::open_cpu(uint32_t id) {
  Cpu cpu{SamplerCpu(id)};
  for (size_t i = 0; i < running_.size(); ++i) {
    const auto done = cpu.events.open(static_cast<uint32_t>(i), running_[i], settings_);
    if (done || done.error().code == ENODEV) continue;
    const std::string text =
        fmt::format("{} is not counted on CPU {}: {}", running_[i].spec.name, id, done.error().text());
    if (note(text)) spdlog::warn("{}", text);  // the notes of the start are read already
  }
  if (cpu.events.empty()) return;
  if (enabled_) cpu.events.enable();
  const auto at = std::find_if(cpus_.begin(), cpus_.end(), [&](const Cpu& c) { return c.events.cpu() > id; });
  cpus_.insert(at, std::move(cpu));
}

CpuSet Sampler::cpus() const {
  CpuSet set;
  for (const Cpu& cpu : cpus_) set.ids.push_back(cpu.events.cpu());
  return set;
}

void Sampler::enable() {
  enabled_ = true;
  for (Cpu& cpu : cpus_) cpu.events.enable();
}

void Sampler::disable() {
  enabled_ = false;
  for (Cpu& cpu : cpus_) cpu.events.disable();
}

void Sampler::drain(Cpu& cpu) {
  CpuSink sink(cpu.events, aggregator_, losses_, tap_);
  cpu.events.drain(sink);
}

void Sampler::drain() {
  for (Cpu& cpu : cpus_) drain(cpu);
  if (tap_) tap_->on_round();
}

std::vector<perf_event_attr> Sampler::attrs() const {
  std::vector<perf_event_attr> attrs;
  for (const EventRequest& request : running_) {
    AttrFeatures features;
    features.lost = settings_.counts_lost;
    attrs.push_back(make_attr(request.spec, request.spec.targets.front(),
                              {request.rate, settings_.max_stack, 0, settings_.thread_names && attrs.empty()},
                              features));
  }
  return attrs;
}

void Sampler::collect(Cpu& cpu) {
  deltas_.clear();
  if (!cpu.events.read(deltas_) && enabled_) cpu.stalled = true;
  for (const auto& delta : deltas_) {
    counts_.push_back(delta.count);
    if (delta.lost != 0) losses_.ring_full(delta.count.event, delta.lost);
  }
}

void Sampler::observe_sharing() {
  observed_ = std::chrono::steady_clock::now();
  shared_ = false;
  for (Cpu& cpu : cpus_) {
    drain(cpu);  // what was throttled is told there
    if (cpu.events.observe()) shared_ = true;
  }
}

Result<bool> Sampler::wait(int timeout_ms, std::span<pollfd> extra) {
  using std::chrono::ceil, std::chrono::milliseconds;
  if (enabled_) {
    const auto next = observed_ + (shared_ ? kObserveShared : kObserveUnshared);
    if (next <= std::chrono::steady_clock::now()) observe_sharing();
    if (shared_ && timeout_ms != 0) {
      const auto left = ceil<milliseconds>(observed_ + kObserveShared - std::chrono::steady_clock::now());
      const int most = std::max(1, static_cast<int>(left.count()));
      timeout_ms = timeout_ms < 0 ? most : std::min(timeout_ms, most);
    }
  }
  poll_.assign(extra.begin(), extra.end());
  for (const Cpu& cpu : cpus_) {
    // poll(2) passes over negative descriptors. One that the kernel closed would be ready for ever.
    poll_.push_back({cpu.stalled ? -1 : cpu.events.poll_fd(), POLLIN, 0});
  }
  const int ready = ::poll(poll_.data(), poll_.size(), timeout_ms);
  const int code = errno;
  for (size_t i = 0; i < extra.size(); ++i) extra[i].revents = ready > 0 ? poll_[i].revents : short{0};
  if (ready < 0 && code != EINTR)
    // EINVAL: more is watched than RLIMIT_NOFILE now allows (poll(2)).
    return system_error("cannot wait for samples", code,
                        code == EINVAL ? "was the limit on open files lowered? raise it (ulimit -n)" : "");
  if (ready <= 0) return false;
  bool useful = std::any_of(extra.begin(), extra.end(), [](const pollfd& p) { return p.revents != 0; });
  for (size_t i = 0; i < cpus_.size(); ++i) {
    const short got = poll_[extra.size() + i].revents;
    if (got & POLLIN) {
      useful = true;
    } else if (got != 0) {
      cpus_[i].stalled = true;
    }
  }
  return useful;
}

void Sampler::read(RawBatch& batch) {
  for (Cpu& cpu : cpus_) {
    drain(cpu);
    collect(cpu);
  }
  merge(counts_);
  batch.counts.insert(batch.counts.end(), counts_.begin(), counts_.end());
  counts_.clear();
  losses_.stack_table(aggregator_.overflow());
  losses_.take(events_, batch.losses);
  aggregator_.take(batch);
}

void Sampler::halve_rates(uint32_t halvings) {
  for (size_t i = 0; i < running_.size(); ++i) {
    running_[i].rate = halve_rate(asked_[i], halvings);
    events_[i] = to_event(running_[i]);
  }
  const CpuSet open_now = cpus();
  for (Cpu& cpu : cpus_) {
    drain(cpu);
    collect(cpu);
  }
  cpus_.clear();
  for (const uint32_t cpu : open_now.ids) open_cpu(cpu);
}

Status Sampler::rescan() {
  const auto online = fs_.online_cpus();
  if (!online) return online.error();
  const CpuSet wanted = chosen(*online, only_);
  std::erase_if(cpus_, [&](Cpu& cpu) {
    if (!cpu.stalled && wanted.contains(cpu.events.cpu())) return false;
    drain(cpu);
    collect(cpu);
    return true;
  });
  const CpuSet open_now = cpus();
  for (const uint32_t cpu : wanted.ids) {
    if (!open_now.contains(cpu)) open_cpu(cpu);
  }
  return {};
}

bool Sampler::note(std::string text) {
  if (std::find(notes_.begin(), notes_.end(), text) != notes_.end()) return false;
  notes_.push_back(std::move(text));
  return true;
}

}  // namespace nettoll
