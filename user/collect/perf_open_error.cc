// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_open_error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace nettoll {

std::string explain_open_error(const EventSpec& spec, int code, const OpenContext& context) {
  const bool of_cpu = spec.kind == EventKind::cpu;
  switch (code) {
    case ENOENT:
      if (of_cpu && !context.cpu_pmu)
        return "this host shows no hardware PMU (usual in a virtual machine): use cpu-clock, or enable the "
               "virtual PMU in the hypervisor";
      return of_cpu ? "the CPU's PMU does not have this event" : "the kernel does not have this event";
    case ENODEV:
      return "no CPU that is online has this event's PMU";
    case EACCES:
    case EPERM:
      // perf_paranoid_any() of a patch that upstream does not have.
      if (context.paranoid > 2)
        return fmt::format(
            "not permitted: kernel.perf_event_paranoid is {}, with which some kernels, Debian's too, refuse "
            "all "
            "without CAP_SYS_ADMIN; run as root, or set it to 2 and run with CAP_PERFMON",
            *context.paranoid);
      return fmt::format(
          "not permitted: kernel.perf_event_paranoid is {}; run as root or with CAP_PERFMON, set it to 0 or "
          "lower, and in a container allow perf_event_open in the seccomp profile",
          context.paranoid ? fmt::format("{}", *context.paranoid) : "not readable");
    case EMFILE:
      return fmt::format(
          "out of file descriptors: all events on all CPUs need {} and the limit is {}; raise it "
          "(ulimit -n, LimitNOFILE=) or ask for fewer events or CPUs",
          context.descriptors_needed, context.descriptor_limit);
    case ENFILE:
      return "the whole system is out of file descriptors: raise fs.file-max";
    case EBUSY:
      return "another user holds the PMU for itself: end other profilers, or turn the NMI watchdog off "
             "(kernel.nmi_watchdog=0)";
    case EINVAL:
      return "the kernel refuses these settings: a wrong code, or an event that can be counted but not "
             "sampled";
    case EOPNOTSUPP:
      if (spec.precise) return "the PMU cannot sample this event precisely: leave out modifier p";
      return of_cpu ? "the PMU cannot take samples: it has no overflow interrupt"
                    : "this PMU can count the event but not sample it";
    case ENOSPC:
      return "no counter is free for this event: ask for fewer events";
    case ENOSYS:
      return "this kernel was built without perf_event";
    case ENOMEM:
      return "the kernel has no memory for it: ask for fewer events or CPUs";
    default:
      return fmt::format("perf_event_open: {}", std::strerror(code));
  }
}

}  // namespace nettoll
