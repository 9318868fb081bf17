// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_event_fd.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace nettoll {

Result<PerfEventFd> PerfEventFd::open(const perf_event_attr& attr, pid_t pid, int cpu) {
  PerfEventFd event;
  event.counts_lost_ = (attr.read_format & PERF_FORMAT_LOST) != 0;
  event.fd_ =
      UniqueFd(static_cast<int>(::syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!event.fd_) return system_error("perf_event_open", errno);
  if (::ioctl(event.fd_.get(), PERF_EVENT_IOC_ID, &event.id_) != 0)
    return system_error("PERF_EVENT_IOC_ID", errno);
  return event;
}

Result<PerfReading> PerfEventFd::read() const {
  uint64_t words[5] = {};  // value, enabled, running, id, lost: the order of perf_event_open(2)
  const ssize_t want = static_cast<ssize_t>(sizeof(uint64_t)) * (counts_lost_ ? 5 : 4);
  const ssize_t got = ::read(fd_.get(), words, sizeof(words));
  if (got < 0) return system_error("read of a perf event", errno);
  // 0 is what an event in error state gives.
  if (got != want) return system_error("read of a perf event", EIO);
  return PerfReading{words[0], words[1], words[2], words[4]};
}

Status PerfEventFd::enable() const {
  if (::ioctl(fd_.get(), PERF_EVENT_IOC_ENABLE, 0) != 0) return system_error("PERF_EVENT_IOC_ENABLE", errno);
  return {};
}

Status PerfEventFd::disable() const {
  if (::ioctl(fd_.get(), PERF_EVENT_IOC_DISABLE, 0) != 0)
    return system_error("PERF_EVENT_IOC_DISABLE", errno);
  return {};
}

Status PerfEventFd::redirect_to(const PerfEventFd& owner) const {
  if (::ioctl(fd_.get(), PERF_EVENT_IOC_SET_OUTPUT, owner.get()) != 0)
    return system_error("PERF_EVENT_IOC_SET_OUTPUT", errno);
  return {};
}

bool kernel_counts_lost() {
  perf_event_attr attr = {};
  attr.size = sizeof(attr);
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_DUMMY;
  attr.read_format = PERF_FORMAT_LOST;
  attr.disabled = 1;
  attr.exclude_kernel = 1;  // so that no setting of perf_event_paranoid stands in the way
  return PerfEventFd::open(attr, 0, -1).has_value();
}

}  // namespace nettoll
