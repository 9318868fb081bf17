// SPDX-License-Identifier: Apache-2.0
#include "collect/run_costs.h"

#include <spdlog/spdlog.h>
#include <sys/prctl.h>

#include <algorithm>
#include "base/cpu_time.h"
#include "collect/btf_facts.h"
#include "collect/function_counters.h"
#include "collect/perf_attr.h"
#include "collect/perf_event_fd.h"
#include "collect/perf_event_name.h"
#include "collect/perf_ring.h"
#include "model/names.h"

namespace nettoll {
namespace {

constexpr int kBatches = 20;
constexpr int kCallsABatch = 500;
/// A tracepoint and a function that a thread meets once when it names itself, and that is hardly ever met
/// else (fs/exec.c __set_task_comm).
constexpr const char* kTestTracepoint = "task_rename";
constexpr const char* kTestFunction = "__set_task_comm";

constexpr int kSampledCalls = 20'000;
constexpr uint64_t kSamplePeriodNs = 100'000;
constexpr size_t kRingBytes = 256 << 10;

/// CPU time of this thread in `batches` with `calls` each, in nanoseconds: with the interrupts that came into
/// it, and without what other threads took in between.
std::vector<double> time_calls(int batches, int calls) {
  char name[16] = {};  // TASK_COMM_LEN
  ::prctl(PR_GET_NAME, name);
  std::vector<double> times;
  for (int batch = 0; batch < batches; ++batch) {
    const auto start = thread_cpu_time();
    for (int i = 0; i < calls; ++i) ::prctl(PR_SET_NAME, name);
    times.push_back(static_cast<double>((thread_cpu_time() - start).count()));
  }
  return times;
}

PlanRow test_row(Method method, BtfFacts& btf, const FunctionEntries& functions) {
  PlanRow row;
  const bool tracepoint = method == Method::tracepoint;
  row.function.name = tracepoint ? kTestTracepoint : kTestFunction;
  row.function.module = kVmlinux;
  row.function.method = method;
  row.function.state = CountState::counted;
  if (tracepoint) row.function.tracepoint = kTestTracepoint;
  row.steps.push_back({method, CountState::counted, {}, true, row.function.tracepoint, {}});
  if (method == Method::fentry) row.btf = btf.function(kTestFunction, kVmlinux).value_or(BtfTarget{});
  if (!tracepoint) row.entries = functions(kTestFunction);
  return row;
}

Result<double> measure_hook(Method method, BtfFacts& btf, const FunctionEntries& functions,
                            const KernelFs& fs) {
  const auto possible = fs.possible_cpus();
  if (!possible) return possible.error();
  const auto online = fs.online_cpus();
  if (!online) return online.error();
  std::vector<PlanRow> rows{test_row(method, btf, functions)};
  std::vector<double> without = time_calls(kBatches, kCallsABatch);
  std::vector<double> with;
  RawBatch counted;
  {
    auto counters = FunctionCounters::attach(rows, possible->limit(), online->ids.front());
    if (!counters) return counters.error();
    if (!rows.front().needs_hook()) return failure(rows.front().function.condition);
    with = time_calls(kBatches, kCallsABatch);
    counters->read(rows, counted);
  }
  if (counted.calls.empty() || counted.calls.front().total() < uint64_t{kBatches} * kCallsABatch)
    return failure(fmt::format("{} did not run the program", rows.front().function.name));
  const std::vector<double> again = time_calls(kBatches, kCallsABatch);
  without.insert(without.end(), again.begin(), again.end());
  return cost_of_run(std::move(with), std::move(without), kCallsABatch);
}

/// Counts samples.
class SampleCounter : public RecordSink {
 public:
  uint64_t samples = 0;

  void on_sample(const Sample&) override { ++samples; }
  void on_lost(uint64_t, uint64_t) override {}
  void on_lost_samples(uint64_t, uint64_t) override {}
  void on_throttle(uint64_t, uint64_t) override {}
  void on_unthrottle(uint64_t, uint64_t) override {}
  void on_unmatched() override {}
};

Result<double> measure_sample(const KernelFs& fs) {
  const auto spec = parse_event("cpu-clock", fs);
  if (!spec) return spec.error();
  SamplingConfig config;
  config.rate.period = kSamplePeriodNs;
  AttrFeatures features;
  features.lost = false;
  const auto event = PerfEventFd::open(make_attr(*spec, spec->targets.front(), config, features), 0, -1);
  if (!event) return event.error();
  auto ring = PerfRing::map(event->get(), kRingBytes);
  if (!ring) return ring.error();
  constexpr int kRuns = 5;
  std::vector<double> without, with;
  SampleCounter counter;
  uint64_t samples = 0;
  for (int run = 0; run < kRuns; ++run) {
    without.push_back(time_calls(1, kSampledCalls).front());
    if (auto ok = event->enable(); !ok) return ok.error();
    with.push_back(time_calls(1, kSampledCalls).front());
    if (auto ok = event->disable(); !ok) return ok.error();
    counter.samples = 0;
    ring->drain(counter);
    // The quickest batch is the one with the fewest.
    samples = run == 0 ? counter.samples : std::min(samples, counter.samples);
  }
  if (samples == 0) return failure("no sample was taken");
  return cost_of_run(std::move(with), std::move(without), static_cast<double>(samples));
}

}  // namespace

Result<double> cost_of_run(std::vector<double> with, std::vector<double> without, double runs) {
  if (with.empty() || without.empty() || runs <= 0) return failure("nothing was measured");
  const double more =
      *std::min_element(with.begin(), with.end()) - *std::min_element(without.begin(), without.end());
  if (more <= 0) return failure("its cost drowns in noise");
  return more / runs;
}

Result<RunCosts> measure_run_costs(const std::vector<PlanRow>& rows, bool sampling,
                                   const FunctionEntries& functions, const KernelFs& fs) {
  auto btf = BtfFacts::load();
  if (!btf) return btf.error();
  RunCosts costs;
  const auto set = [&](Method method, double ns) { costs.hook_ns[static_cast<size_t>(method)] = ns; };
  auto first = measure_hook(Method::tracepoint, *btf, functions, fs);
  if (!first) return failure(fmt::format("a run of a program cannot be measured: {}", first.error().message));
  double dearest = *first;
  spdlog::debug("a run at a tracepoint takes {:.1f} ns", *first);
  set(Method::tracepoint, *first);
  std::vector<Method> unknown;
  for (const Method method : {Method::fentry, Method::kprobe_multi, Method::kprobe}) {
    const bool used = std::any_of(rows.begin(), rows.end(), [&](const PlanRow& row) {
      return row.needs_hook() && row.function.method == method;
    });
    if (!used) continue;
    if (const auto cost = measure_hook(method, *btf, functions, fs)) {
      spdlog::debug("a run by {} takes {:.1f} ns", name_of(method), *cost);
      set(method, *cost);
      dearest = std::max(dearest, *cost);
    } else {
      spdlog::debug("a run by {} cannot be measured: {}", name_of(method), cost.error().message);
      unknown.push_back(method);
    }
  }
  for (const Method method : unknown) set(method, dearest);
  if (!sampling) return costs;
  const auto sample = measure_sample(fs);
  if (!sample) return failure(fmt::format("a sample cannot be measured: {}", sample.error().message));
  costs.sample_ns = *sample;
  spdlog::debug("a sample takes {:.0f} ns", *sample);
  return costs;
}

}  // namespace nettoll
