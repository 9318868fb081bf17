// SPDX-License-Identifier: Apache-2.0
#include "collect/features.h"

#include <fmt/format.h>

#include "collect/bpf_program.h"
#include "collect/hook.h"

namespace nettoll {
namespace {

constexpr const char* kTrialName = "nt_try";

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
  if (kind.unknown && (error.code == EINVAL || error.code == EOPNOTSUPP))
    return {false, kind.unknown, bpf_remedy(error.code)};
  return {
      false,
      fmt::format("the kernel refuses to {} {} programs ({})", what, kind.name, std::strerror(error.code)),
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

Feature without(const char* what) {
  return {false, fmt::format("{} is not there to try it on", what), ""};
}

}  // namespace

Features probe_features(const std::optional<BtfTarget>& target, std::optional<uint64_t> address,
                        uint32_t cpu) {
  Features features;
  features.raw_tracepoint =
      try_method(kRawTracepoint, {}, [](int fd) { return attach_tracepoint(fd, "softirq_entry"); });
  features.fentry = target ? try_method(kFentry, *target, attach_fentry) : without("the BTF of ip_rcv");
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
