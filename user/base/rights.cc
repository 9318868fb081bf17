// SPDX-License-Identifier: Apache-2.0
#include "base/rights.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace nettoll {
namespace {

constexpr uint64_t bit(int capability) {
  return uint64_t{1} << capability;
}

struct NamedRight {
  int capability;
  const char* name;
};
/// Those that have to do with tracing; others are shown by number.
constexpr NamedRight kNames[] = {
    {CAP_DAC_READ_SEARCH, "CAP_DAC_READ_SEARCH"},
    {CAP_NET_ADMIN, "CAP_NET_ADMIN"},
    {CAP_IPC_LOCK, "CAP_IPC_LOCK"},
    {CAP_SYS_PTRACE, "CAP_SYS_PTRACE"},
    {CAP_SYS_ADMIN, "CAP_SYS_ADMIN"},
    {CAP_SYS_RESOURCE, "CAP_SYS_RESOURCE"},
    {CAP_SYSLOG, "CAP_SYSLOG"},
    {CAP_PERFMON, "CAP_PERFMON"},
    {CAP_BPF, "CAP_BPF"},
};

std::string name_of_right(int capability) {
  for (const NamedRight& known : kNames) {
    if (known.capability == capability) return known.name;
  }
  return fmt::format("capability {}", capability);
}

}  // namespace

uint64_t rights_for_running(uint64_t held, bool administrators_perf) {
  constexpr uint64_t kTracing = bit(CAP_BPF) | bit(CAP_PERFMON);
  uint64_t needed = kTracing | bit(CAP_SYSLOG) | bit(CAP_IPC_LOCK);
  if ((held & kTracing) != kTracing || administrators_perf) needed |= bit(CAP_SYS_ADMIN);
  return held & needed;
}

std::string rights_text(uint64_t mask) {
  std::string text;
  for (int capability = 0; capability < 64; ++capability) {
    if (mask >> capability & 1) text += (text.empty() ? "" : " ") + name_of_right(capability);
  }
  return text.empty() ? "none" : text;
}

Status keep_rights(uint64_t mask) {
  // The bounding set goes first: changing it needs CAP_SETPCAP. It ends where the kernel's capabilities do.
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
    if (!(mask >> capability & 1)) (void)::prctl(PR_CAPBSET_DROP, capability);
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return system_error("cannot give up rights: no_new_privs", errno);
  (void)::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);  // a kernel without it has none
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3]{};
  if (::syscall(SYS_capget, &header, sets) != 0) return system_error("cannot give up rights: capget", errno);
  for (size_t i = 0; i < std::size(sets); ++i) {
    const auto part = static_cast<uint32_t>(mask >> (32 * i));
    sets[i].permitted &= part;
    sets[i].effective &= part;
    sets[i].inheritable = 0;
  }
  if (::syscall(SYS_capset, &header, sets) != 0) return system_error("cannot give up rights: capset", errno);
  return {};
}

}  // namespace nettoll
