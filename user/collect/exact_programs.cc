// SPDX-License-Identifier: Apache-2.0
#include "collect/exact_programs.h"

#include <bpf/bpf.h>

#include <algorithm>

#include "bpf/shared.h"
#include "collect/bpf_program.h"

namespace nettoll {
namespace {

bool moves_constant(const bpf_insn& insn) {
  return BPF_OP(insn.code) == BPF_MOV && BPF_SRC(insn.code) == BPF_K &&
         (BPF_CLASS(insn.code) == BPF_ALU64 || BPF_CLASS(insn.code) == BPF_ALU);
}

/// At most 15 characters (BPF_OBJ_NAME_LEN), of those that the kernel takes.
std::string short_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c) && c != '_'; }, '_');
  name.resize(std::min<size_t>(name.size(), BPF_OBJ_NAME_LEN - 1));
  return name;
}

Result<UniqueFd> load(bpf_prog_type type, const std::vector<bpf_insn>& code, const std::string& name,
                      bpf_prog_load_opts options) {
  const int fd =
      bpf_prog_load(type, short_name(name).c_str(), "Dual BSD/GPL", code.data(), code.size(), &options);
  if (fd < 0) return system_error("the kernel refused the program", -fd, bpf_remedy(-fd));
  return UniqueFd(fd);
}

}  // namespace

Result<std::vector<bpf_insn>> with_slot(Instructions code, uint32_t offset, uint32_t vector) {
  std::vector<bpf_insn> copy(code.begin(), code.end());
  int slots = 0, vectors = 0;
  for (bpf_insn& insn : copy) {
    if (!moves_constant(insn)) continue;
    if (insn.imm == NT_EXACT_SLOT_MARK) {
      insn.imm = static_cast<int32_t>(offset);
      ++slots;
    } else if (insn.imm == NT_EXACT_VECTOR_MARK) {
      insn.imm = static_cast<int32_t>(vector);
      ++vectors;
    }
  }
  if (slots != 1 || vectors > 1)
    return failure(
        fmt::format("the template of exact mode has {} slot marks and {} vector marks", slots, vectors),
        "this is a bug of nettoll");
  return copy;
}

Result<ExactProgram> ExactProgram::load_function(const std::vector<bpf_insn>& code, const std::string& name,
                                                 const BtfTarget& target, bool exit) {
  bpf_prog_load_opts options = {};
  options.sz = sizeof(options);
  options.expected_attach_type = exit ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
  options.attach_btf_id = target.type;
  UniqueFd module_btf;
  if (target.object != 0) {
    module_btf.reset(bpf_btf_get_fd_by_id(target.object));
    if (!module_btf) return system_error("the module's BTF is gone", errno);
    options.attach_btf_obj_fd = static_cast<uint32_t>(module_btf.get());
  }
  auto fd = load(BPF_PROG_TYPE_TRACING, code, name, options);
  if (!fd) return fd.error();
  ExactProgram program;
  program.program_ = std::move(*fd);
  return program;
}

Result<ExactProgram> ExactProgram::load_tracepoint(const std::vector<bpf_insn>& code,
                                                   const std::string& name) {
  bpf_prog_load_opts options = {};
  options.sz = sizeof(options);
  auto fd = load(BPF_PROG_TYPE_RAW_TRACEPOINT, code, name, options);
  if (!fd) return fd.error();
  ExactProgram program;
  program.program_ = std::move(*fd);
  return program;
}

Status ExactProgram::attach(const char* tracepoint) {
  const int fd = bpf_raw_tracepoint_open(tracepoint, program_.get());
  if (fd < 0) return system_error("the kernel refused the attach", -fd, bpf_remedy(-fd));
  link_.reset(fd);
  return {};
}

uint64_t ExactProgram::take_missed() {
  const uint64_t now = missed_runs(program_.get());
  return now - std::exchange(missed_seen_, now);
}

}  // namespace nettoll
