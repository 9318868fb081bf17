// SPDX-License-Identifier: Apache-2.0
#include "collect/hook_ladder.h"

#include <bpf/bpf.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "bpf/shared.h"
#include "collect/halving.h"
#include "model/names.h"

namespace nettoll {
namespace {

void step_down(PlanRow& row, const Error& error) {
  spdlog::debug("{} by {}: {}", row.function.name, name_of(row.function.method), error.text());
  try_next(row, error.message);
}

/// Puts a loaded program where its row wants it.
Status attach_loaded(const PlanRow& row, const HookTemplates& templates, HookedRow& hooked) {
  const Method method = row.function.method;
  if (method == Method::kprobe) {
    for (const FunctionEntry& entry : row.entries) {
      auto kprobe = attach_kprobe(hooked.program.get(), entry.address, templates.cpu);
      if (!kprobe) return kprobe.error();
      hooked.kprobes.push_back(std::move(*kprobe));
    }
    return {};
  }
  auto link = method == Method::fentry ? attach_fentry(hooked.program.get())
                                       : attach_tracepoint(hooked.program.get(), row.function.tracepoint);
  if (!link) return link.error();
  hooked.link = std::move(*link);
  return {};
}

Status attach_alone(const PlanRow& row, const HookTemplates& templates, HookedRow& hooked) {
  const auto code = code_for_slot(templates.count, hooked.row);
  if (code.empty()) return failure("the counting template has no slot mark", "this is a bug of nettoll");
  auto program = load_program(row.function.method, code, "nt_" + row.function.name, row.btf);
  if (!program) return program.error();
  hooked.program = std::move(*program);
  return attach_loaded(row, templates, hooked);
}

/// All entries of a row or none: with some of them the count would not be that of the function.
void attach_multi(std::vector<PlanRow>& rows, std::span<const uint32_t> numbers, MultiHooks& multi) {
  const auto attach = [&](std::span<const uint32_t> part) -> Status {
    std::vector<uint64_t> addresses, cookies;
    for (const uint32_t number : part) {
      for (const FunctionEntry& entry : rows[number].entries) {
        addresses.push_back(entry.address);
        cookies.push_back(number);
      }
    }
    auto link = attach_kprobe_multi(multi.program, addresses, cookies);
    if (!link) return link.error();
    multi.links.push_back(std::move(*link));
    return {};
  };
  attach_halving<uint32_t>(numbers, attach,
                           [&](uint32_t number, const Error& error) { step_down(rows[number], error); });
}

}  // namespace

std::vector<bpf_insn> code_for_slot(ProgramCode code, uint32_t slot) {
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

std::vector<HookedRow> attach_rows(std::vector<PlanRow>& rows, std::span<const uint32_t> wanted,
                                   const HookTemplates& templates, MultiHooks& multi) {
  std::vector<HookedRow> hooked;
  std::vector<uint32_t> pending(wanted.begin(), wanted.end());
  const auto keep = [&](HookedRow one) { hooked.push_back(std::move(one)); };
  while (true) {
    std::erase_if(pending, [&](uint32_t number) { return !rows[number].needs_hook(); });
    if (pending.empty()) return hooked;
    std::vector<uint32_t> together;
    for (const uint32_t number : pending) {
      if (rows[number].function.method == Method::kprobe_multi) {
        together.push_back(number);
        continue;
      }
      HookedRow one;
      one.row = number;
      if (const Status done = attach_alone(rows[number], templates, one); done)
        keep(std::move(one));
      else
        step_down(rows[number], done.error());
    }
    attach_multi(rows, together, multi);
    for (const uint32_t number : together) {
      HookedRow one;
      one.row = number;
      if (rows[number].function.method == Method::kprobe_multi) keep(std::move(one));
    }
    std::erase_if(pending, [&](uint32_t number) {
      return std::any_of(hooked.begin(), hooked.end(), [&](const HookedRow& h) { return h.row == number; });
    });
  }
}

std::vector<uint32_t> attach_again(std::vector<PlanRow>& rows, std::vector<HookedRow>& hooked,
                                   const HookTemplates& templates, MultiHooks& multi) {
  std::vector<uint32_t> together, refused;
  for (HookedRow& one : hooked) {
    const PlanRow& row = rows[one.row];
    if (row.function.method == Method::kprobe_multi)
      together.push_back(one.row);
    else if (!attach_loaded(row, templates, one))
      refused.push_back(one.row);
  }
  attach_multi(rows, together, multi);
  for (const uint32_t number : together) {
    if (rows[number].function.method != Method::kprobe_multi) refused.push_back(number);
  }
  std::erase_if(hooked, [&](const HookedRow& one) {
    return std::find(refused.begin(), refused.end(), one.row) != refused.end();
  });
  return refused;
}

}  // namespace nettoll
