// SPDX-License-Identifier: Apache-2.0
#include "collect/features.h"

#include <bpf/bpf.h>
#include <fmt/format.h>

#include <array>

#include "collect/bpf_program.h"
#include "collect/hook.h"

namespace nettoll {
namespace {

constexpr const char* kTrialName = "nt_try";

/// Returns the number of the CPU that it runs on.
ProgramCode cpu_id_program() {
  static constexpr std::array<bpf_insn, 2> kCode{
      bpf_insn{BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_smp_processor_id},
      bpf_insn{BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  return kCode;
}

/// One kind of program: how it is called, and what it means that a kernel does not know it.
struct Kind {
  Method method;
  const char* name;
  const char* unknown;
};
constexpr Kind kRawTracepoint{Method::tracepoint, "raw tracepoint", "this kernel has no raw tracepoints"};
constexpr Kind kFentry{Method::fentry, "fentry", nullptr};
constexpr Kind kKprobeMulti{Method::kprobe_multi, "kprobe.multi",
                            "this kernel has no kprobe.multi (5.18 and later with CONFIG_FPROBE)"};
constexpr Kind kKprobe{Method::kprobe, "kprobe", "this kernel is built without kprobes"};

Feature refused(const char* what, const Kind& kind, const Error& error) {
  // The kprobe PMU is not there where there are no kprobes; that it is and refuses is another matter.
  const bool unknown = error.code == EOPNOTSUPP || (error.code == EINVAL && kind.method != Method::kprobe);
  if (kind.unknown && unknown) return {false, kind.unknown, bpf_remedy(error.code)};
  return {false,
          fmt::format("the kernel refuses to {} {} programs ({})", what, kind.name, error_name(error.code)),
          bpf_remedy(error.code)};
}

/// Loads the empty program and lets `attach` have it; what that gives is detached at once.
template <typename Attach>
Feature try_method(const Kind& kind, const BtfTarget& target, const Attach& attach) {
  const auto program = load_program(kind.method, empty_program(), kTrialName, target);
  if (!program) return refused("load", kind, program.error());
  const auto attached = attach(program->get());
  if (!attached) return refused("attach", kind, attached.error());
  return {true, {}, {}};
}

/// Whether programs know which CPU they run on. With the JIT off, some riscv64 kernels tell each of them that
/// it is CPU 0, and counts by CPU would mix. A raw tracepoint program can be run on a chosen CPU (5.10).
Feature try_cpu_ids(uint32_t last_cpu) {
  const auto program = load_program(Method::tracepoint, cpu_id_program(), kTrialName);
  if (!program) return {true, {}, {}};  // said of raw tracepoints already
  bpf_test_run_opts run = {};
  run.sz = sizeof(run);
  run.flags = BPF_F_TEST_RUN_ON_CPU;
  run.cpu = last_cpu;
  if (bpf_prog_test_run_opts(program->get(), &run) != 0 || run.retval == last_cpu) return {true, {}, {}};
  return {false, fmt::format("BPF programs on CPU {} are told that they run on CPU {}", last_cpu, run.retval),
          "turn the BPF JIT on: sysctl net.core.bpf_jit_enable=1"};
}

Feature without(const char* what) {
  return {false, fmt::format("{} is not there to try it on", what), ""};
}

}  // namespace

Features probe_features(const std::optional<BtfTarget>& target, std::optional<uint64_t> address, uint32_t cpu,
                        uint32_t last_cpu) {
  Features features;
  features.raw_tracepoint =
      try_method(kRawTracepoint, {}, [](int fd) { return attach_tracepoint(fd, "softirq_entry"); });
  features.fentry = target ? try_method(kFentry, *target, attach_fentry) : without("the BTF of ip_rcv");
  features.cpu_ids = try_cpu_ids(last_cpu);
  if (!address) {
    features.kprobe_multi = features.kprobe = without("ip_rcv");
    return features;
  }
  features.kprobe_multi = try_method(
      kKprobeMulti, {}, [&](int fd) { return attach_kprobe_multi(fd, std::span(&*address, 1), {}); });
  features.kprobe = try_method(kKprobe, {}, [&](int fd) { return attach_kprobe(fd, *address, cpu); });
  return features;
}

}  // namespace nettoll
