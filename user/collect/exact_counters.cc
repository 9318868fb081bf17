// SPDX-License-Identifier: Apache-2.0
#include "collect/exact_counters.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <optional>

#include "bpf/shared.h"
#include "collect/bpf_program.h"
#include "collect/btf_facts.h"
#include "collect/exact_events.h"
#include "collect/exact_histogram.h"
#include "collect/exact_programs.h"
#include "collect/pinned_thread.h"
#include "exact.skel.h"

namespace nettoll {
namespace {

struct DestroyExact {
  void operator()(exact_bpf* skeleton) const { exact_bpf__destroy(skeleton); }
};
using ExactSkeleton = std::unique_ptr<exact_bpf, DestroyExact>;

/// By measure; empty where it could not be found out.
using OwnCost = std::array<std::optional<uint64_t>, NT_EXACT_MEASURES>;

/// What a function counted so far, or since some time.
struct FunctionSums {
  uint64_t calls = 0;
  ExactDiscards discards;  ///< without those of a measure
  std::vector<ExactSums> measures;
};

struct HookedFunction {
  std::string name;
  std::string module;
  Method method = Method::fentry;
  uint32_t slot = 0;
  ExactPair programs;
  FunctionSums seen;
};

constexpr int kWarmUpRuns = 50;
constexpr int kTrialRuns = 1000;
/// The kernel calls this function, which adds one, when a tracing program is to be test-run
/// (bpf_prog_test_run_tracing in net/bpf/test_run.c).
constexpr const char* kTestFunction = "bpf_fentry_test1";
/// That calls it, once.
constexpr const char* kTestCaller = "bpf_prog_test_run_tracing";
/// A tracepoint that fires when a thread names itself, and hardly ever else.
constexpr const char* kTestTracepoint = "task_rename";

/// Slots of the calibration; those of functions follow.
constexpr uint32_t kTestSlot = 0, kCallerSlot = 1, kFirstSlot = 2;
/// So rarely that it does not happen while we look.
constexpr uint64_t kHardlyEver = uint64_t{1} << 30;

Instructions instructions(const bpf_program* program) {
  return {bpf_program__insns(program), bpf_program__insn_cnt(program)};
}

bool test_run(int program) {
  bpf_test_run_opts options = {};
  options.sz = sizeof(options);
  return bpf_prog_test_run_opts(program, &options) == 0;
}

}  // namespace

struct ExactCounters::State {
  ExactSkeleton skeleton;
  Mapping slots;
  ExactEvents events;
  std::vector<EventSpec> specs;
  CpuSet cpus;
  uint32_t cpu_limit = 0;
  size_t cpu_bytes = 0;  ///< of all slots of a CPU
  uint32_t one_in = 1;
  OwnCost own_function, own_softirq;
  std::vector<HookedFunction> functions;
  std::vector<std::string> notes;
  std::vector<std::string> symbols;

  size_t measures() const { return 1 + specs.size(); }
  size_t slot_bytes() const { return sizeof(nt_exact_slot) + measures() * sizeof(nt_exact_cell); }
  uint32_t slot_offset(uint32_t number) const {
    return static_cast<uint32_t>(sizeof(nt_exact_cpu) + number * slot_bytes());
  }
  void set_rate(uint32_t number, uint64_t rate);
  const nt_exact_slot& slot(uint32_t cpu, uint32_t number) const;
  const nt_exact_cell* cells(uint32_t cpu, uint32_t number) const;

  Status load(size_t function_count);
  Result<ExactPair> make_function_pair(const std::string& name, const BtfTarget& target, uint32_t slot);
  Result<ExactPair> make_tracepoint_pair(const std::string& name, uint32_t vector, uint32_t slot);
  OwnCost run_trials(uint32_t number, const std::function<bool()>& trigger) const;
  Status calibrate_function(BtfFacts& btf);
  Status calibrate_inside(BtfFacts& btf, ExactPair& test);
  Status calibrate_softirq();
  Status hook(const ExactRow& row);
  FunctionSums sums_of(const HookedFunction& function) const;
  void note(std::string text) { notes.push_back("exact mode: " + std::move(text)); }
  void report(HookedFunction& function, std::vector<ExactCost>& costs);
};

const nt_exact_slot& ExactCounters::State::slot(uint32_t cpu, uint32_t number) const {
  const auto* base = static_cast<const std::byte*>(slots.data()) + cpu * cpu_bytes + slot_offset(number);
  return *reinterpret_cast<const nt_exact_slot*>(base);
}

const nt_exact_cell* ExactCounters::State::cells(uint32_t cpu, uint32_t number) const {
  return reinterpret_cast<const nt_exact_cell*>(&slot(cpu, number) + 1);
}

void ExactCounters::State::set_rate(uint32_t number, uint64_t rate) {
  for (uint32_t cpu = 0; cpu < cpu_limit; ++cpu) {
    auto* base = static_cast<std::byte*>(slots.data()) + cpu * cpu_bytes + slot_offset(number);
    __atomic_store_n(&reinterpret_cast<nt_exact_slot*>(base)->rate, rate, __ATOMIC_RELEASE);
  }
}

Status ExactCounters::State::load(size_t function_count) {
  skeleton.reset(exact_bpf__open());
  if (!skeleton) return system_error("cannot open the programs of exact mode", errno);
  cpu_bytes = sizeof(nt_exact_cpu) + (kFirstSlot + function_count) * slot_bytes();
  skeleton->rodata->nt_events = static_cast<uint32_t>(specs.size());
  skeleton->rodata->nt_cpu_limit = cpu_limit;
  skeleton->rodata->nt_look_first = one_in > 1;
  bpf_map__set_max_entries(skeleton->maps.nt_exact, cpu_limit);
  bpf_map__set_value_size(skeleton->maps.nt_exact, static_cast<uint32_t>(cpu_bytes));
  bpf_map__set_max_entries(skeleton->maps.nt_counters,
                           std::max(1u, static_cast<uint32_t>(specs.size()) * cpu_limit));
  if (const int err = exact_bpf__load(skeleton.get()); err)
    return system_error("the kernel refused the programs of exact mode", -err, bpf_remedy(-err));
  auto mapped =
      map_array(bpf_map__fd(skeleton->maps.nt_exact), cpu_limit, static_cast<uint32_t>(cpu_bytes), true);
  if (!mapped) return mapped.error();
  slots = std::move(*mapped);
  return {};
}

Result<ExactPair> ExactCounters::State::make_function_pair(const std::string& name, const BtfTarget& target,
                                                           uint32_t slot) {
  const auto entry_code = with_slot(instructions(skeleton->progs.nt_function_entry), slot_offset(slot), 0);
  if (!entry_code) return entry_code.error();
  const auto exit_code = with_slot(instructions(skeleton->progs.nt_function_exit), slot_offset(slot), 0);
  if (!exit_code) return exit_code.error();
  auto entry = ExactProgram::load_function(*entry_code, "nt_in_" + name, target, false);
  if (!entry) return entry.error();
  auto exit = ExactProgram::load_function(*exit_code, "nt_out_" + name, target, true);
  if (!exit) return exit.error();
  return ExactPair{std::move(*entry), std::move(*exit)};
}

Result<ExactPair> ExactCounters::State::make_tracepoint_pair(const std::string& name, uint32_t vector,
                                                             uint32_t slot) {
  const auto entry_code =
      with_slot(instructions(skeleton->progs.nt_softirq_entry), slot_offset(slot), vector);
  if (!entry_code) return entry_code.error();
  const auto exit_code = with_slot(instructions(skeleton->progs.nt_softirq_exit), slot_offset(slot), vector);
  if (!exit_code) return exit_code.error();
  auto entry = ExactProgram::load_tracepoint(*entry_code, "nt_in_" + name);
  if (!entry) return entry.error();
  auto exit = ExactProgram::load_tracepoint(*exit_code, "nt_out_" + name);
  if (!exit) return exit.error();
  return ExactPair{std::move(*entry), std::move(*exit)};
}

/// Lets the attached pair of a slot run, and takes the median of what it measured.
OwnCost ExactCounters::State::run_trials(uint32_t number, const std::function<bool()>& trigger) const {
  std::array<std::vector<uint64_t>, NT_EXACT_MEASURES> trials;
  std::vector<uint64_t> seen(cpu_limit * measures());
  const PinnedThread where_events_count(cpus);
  for (int run = -kWarmUpRuns; run < kTrialRuns; ++run) {
    if (!trigger()) break;
    // On whatever CPU it ran.
    for (uint32_t cpu = 0; cpu < cpu_limit; ++cpu) {
      for (size_t m = 0; m < measures(); ++m) {
        const nt_exact_cell& cell = cells(cpu, number)[m];
        const uint64_t n = __atomic_load_n(&cell.n, __ATOMIC_ACQUIRE);
        if (n == std::exchange(seen[cpu * measures() + m], n) || run < 0) continue;
        trials[m].push_back(__atomic_load_n(&cell.last, __ATOMIC_RELAXED));
      }
    }
  }
  OwnCost own;
  for (size_t m = 0; m < measures(); ++m) own[m] = own_cost_of(std::move(trials[m]));
  return own;
}

Status ExactCounters::State::calibrate_function(BtfFacts& btf) {
  const auto target = btf.function(kTestFunction, kVmlinux);
  if (!target) return failure("the kernel has no function to calibrate on");
  auto pair = make_function_pair("test", *target, kTestSlot);
  if (!pair) return pair.error();
  if (auto ok = pair->exit.attach(nullptr); !ok) return ok;
  if (auto ok = pair->entry.attach(nullptr); !ok) return ok;
  own_function = run_trials(kTestSlot, [&] { return test_run(pair->entry.fd()); });
  // With no own cost set yet, so that the programs go the way of an ordinary value, not of one near 0.
  if (auto ok = calibrate_inside(btf, *pair); !ok)
    note(fmt::format("functions hold the cost of probes at functions that they call ({})",
                     ok.error().message));
  for (size_t m = 0; m < measures(); ++m) skeleton->bss->nt_own_function[m] = own_function[m].value_or(0);
  return {};
}

/// A pair at the caller of the test function measures it with the test pair at work, with it passing calls,
/// and without it.
Status ExactCounters::State::calibrate_inside(BtfFacts& btf, ExactPair& test) {
  const auto target = btf.function(kTestCaller, kVmlinux);
  if (!target) return failure(fmt::format("the kernel has no function {}", kTestCaller));
  auto caller = make_function_pair("caller", *target, kCallerSlot);
  if (!caller) return caller.error();
  if (auto ok = caller->exit.attach(nullptr); !ok) return ok;
  if (auto ok = caller->entry.attach(nullptr); !ok) return ok;
  const auto run = [&] { return test_run(test.entry.fd()); };
  const OwnCost measuring = run_trials(kCallerSlot, run);
  set_rate(kTestSlot, kHardlyEver);
  const OwnCost passing = run_trials(kCallerSlot, run);
  set_rate(kTestSlot, 0);
  test.entry.detach();
  test.exit.detach();
  const OwnCost without = run_trials(kCallerSlot, run);
  for (size_t m = 0; m < measures(); ++m) {
    skeleton->bss->nt_inside_measured[m] = cost_inside(measuring[m], without[m]).value_or(0);
    skeleton->bss->nt_inside_passed[m] = cost_inside(passing[m], without[m]).value_or(0);
  }
  return {};
}

/// Both programs hang on one tracepoint, which calls them one after the other as the kernel calls those of
/// the real pair: what is missing is a softirq handler in between.
Status ExactCounters::State::calibrate_softirq() {
  auto pair = make_tracepoint_pair("test", NT_EXACT_ANY_VECTOR, kTestSlot);
  if (!pair) return pair.error();
  if (auto ok = pair->entry.attach(kTestTracepoint); !ok) return ok;
  if (auto ok = pair->exit.attach(kTestTracepoint); !ok) return ok;
  char name[16] = {};  // TASK_COMM_LEN
  ::prctl(PR_GET_NAME, name);
  own_softirq = run_trials(kTestSlot, [&] { return ::prctl(PR_SET_NAME, name) == 0; });
  for (size_t m = 0; m < measures(); ++m) skeleton->bss->nt_own_softirq[m] = own_softirq[m].value_or(0);
  return {};
}

Status ExactCounters::State::hook(const ExactRow& row) {
  const auto slot = static_cast<uint32_t>(kFirstSlot + functions.size());
  set_rate(slot, one_in);
  const bool fentry = row.method == Method::fentry;
  auto pair = fentry ? make_function_pair(row.function, row.btf, slot)
                     : make_tracepoint_pair(row.function, row.vector, slot);
  if (!pair) return pair.error();
  // The exit first: an entry without one would stay open.
  if (auto ok = pair->exit.attach(fentry ? nullptr : "softirq_exit"); !ok) return ok;
  if (fentry) {
    if (auto ok = pair->entry.attach(nullptr); !ok) return ok;
    symbols.push_back(trampoline_symbol(pair->entry.fd(), row.btf.type));
    symbols.push_back(early_trampoline_symbol(row.btf.type));
  }
  for (const int fd : {pair->entry.fd(), pair->exit.fd()}) {
    if (auto symbol = program_symbol(fd)) symbols.push_back(std::move(*symbol));
  }
  HookedFunction function;
  function.name = row.function;
  function.module = row.module;
  function.method = row.method;
  function.slot = slot;
  function.programs = std::move(*pair);
  function.seen.measures.resize(measures());
  functions.push_back(std::move(function));
  return {};
}

FunctionSums ExactCounters::State::sums_of(const HookedFunction& function) const {
  FunctionSums sums;
  sums.measures.resize(measures());
  for (const uint32_t cpu : cpus.ids) {
    if (cpu >= cpu_limit) continue;
    const nt_exact_slot& from = slot(cpu, function.slot);
    sums.calls += from.calls;
    sums.discards.cpu_changed += from.cpu_changed;
    sums.discards.switched += from.switched;
    sums.discards.no_room += from.no_room;
    for (size_t m = 0; m < measures(); ++m) sums.measures[m].add(cells(cpu, function.slot)[m]);
  }
  return sums;
}

void ExactCounters::State::report(HookedFunction& function, std::vector<ExactCost>& costs) {
  const FunctionSums before = std::exchange(function.seen, sums_of(function));
  const FunctionSums& now = function.seen;
  ExactCost common;
  common.function = function.name;
  common.module = function.module;
  common.method = function.method;
  common.one_in = one_in;
  common.calls = now.calls - before.calls;
  common.discards.cpu_changed = now.discards.cpu_changed - before.discards.cpu_changed;
  common.discards.switched = now.discards.switched - before.discards.switched;
  common.discards.no_room = now.discards.no_room - before.discards.no_room;
  common.discards.missed = function.programs.entry.take_missed() + function.programs.exit.take_missed();
  const OwnCost& own = function.method == Method::fentry ? own_function : own_softirq;
  std::vector<ExactSums> gained;
  for (size_t m = 0; m < measures(); ++m) gained.push_back(now.measures[m].minus(before.measures[m]));
  // All events are read in the same way: where one stood still, zeros of the others mean nothing either.
  bool still = false;
  for (size_t m = 1; m < measures(); ++m) still = still || stood_still(gained[m], own[m].value_or(0));
  for (size_t m = 0; m < measures(); ++m) {
    ExactSums sums = gained[m];
    if (still && m > 0) {
      sums = {};
      sums.unreadable = gained[m].unreadable + gained[m].n;
    }
    ExactCost cost = common;
    if (m > 0) {
      cost.event = specs[m - 1].name;
      cost.unit = EventUnit::count;
    }
    cost.n = sums.n;
    cost.discards.unreadable = sums.unreadable;
    cost.calibrated = own[m].has_value();
    const uint64_t own_cost = own[m].value_or(0);
    cost.own_cost = static_cast<double>(own_cost);
    cost.below_zero = sums.below;
    if (const auto mean = exact_mean(sums, own_cost)) {
      cost.mean = mean->mean;
      cost.std_error = mean->std_error;
      cost.probes_inside = static_cast<double>(sums.inside) / static_cast<double>(sums.n);
      cost.p50 = exact_quantile(sums.buckets, 0.5).value_or(0);
      cost.p90 = exact_quantile(sums.buckets, 0.9).value_or(0);
      cost.p99 = exact_quantile(sums.buckets, 0.99).value_or(0);
      cost.below_probe_cost = cost.calibrated && is_below_probe_cost(cost.p50, own_cost);
    }
    costs.push_back(std::move(cost));
  }
}

ExactCounters::ExactCounters(std::unique_ptr<State> state) : state_(std::move(state)) {}
ExactCounters::ExactCounters(ExactCounters&&) noexcept = default;
ExactCounters& ExactCounters::operator=(ExactCounters&&) noexcept = default;
ExactCounters::~ExactCounters() = default;

Result<ExactCounters> ExactCounters::attach(const ExactConfig& config) {
  auto state = std::make_unique<State>();
  state->specs = config.events;
  state->cpus = config.cpus;
  state->cpu_limit = config.cpu_limit;
  state->one_in = std::max(1u, config.request.one_in);
  if (auto ok = state->load(config.request.functions.size()); !ok) return ok.error();
  auto events = ExactEvents::open(state->specs, config.cpus, config.cpu_limit,
                                  bpf_map__fd(state->skeleton->maps.nt_counters));
  if (!events) return events.error();
  state->events = std::move(*events);
  auto btf = BtfFacts::load();
  if (!btf) return btf.error();

  ExactKernelView kernel;
  kernel.entries = config.entries;
  kernel.btf = [&](std::string_view name, std::string_view module) { return btf->function(name, module); };
  if (auto ok = state->calibrate_function(*btf); !ok)
    kernel.no_fentry = fmt::format("fentry and fexit do not work here: {}", ok.error().message);
  const auto rows = plan_exact(config.request, kernel);
  if (auto ok = check_exact_plan(rows); !ok) return ok.error();
  const bool softirqs = std::any_of(rows.begin(), rows.end(),
                                    [](const ExactRow& row) { return row.method == Method::tracepoint; });
  if (softirqs) {
    if (auto ok = state->calibrate_softirq(); !ok) spdlog::debug("exact: {}", ok.error().text());
  }

  for (const ExactRow& row : rows) {
    if (row.method == Method::samples) {
      state->note(fmt::format("{} is not measured: {}", row.function, row.obstacle));
    } else if (auto ok = state->hook(row); !ok) {
      state->note(fmt::format("{} is not measured: {}", row.function, ok.error().message));
    }
  }
  if (state->functions.empty())
    return failure(fmt::format("{}", fmt::join(state->notes, "; ")),
                   "nettoll doctor tells what this kernel offers");
  return ExactCounters(std::move(state));
}

Status ExactCounters::start() {
  for (HookedFunction& function : state_->functions) {
    if (function.method != Method::tracepoint) continue;
    if (auto ok = function.programs.entry.attach("softirq_entry"); !ok) return ok;
  }
  return {};
}

void ExactCounters::read(std::vector<ExactCost>& costs) {
  for (HookedFunction& function : state_->functions) state_->report(function, costs);
}

const std::vector<std::string>& ExactCounters::notes() const {
  return state_->notes;
}

const std::vector<std::string>& ExactCounters::program_symbols() const {
  return state_->symbols;
}

uint64_t ExactCounters::descriptors(const ExactConfig& config, size_t events) {
  if (config.request.functions.empty()) return 0;
  constexpr uint64_t kMaps = 8, kTemplates = 4, kOfPair = 4;
  return kMaps + kTemplates + kOfPair * (config.request.functions.size() + 1) +
         std::min<size_t>(events, NT_EXACT_EVENTS) * config.cpus.size();
}

}  // namespace nettoll
