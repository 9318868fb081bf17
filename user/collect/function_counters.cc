// SPDX-License-Identifier: Apache-2.0
#include "collect/function_counters.h"

#include <bpf/libbpf.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <numeric>

#include "bpf/shared.h"
#include "collect/bpf_program.h"
#include "collect/hook_ladder.h"
#include "functions.skel.h"
#include "model/names.h"

namespace nettoll {
namespace {

struct DestroyFunctions {
  void operator()(functions_bpf* skeleton) const { functions_bpf__destroy(skeleton); }
};
using FunctionsSkeleton = std::unique_ptr<functions_bpf, DestroyFunctions>;

bool may_use(const PlanRow& row, Method method) {
  return std::any_of(row.steps.begin(), row.steps.end(),
                     [&](const Step& step) { return step.method == method; });
}

uint64_t missed_of(const HookedRow& hooked) {
  uint64_t missed = hooked.program ? missed_runs(hooked.program.get()) : 0;
  for (const Kprobe& kprobe : hooked.kprobes) {
    if (kprobe.link) missed += missed_by_kprobe(kprobe.link.get());
  }
  return missed;
}

uint64_t missed_of(const MultiHooks& multi) {
  if (multi.program < 0) return 0;
  uint64_t missed = missed_runs(multi.program);
  for (const UniqueFd& link : multi.links) missed += missed_by_kprobe_multi(link.get());
  return missed;
}

bool is_among(uint32_t number, const std::vector<uint32_t>& numbers) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

void log_hooks(const std::vector<PlanRow>& rows, const std::vector<HookedRow>& hooked) {
  for (const HookedRow& one : hooked) {
    const CountedFunction& function = rows[one.row].function;
    spdlog::debug("attached: {} by {}{}", function.name, name_of(function.method),
                  function.method == Method::tracepoint ? " " + function.tracepoint : "");
  }
}

}  // namespace

struct FunctionCounters::State {
  FunctionsSkeleton skeleton;
  Mapping counters;
  uint32_t cpu_limit = 0;
  size_t slots = 0;  ///< the slot of a row is its number
  HookTemplates templates;
  std::vector<HookedRow> hooked;
  std::vector<HookedRow> paused;  ///< with their programs, and no links
  std::vector<uint32_t> unread;   ///< rows that were hooked since the last read and are no more
  MultiHooks multi;
  std::vector<uint64_t> seen;         ///< [CPU][slot] at the last read
  std::vector<uint64_t> missed_seen;  ///< by slot
  uint64_t multi_missed_seen = 0;
  uint64_t multi_missed_unread = 0;  ///< by links that are gone

  Status load(const std::vector<PlanRow>& rows);
  FunctionCalls advance(uint32_t slot);
  void drop_unused_multi(const std::vector<PlanRow>& rows);
  uint64_t count(uint32_t cpu, uint32_t slot) const {
    const auto* counts = static_cast<const uint64_t*>(counters.data());
    return __atomic_load_n(counts + cpu * slots + slot, __ATOMIC_RELAXED);
  }
};

FunctionCounters::FunctionCounters(std::unique_ptr<State> state) : state_(std::move(state)) {}
FunctionCounters::FunctionCounters(FunctionCounters&&) noexcept = default;
FunctionCounters& FunctionCounters::operator=(FunctionCounters&&) noexcept = default;
FunctionCounters::~FunctionCounters() = default;

Status FunctionCounters::State::load(const std::vector<PlanRow>& rows) {
  // Room for every row, since a module that comes later makes one countable.
  constexpr size_t kSlotsPerLine = NT_CACHE_LINE / sizeof(uint64_t);
  slots = std::max<size_t>(NT_MIN_SLOTS, (rows.size() + kSlotsPerLine - 1) / kSlotsPerLine * kSlotsPerLine);
  seen.assign(slots * cpu_limit, 0);
  missed_seen.assign(slots, 0);
  const auto value_size = static_cast<uint32_t>(slots * sizeof(uint64_t));
  skeleton.reset(functions_bpf__open());
  if (!skeleton) return system_error("cannot open the counting program", errno);
  skeleton->rodata->last_slot = slots - 1;
  bpf_map__set_max_entries(skeleton->maps.nt_calls, cpu_limit);
  bpf_map__set_value_size(skeleton->maps.nt_calls, value_size);
  const bool use_multi = std::any_of(rows.begin(), rows.end(),
                                     [](const PlanRow& row) { return may_use(row, Method::kprobe_multi); });
  bpf_program__set_autoload(skeleton->progs.nt_count_multi, use_multi);
  if (const int err = functions_bpf__load(skeleton.get()); err)
    return system_error("the kernel refused the counting program", -err, bpf_remedy(-err));
  auto mapped = map_array(bpf_map__fd(skeleton->maps.nt_calls), cpu_limit, value_size);
  if (!mapped) return mapped.error();
  counters = std::move(*mapped);
  templates.count = {bpf_program__insns(skeleton->progs.nt_count),
                     bpf_program__insn_cnt(skeleton->progs.nt_count)};
  if (use_multi) multi.program = bpf_program__fd(skeleton->progs.nt_count_multi);
  return {};
}

/// What the slot gained since the last read.
FunctionCalls FunctionCounters::State::advance(uint32_t slot) {
  FunctionCalls calls{slot, std::vector<uint64_t>(cpu_limit), 0};
  for (uint32_t cpu = 0; cpu < cpu_limit; ++cpu) {
    const uint64_t now = count(cpu, slot);
    calls.by_cpu[cpu] = now - std::exchange(seen[cpu * slots + slot], now);
  }
  return calls;
}

/// Where no row is left that a kprobe.multi link was made for, the links go: each holds many functions, and
/// lets none of them go alone.
void FunctionCounters::State::drop_unused_multi(const std::vector<PlanRow>& rows) {
  const bool used = std::any_of(hooked.begin(), hooked.end(), [&](const HookedRow& one) {
    return rows[one.row].function.method == Method::kprobe_multi;
  });
  if (used || multi.links.empty()) return;
  multi_missed_unread += missed_of(multi) - multi_missed_seen;
  multi.links.clear();
  multi_missed_seen = missed_of(multi);
}

Result<FunctionCounters> FunctionCounters::attach(std::vector<PlanRow>& rows, uint32_t cpu_limit,
                                                  uint32_t cpu) {
  auto state = std::make_unique<State>();
  state->cpu_limit = cpu_limit;
  state->templates.cpu = cpu;
  const bool hooks =
      std::any_of(rows.begin(), rows.end(), [](const PlanRow& row) { return row.needs_hook(); });
  if (!hooks) return FunctionCounters(std::move(state));
  if (auto done = state->load(rows); !done) return done.error();
  std::vector<uint32_t> all(rows.size());
  std::iota(all.begin(), all.end(), 0);
  state->hooked = attach_rows(rows, all, state->templates, state->multi);
  log_hooks(rows, state->hooked);
  return FunctionCounters(std::move(state));
}

Status FunctionCounters::reattach(std::vector<PlanRow>& rows, const std::vector<uint32_t>& changed,
                                  uint32_t cpu) {
  State& state = *state_;
  state.templates.cpu = cpu;
  // A kprobe.multi link of which a module took some functions away holds on to the others.
  std::erase_if(state.hooked, [&](const HookedRow& hooked) {
    if (!is_among(hooked.row, changed)) return false;
    state.unread.push_back(hooked.row);
    state.missed_seen[hooked.row] = 0;
    return true;
  });
  std::erase_if(state.paused, [&](const HookedRow& paused) { return is_among(paused.row, changed); });
  state.drop_unused_multi(rows);
  const bool hooks =
      std::any_of(changed.begin(), changed.end(), [&](uint32_t row) { return rows[row].needs_hook(); });
  if (!hooks) return {};
  if (!state.skeleton) {
    if (auto done = state.load(rows); !done) return done;
  }
  auto more = attach_rows(rows, changed, state.templates, state.multi);
  log_hooks(rows, more);
  std::move(more.begin(), more.end(), std::back_inserter(state.hooked));
  return {};
}

void FunctionCounters::pause(const std::vector<PlanRow>& rows, const std::vector<uint32_t>& numbers) {
  State& state = *state_;
  const auto goes = [&](const HookedRow& one) { return is_among(one.row, numbers); };
  for (HookedRow& hooked : state.hooked) {
    if (!goes(hooked)) continue;
    const uint64_t unread = missed_of(hooked) - state.missed_seen[hooked.row];
    hooked.link.reset();
    hooked.kprobes.clear();
    // What links missed begins anew; what was not read yet is in the first read once it is back.
    state.missed_seen[hooked.row] = missed_of(hooked) - unread;
    state.unread.push_back(hooked.row);
    state.paused.push_back(std::move(hooked));
  }
  std::erase_if(state.hooked, goes);
  state.drop_unused_multi(rows);
}

Status FunctionCounters::resume(std::vector<PlanRow>& rows, const std::vector<uint32_t>& numbers,
                                uint32_t cpu) {
  State& state = *state_;
  if (!state.skeleton) {
    if (auto done = state.load(rows); !done) return done;
  }
  state.templates.cpu = cpu;
  std::vector<HookedRow> again;
  for (HookedRow& paused : state.paused) {
    if (is_among(paused.row, numbers)) again.push_back(std::move(paused));
  }
  std::erase_if(state.paused, [&](const HookedRow& one) { return is_among(one.row, numbers); });
  attach_again(rows, again, state.templates, state.multi);
  std::vector<uint32_t> anew;
  for (const uint32_t number : numbers) {
    const bool attached =
        std::any_of(again.begin(), again.end(), [&](const HookedRow& one) { return one.row == number; });
    if (attached) continue;
    state.missed_seen[number] = 0;
    anew.push_back(number);
  }
  auto more = attach_rows(rows, anew, state.templates, state.multi);
  for (auto* hooked : {&again, &more})
    std::move(hooked->begin(), hooked->end(), std::back_inserter(state.hooked));
  return {};
}

void FunctionCounters::read(const std::vector<PlanRow>& rows, RawBatch& batch) {
  State& state = *state_;
  for (const HookedRow& hooked : state.hooked) {
    FunctionCalls calls = state.advance(hooked.row);
    const uint64_t missed = missed_of(hooked);
    calls.missed = missed - std::exchange(state.missed_seen[hooked.row], missed);
    if (calls.missed)
      batch.losses.push_back({LossKind::missed_run, rows[hooked.row].function.name, calls.missed});
    batch.calls.push_back(std::move(calls));
  }
  for (const uint32_t row : state.unread) {
    FunctionCalls calls = state.advance(row);
    if (calls.total()) batch.calls.push_back(std::move(calls));
  }
  state.unread.clear();
  // One program for all its functions: which of them it is missing from is not known.
  const uint64_t missed = missed_of(state.multi);
  const uint64_t lost =
      missed - std::exchange(state.multi_missed_seen, missed) + std::exchange(state.multi_missed_unread, 0);
  if (lost) batch.losses.push_back({LossKind::missed_run, "nt_count_multi", lost});
}

std::vector<std::string> FunctionCounters::program_symbols(const std::vector<PlanRow>& rows) const {
  std::vector<std::string> symbols;
  const auto add = [&](int program) {
    if (auto symbol = program_symbol(program)) symbols.push_back(std::move(*symbol));
  };
  for (const auto* all : {&state_->hooked, &state_->paused}) {
    for (const HookedRow& hooked : *all) {
      if (!hooked.program) continue;
      add(hooked.program.get());
      const PlanRow& row = rows[hooked.row];
      if (row.function.method == Method::fentry)
        symbols.push_back(trampoline_symbol(hooked.program.get(), row.btf.type));
      symbols.push_back(early_trampoline_symbol(row.btf.type));
    }
  }
  if (state_->multi.program >= 0) add(state_->multi.program);
  return symbols;
}

}  // namespace nettoll
