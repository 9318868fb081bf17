// SPDX-License-Identifier: Apache-2.0
#include "collect/collector.h"

#include <spdlog/spdlog.h>
#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <utility>

#include "base/cpu_time.h"
#include "collect/bpf_program.h"
#include "collect/btf_facts.h"
#include "collect/exact_events.h"
#include "collect/run_costs.h"
#include "collect/sampler_fd_limit.h"
#include "collect/traceable_functions.h"

namespace nettoll {
namespace {

uint64_t monotonic_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

/// How often CPUs that came or went are looked for.
constexpr uint64_t kRescanEveryNs = 1'000'000'000;

/// The functions that a session tells of.
void describe_functions(const std::vector<PlanRow>& rows, Session& session) {
  session.hooks_per_packet = hooks_per_packet(rows);
  session.functions.clear();
  for (const PlanRow& row : rows) session.functions.push_back(row.function);
}

Session describe(const std::vector<PlanRow>& rows, const PlanRequest& request, const CpuSet& possible,
                 const CpuSet& online) {
  Session session;
  utsname names = {};
  ::uname(&names);
  session.host = names.nodename;
  session.kernel = names.release;
  session.arch = names.machine;
  session.set = request.set == FunctionSet::core ? "core" : "wide";
  session.cpu_limit = possible.limit();
  session.cpus_online = static_cast<uint32_t>(online.size());
  describe_functions(rows, session);
  return session;
}

/// What the kernel lets us do at the function that is there to try it on.
Features probe_kernel(BtfFacts& btf, const FunctionEntries& functions, const CpuSet& online) {
  std::optional<uint64_t> address;
  for (const FunctionEntry& entry : functions(kProbeTarget)) {
    if (entry.name == kProbeTarget && entry.module == kVmlinux) address = entry.address;
  }
  return probe_features(btf.function(kProbeTarget, kVmlinux), address, online.ids.front(), online.ids.back());
}

/// Descriptors of the BPF side: a program, a link and for kprobes an event for each hook, and the maps.
uint64_t bpf_descriptors(const std::vector<PlanRow>& rows) {
  constexpr uint64_t kMaps = 32;
  const auto hooks = static_cast<uint64_t>(
      std::count_if(rows.begin(), rows.end(), [](const PlanRow& row) { return row.needs_hook(); }));
  return 2 * NetPath::tracepoints().size() + 3 * hooks + kMaps;
}

/// What exact mode needs to know, without the events: those are known once the sampler has tried them.
ExactConfig exact_config(const CollectorConfig& config, const FunctionEntries& functions,
                         const CpuSet& possible) {
  ExactConfig exact;
  exact.request = config.exact;
  exact.request.force = config.plan.force;
  exact.entries = functions;
  exact.cpus = config.sampler.cpus.value_or(possible);
  exact.cpu_limit = possible.limit();
  return exact;
}

/// Drops what was counted on other CPUs.
void keep_cpus(RawBatch& batch, const CpuSet& cpus) {
  const auto elsewhere = [&](const auto& row) { return !cpus.contains(row.cpu); };
  std::erase_if(batch.packets, elsewhere);
  std::erase_if(batch.napi, elsewhere);
  std::erase_if(batch.softirqs, elsewhere);
  for (FunctionCalls& calls : batch.calls) {
    for (uint32_t cpu = 0; cpu < calls.by_cpu.size(); ++cpu) {
      if (!cpus.contains(cpu)) calls.by_cpu[cpu] = 0;
    }
  }
}

/// Whether a row is another one than before, since its module came or went; or may be hooked now, where that
/// failed before: a module that is still loading shows its functions and lets none be hooked.
bool has_changed(const PlanRow& was, const PlanRow& is) {
  if (was.function.method == Method::samples && is.function.method != Method::samples) return true;
  return was.function.name != is.function.name || was.function.module != is.function.module ||
         was.entries != is.entries;
}

void log_features(const Features& features) {
  const std::pair<const char*, const Feature&> all[] = {{"raw tracepoints", features.raw_tracepoint},
                                                        {"CPU ids", features.cpu_ids},
                                                        {"fentry", features.fentry},
                                                        {"kprobe.multi", features.kprobe_multi},
                                                        {"kprobe", features.kprobe}};
  for (const auto& [name, feature] : all)
    spdlog::debug("tried: {}: {}", name, feature.works ? "works" : feature.reason);
}

}  // namespace

Result<CountingPlan> make_counting_plan(const PlanRequest& request, const FunctionEntries& functions,
                                        const KernelFs& fs, const Features* known) {
  quiet_libbpf();
  auto btf = BtfFacts::load();
  if (!btf) return btf.error();
  const auto online = fs.online_cpus();
  if (!online) return online.error();
  if (online->empty()) return failure("/sys/devices/system/cpu/online names no CPU");
  CountingPlan plan;
  plan.cpu = online->ids.front();
  plan.features = known ? *known : probe_kernel(*btf, functions, *online);
  if (!known) log_features(plan.features);
  if (!plan.features.raw_tracepoint.works)
    return failure(plan.features.raw_tracepoint.reason, plan.features.raw_tracepoint.remedy);
  if (!plan.features.cpu_ids.works)
    return failure(plan.features.cpu_ids.reason, plan.features.cpu_ids.remedy);
  const auto traceable = TraceableFunctions::load(fs);
  KernelView view;
  view.entries = functions;
  view.btf = [&](std::string_view name, std::string_view module) { return btf->function(name, module); };
  view.has_tracepoint = [&](std::string_view name) { return btf->has_tracepoint(name); };
  view.traceable = [&](std::string_view name) { return traceable.may_have(name); };
  view.no_fentry = plan.features.fentry.reason;
  view.no_kprobe_multi = plan.features.kprobe_multi.reason;
  view.no_kprobe = plan.features.kprobe.reason;
  plan.rows = plan_attach(request, view);
  plan.drop_reason_argument = btf->drop_reason_argument();
  plan.drop_socket_argument = btf->drop_socket_argument();
  plan.drop_reasons = btf->drop_reasons();
  return plan;
}

Result<CountingPlan> try_counting(const PlanRequest& request, const FunctionEntries& functions,
                                  const KernelFs& fs) {
  auto plan = make_counting_plan(request, functions, fs);
  if (!plan) return plan.error();
  const auto possible = fs.possible_cpus();
  if (!possible) return possible.error();
  raise_fd_limit(open_descriptors(fs) + bpf_descriptors(plan->rows));
  const auto counters = FunctionCounters::attach(plan->rows, possible->limit(), plan->cpu);
  if (!counters) return counters.error();
  return plan;
}

Result<Collector> Collector::start(const CollectorConfig& config, const FunctionEntries& functions,
                                   const KernelFs& fs) {
  auto possible = fs.possible_cpus();
  if (!possible) return possible.error();
  auto online = fs.online_cpus();
  if (!online) return online.error();
  PlanRequest request = config.plan;
  if (config.in_slices) request.set = FunctionSet::core;
  auto plan = make_counting_plan(request, functions, fs);
  if (!plan) return plan.error();
  std::optional<CountingPlan> sliced;
  if (config.in_slices) {
    auto all = make_counting_plan(config.plan, functions, fs, &plan->features);
    if (!all) return all.error();
    sliced.emplace(std::move(*all));
  }
  SamplerConfig sampler_config = config.sampler;
  ExactConfig exact_config = nettoll::exact_config(config, functions, *possible);
  sampler_config.descriptors_beside = bpf_descriptors(plan->rows) +
                                      (sliced ? bpf_descriptors(sliced->rows) : 0) +
                                      ExactCounters::descriptors(exact_config, config.sampler.events.size());
  auto sampler = Sampler::open(sampler_config, fs);
  if (!sampler) return sampler.error();
  std::vector<std::string> exact_notes;
  std::optional<ExactCounters> exact;
  if (!config.exact.functions.empty()) {
    exact_config.events = exact_events(config.sampler.events, sampler->events(), exact_notes);
    auto attached = ExactCounters::attach(exact_config);
    if (!attached) return attached.error();
    exact.emplace(std::move(*attached));
  }
  NetPathConfig net_path_config;
  net_path_config.possible = *possible;
  net_path_config.online = *online;
  net_path_config.drop_reason_argument = plan->drop_reason_argument;
  net_path_config.drop_socket_argument = plan->drop_socket_argument;
  net_path_config.count_queues = config.count_queues;
  net_path_config.drop_code = config.drop_code;
  auto net_path = NetPath::attach(net_path_config);
  if (!net_path) return net_path.error();
  auto counters = FunctionCounters::attach(plan->rows, possible->limit(), plan->cpu);
  if (!counters) return counters.error();
  if (exact) {
    if (auto ok = exact->start(); !ok) return ok.error();
  }

  Collector collector(std::move(*sampler), std::move(*net_path), std::move(*counters));
  collector.session_ = describe(plan->rows, config.plan, *possible, *online);
  collector.session_.events = collector.sampler_.events();
  for (const UnavailableEvent& missing : collector.sampler_.missing())
    collector.session_.missing_events.push_back(missing.event);
  collector.session_.drop_reasons = plan->drop_reason_argument != 0;
  collector.session_.notes = collector.sampler_.notes();
  if (exact) {
    const auto& more = exact->notes();
    collector.session_.notes.insert(collector.session_.notes.end(), exact_notes.begin(), exact_notes.end());
    collector.session_.notes.insert(collector.session_.notes.end(), more.begin(), more.end());
    collector.exact_ = std::move(exact);
  }
  collector.only_cpus_ = config.sampler.cpus;
  if (config.sampler.cpus) {
    collector.session_.notes.push_back(
        fmt::format("only CPUs {} are traced; drops and queues are those of the whole host",
                    format_cpu_list(*config.sampler.cpus)));
  }
  collector.request_ = request;
  collector.features_ = plan->features;
  collector.rows_ = std::move(plan->rows);
  collector.drop_reasons_ = std::move(plan->drop_reasons);
  if (sliced) {
    if (auto ok = collector.make_slices(std::move(sliced->rows), possible->limit(), plan->cpu); !ok)
      return ok.error();
  }
  collector.last_read_ns_ = collector.last_rescan_ns_ = monotonic_ns();
  collector.sampler_.enable();
  return collector;
}

/// Takes the hooks away from rows of the whole set that are counted always, or would be, were they not shed.
/// Each is at the place that it has in rows_.
void Collector::leave_slices_their_hooks(std::vector<PlanRow>& wide) const {
  for (uint32_t i = 0; i < wide.size(); ++i) {
    const bool always = rows_[i].function.method != Method::samples || shed_.contains(i);
    if (wide[i].needs_hook() && !always)
      prefer_kprobe_multi(wide[i]);
    else
      wide[i] = sliced_row(wide[i]);
  }
}

/// `wide` has the rows of the whole set.
Status Collector::make_slices(std::vector<PlanRow> wide, uint32_t cpu_limit, uint32_t cpu) {
  leave_slices_their_hooks(wide);
  auto slices = CallSlices::create(std::move(wide), cpu_limit, cpu);
  if (!slices) return slices.error();
  slices_.emplace(std::move(*slices));
  mark_sliced();
  return {};
}

/// The numbers of the rows that are counted in slices.
std::vector<uint32_t> Collector::sliced() const {
  return slices_ ? slices_->hooked() : std::vector<uint32_t>();
}

void Collector::mark_sliced() {
  for (const uint32_t i : sliced())
    rows_[i] = slices_shed_ ? shed_row(slices_->rows()[i]) : sliced_row(slices_->rows()[i]);
  describe_functions(rows_, session_);
}

std::vector<std::string> Collector::own_programs() const {
  std::vector<std::string> names = net_path_.program_symbols();
  const auto more = counters_.program_symbols(rows_);
  names.insert(names.end(), more.begin(), more.end());
  if (slices_) {
    const auto of_slices = slices_->program_symbols();
    names.insert(names.end(), of_slices.begin(), of_slices.end());
  }
  if (exact_) names.insert(names.end(), exact_->program_symbols().begin(), exact_->program_symbols().end());
  return names;
}

std::vector<std::string> Collector::own_tracepoints() const {
  std::vector<std::string> names = NetPath::tracepoints();
  const auto add = [&](const std::vector<PlanRow>& rows) {
    for (const PlanRow& row : rows) {
      if (row.needs_hook() && row.function.method == Method::tracepoint)
        names.push_back(row.function.tracepoint);
    }
  };
  add(rows_);
  if (slices_) add(slices_->rows());
  return names;
}

Result<bool> Collector::wait(int timeout_ms, std::span<pollfd> extra) {
  auto ready = sampler_.wait(timeout_ms, extra);
  sampler_.drain();
  const uint64_t now = monotonic_ns();
  if (now - last_rescan_ns_ >= kRescanEveryNs) {
    follow_cpus();
    last_rescan_ns_ = now;
  }
  return ready;
}

void Collector::follow_cpus() {
  const auto done = sampler_.rescan();
  if (!done && !std::exchange(said_no_rescan_, true))
    spdlog::warn("CPUs that come or go are not followed: {}", done.error().text());
  if (done && std::exchange(said_no_rescan_, false)) spdlog::info("CPUs that come or go are followed again");
}

Status Collector::follow_modules(const FunctionEntries& functions, const KernelFs& fs) {
  auto plan = make_counting_plan(request_, functions, fs, &features_);
  if (!plan) return plan.error();
  // What is shed stays so, whatever became of it.
  for (auto& [number, with_hook] : shed_) {
    with_hook = plan->rows[number];
    if (with_hook.needs_hook()) plan->rows[number] = shed_row(with_hook);
  }
  std::vector<uint32_t> changed;
  for (uint32_t i = 0; i < rows_.size(); ++i) {
    const bool in_slices = slices_ && slices_->rows()[i].needs_hook();
    if (in_slices || !has_changed(rows_[i], plan->rows[i])) continue;
    rows_[i] = std::move(plan->rows[i]);
    changed.push_back(i);
  }
  drop_reasons_ = std::move(plan->drop_reasons);
  if (slices_) {
    if (auto ok = follow_in_slices(functions, fs); !ok) return ok;
  }
  if (changed.empty()) return {};
  const Status done = counters_.reattach(rows_, changed, plan->cpu);
  describe_functions(rows_, session_);
  return done;
}

/// Where functions came or went.
Status Collector::follow_in_slices(const FunctionEntries& functions, const KernelFs& fs) {
  PlanRequest request = request_;
  request.set = FunctionSet::wide;
  auto wide = make_counting_plan(request, functions, fs, &features_);
  if (!wide) return wide.error();
  leave_slices_their_hooks(wide->rows);
  std::vector<uint32_t> changed;
  for (uint32_t i = 0; i < wide->rows.size(); ++i) {
    const PlanRow& was = slices_->rows()[i];
    const PlanRow& is = wide->rows[i];
    if (is.needs_hook() != was.needs_hook() || (was.needs_hook() && has_changed(was, is)))
      changed.push_back(i);
  }
  if (changed.empty()) return {};
  end_slice();
  const Status done = slices_->follow(wide->rows, changed, wide->cpu);
  mark_sliced();
  return done;
}

Status Collector::measure_costs(const FunctionEntries& functions, const KernelFs& fs) {
  std::vector<PlanRow> hooked = rows_;
  if (slices_) hooked.insert(hooked.end(), slices_->rows().begin(), slices_->rows().end());
  auto costs = measure_run_costs(hooked, !sampler_.events().empty(), functions, fs);
  if (!costs) return costs.error();
  costs_ = *costs;
  runs_ = {};
  own_cpu_ = process_cpu_time();
  load_since_ns_ = monotonic_ns();
  return {};
}

OwnLoad Collector::take_own_load() {
  const auto cpu = process_cpu_time();
  const auto user = cpu - std::exchange(own_cpu_, cpu);
  const auto window = static_cast<double>(last_read_ns_ - std::exchange(load_since_ns_, last_read_ns_));
  const RunCosts costs = costs_.value_or(RunCosts{});
  OwnLoad load = own_load(std::exchange(runs_, {}), rows_, costs, static_cast<double>(user.count()), window,
                          session_.cpus_online);
  if (slices_ && !slices_shed_) {
    OwnRuns runs;
    runs.hooks = slices_->take_runs();
    const OwnLoad of_slices = own_load(runs, slices_->rows(), costs, 0, window, session_.cpus_online);
    load.hooks.push_back({sliced(), of_slices.programs()});
  }
  return load;
}

Status Collector::shed_hooks(const std::vector<uint32_t>& rows, const KernelFs& fs) {
  const auto online = fs.online_cpus();
  if (!online) return online.error();
  std::vector<uint32_t> going, coming;
  for (const uint32_t row : rows) {
    if (!shed_.contains(row) && rows_[row].needs_hook()) going.push_back(row);
  }
  counters_.pause(rows_, going);
  for (const uint32_t row : going) {
    shed_.emplace(row, rows_[row]);
    rows_[row] = shed_row(rows_[row]);
  }
  for (auto it = shed_.begin(); it != shed_.end();) {
    if (std::find(rows.begin(), rows.end(), it->first) != rows.end()) {
      ++it;
      continue;
    }
    rows_[it->first] = std::move(it->second);
    coming.push_back(it->first);
    it = shed_.erase(it);
  }
  const std::vector<uint32_t> in_slices = sliced();
  slices_shed_ = std::any_of(in_slices.begin(), in_slices.end(), [&](uint32_t row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
  });
  if (slices_shed_) end_slice();
  const Status done = coming.empty() ? Status() : counters_.resume(rows_, coming, online->ids.front());
  mark_sliced();
  return done;
}

Status Collector::begin_slice(std::chrono::nanoseconds room, const KernelFs& fs) {
  if (!slices_ || slices_shed_ || slices_->is_open()) return {};
  const auto online = fs.online_cpus();
  if (!online) return online.error();
  return slices_->begin(online->ids.front(), room, [&] { return net_path_.packets(); });
}

void Collector::end_slice() {
  if (slices_) slices_->end([&] { return net_path_.packets(); });
}

std::vector<EstimatedCalls> Collector::take_estimates() {
  return slices_ ? slices_->take_estimates() : std::vector<EstimatedCalls>();
}

void Collector::halve_rates(uint32_t halvings) {
  sampler_.halve_rates(halvings);
  session_.events = sampler_.events();
}

Result<RawBatch> Collector::read() {
  RawBatch batch;
  batch.start_ns = last_read_ns_;
  sampler_.read(batch);
  if (auto ok = net_path_.read(batch, rows_); !ok) return ok.error();
  counters_.read(rows_, batch);
  if (slices_) slices_->take_losses(batch.losses);
  if (exact_) exact_->read(batch.exact);
  if (costs_) runs_.add(own_runs(batch, rows_));
  if (slices_ && !slices_shed_) {
    for (const PathPackets& row : batch.packets) slices_->add_packets(row.packets);
  }
  if (only_cpus_) keep_cpus(batch, *only_cpus_);
  batch.end_ns = last_read_ns_ = monotonic_ns();
  return batch;
}

}  // namespace nettoll
