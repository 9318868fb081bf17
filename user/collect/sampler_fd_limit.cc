// SPDX-License-Identifier: Apache-2.0
#include "collect/sampler_fd_limit.h"

#include <sys/resource.h>

#include <algorithm>

namespace nettoll {

uint64_t open_descriptors(const KernelFs& fs) {
  const auto names = fs.list("/proc/self/fd");
  return names ? names->size() : 64;
}

uint64_t raise_fd_limit(uint64_t need) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur >= need) return limit.rlim_cur;
  rlimit wanted = limit;
  wanted.rlim_cur = need;
  wanted.rlim_max = std::max<rlim_t>(limit.rlim_max, need);
  if (::setrlimit(RLIMIT_NOFILE, &wanted) == 0) return need;
  // Without CAP_SYS_RESOURCE the hard limit stands.
  wanted.rlim_cur = std::min<rlim_t>(limit.rlim_max, need);
  wanted.rlim_max = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &wanted) == 0 ? wanted.rlim_cur : limit.rlim_cur;
}

}  // namespace nettoll
