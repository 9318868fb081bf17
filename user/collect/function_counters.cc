// SPDX-License-Identifier: Apache-2.0
#include "collect/function_counters.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <span>

#include "bpf/shared.h"
#include "collect/bpf_program.h"
#include "functions.skel.h"

namespace nettoll {
namespace {

struct DestroyFunctions {
  void operator()(functions_bpf* skeleton) const { functions_bpf__destroy(skeleton); }
};
using FunctionsSkeleton = std::unique_ptr<functions_bpf, DestroyFunctions>;

/// One hooked function.
struct Counter {
  uint32_t row = 0;
  uint32_t slot = 0;
  std::string function;
  UniqueFd program;
  UniqueFd link;
  std::vector<uint64_t> seen;  ///< by CPU, at the last read
  uint64_t missed_seen = 0;
};

/// The template's instructions with the slot's byte offset written over the mark. Empty if the mark is not
/// there exactly once, which only a changed template can cause.
std::vector<bpf_insn> instantiate(std::span<const bpf_insn> code, uint32_t slot) {
  std::vector<bpf_insn> copy(code.begin(), code.end());
  int marks = 0;
  for (bpf_insn& insn : copy) {
    const bool move = BPF_OP(insn.code) == BPF_MOV && BPF_SRC(insn.code) == BPF_K &&
                      (BPF_CLASS(insn.code) == BPF_ALU64 || BPF_CLASS(insn.code) == BPF_ALU);
    if (!move || insn.imm != NT_SLOT_MARK) continue;
    insn.imm = static_cast<int32_t>(slot * sizeof(uint64_t));
    ++marks;
  }
  if (marks != 1) copy.clear();
  return copy;
}

/// At most 15 characters (BPF_OBJ_NAME_LEN), of those that the kernel takes.
std::string program_name(const std::string& function) {
  std::string name = "nt_" + function;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c) && c != '_'; }, '_');
  name.resize(std::min<size_t>(name.size(), BPF_OBJ_NAME_LEN - 1));
  return name;
}

Result<UniqueFd> load(const PlanRow& row, const std::vector<bpf_insn>& code) {
  const bool fentry = row.function.method == Method::fentry;
  bpf_prog_load_opts options = {};
  options.sz = sizeof(options);
  if (fentry) {
    options.expected_attach_type = BPF_TRACE_FENTRY;
    options.attach_btf_id = row.btf_id;
  }
  const int fd = bpf_prog_load(fentry ? BPF_PROG_TYPE_TRACING : BPF_PROG_TYPE_RAW_TRACEPOINT,
                               program_name(row.function.name).c_str(), "Dual BSD/GPL", code.data(),
                               code.size(), &options);
  if (fd < 0) return system_error("the kernel refused the program", -fd);
  return UniqueFd(fd);
}

Result<UniqueFd> attach_program(const PlanRow& row, int program) {
  const char* tracepoint = row.function.method == Method::fentry ? nullptr : row.function.tracepoint.c_str();
  const int fd = bpf_raw_tracepoint_open(tracepoint, program);
  if (fd < 0) return system_error("the kernel refused the attach", -fd);
  return UniqueFd(fd);
}

}  // namespace

struct FunctionCounters::State {
  FunctionsSkeleton skeleton;
  Mapping calls;
  uint32_t cpu_limit = 0;
  size_t slots = 0;
  std::vector<Counter> counters;
  std::vector<std::string> symbols;

  const uint64_t* cpu(uint32_t id) const { return static_cast<const uint64_t*>(calls.data()) + id * slots; }
};

FunctionCounters::FunctionCounters(std::unique_ptr<State> state) : state_(std::move(state)) {}
FunctionCounters::FunctionCounters(FunctionCounters&&) noexcept = default;
FunctionCounters& FunctionCounters::operator=(FunctionCounters&&) noexcept = default;
FunctionCounters::~FunctionCounters() = default;

Result<FunctionCounters> FunctionCounters::attach(std::vector<PlanRow>& rows, uint32_t cpu_limit) {
  auto state = std::make_unique<State>();
  state->cpu_limit = cpu_limit;
  const size_t hooks = static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [](const PlanRow& row) { return row.needs_hook(); }));
  if (hooks == 0) return FunctionCounters(std::move(state));

  constexpr size_t kSlotsPerLine = NT_CACHE_LINE / sizeof(uint64_t);
  state->slots = std::max<size_t>(NT_MIN_SLOTS, (hooks + kSlotsPerLine - 1) / kSlotsPerLine * kSlotsPerLine);
  const auto value_size = static_cast<uint32_t>(state->slots * sizeof(uint64_t));
  state->skeleton.reset(functions_bpf__open());
  if (!state->skeleton) return system_error("cannot open the counting program", errno);
  bpf_map__set_max_entries(state->skeleton->maps.nt_calls, cpu_limit);
  bpf_map__set_value_size(state->skeleton->maps.nt_calls, value_size);
  if (const int err = functions_bpf__load(state->skeleton.get()); err)
    return system_error("the kernel refused the counting program", -err, bpf_remedy(-err));
  auto mapped = map_array(bpf_map__fd(state->skeleton->maps.nt_calls), cpu_limit, value_size);
  if (!mapped) return mapped.error();
  state->calls = std::move(*mapped);

  const std::span<const bpf_insn> code(bpf_program__insns(state->skeleton->progs.nt_count),
                                       bpf_program__insn_cnt(state->skeleton->progs.nt_count));
  uint32_t slot = 0;
  for (uint32_t i = 0; i < rows.size(); ++i) {
    PlanRow& row = rows[i];
    if (!row.needs_hook()) continue;
    const auto give_up = [&](const Error& error) {
      spdlog::debug("{}: {}", row.function.name, error.text());
      row.function.condition = error.text();
      row.function.method = Method::samples;
      row.function.state = CountState::sampled;
      row.function.denominator = false;
      row.function.tracepoint.clear();
      row.function.hooks_per_packet = 0;
    };
    const auto program_code = instantiate(code, slot);
    if (program_code.empty())
      return failure("the counting template has no slot mark", "this is a bug of nettoll");
    Counter counter;
    counter.row = i;
    counter.slot = slot;
    counter.function = row.function.name;
    counter.seen.assign(cpu_limit, 0);
    auto program = load(row, program_code);
    if (!program) {
      give_up(program.error());
      continue;
    }
    counter.program = std::move(*program);
    auto link = attach_program(row, counter.program.get());
    if (!link) {
      give_up(link.error());
      continue;
    }
    counter.link = std::move(*link);
    if (auto symbol = program_symbol(counter.program.get())) state->symbols.push_back(std::move(*symbol));
    if (row.function.method == Method::fentry)
      state->symbols.push_back(trampoline_symbol(counter.program.get(), row.btf_id));
    state->counters.push_back(std::move(counter));
    ++slot;
  }
  return FunctionCounters(std::move(state));
}

void FunctionCounters::read(RawBatch& batch) {
  for (Counter& counter : state_->counters) {
    FunctionCalls calls{counter.row, std::vector<uint64_t>(state_->cpu_limit), 0};
    for (uint32_t cpu = 0; cpu < state_->cpu_limit; ++cpu) {
      const uint64_t now = __atomic_load_n(state_->cpu(cpu) + counter.slot, __ATOMIC_RELAXED);
      calls.by_cpu[cpu] = now - counter.seen[cpu];
      counter.seen[cpu] = now;
    }
    const uint64_t missed = missed_runs(counter.program.get());
    calls.missed = missed - counter.missed_seen;
    counter.missed_seen = missed;
    if (calls.missed) batch.losses.push_back({LossKind::missed_run, counter.function, calls.missed});
    batch.calls.push_back(std::move(calls));
  }
}

const std::vector<std::string>& FunctionCounters::program_symbols() const {
  return state_->symbols;
}

}  // namespace nettoll
