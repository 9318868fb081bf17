// SPDX-License-Identifier: Apache-2.0
#include "base/rights.h"

#include <gtest/gtest.h>
#include <linux/capability.h>

#include <thread>

#include "base/capabilities.h"

namespace nettoll {
namespace {

uint64_t mask(std::initializer_list<int> capabilities) {
  uint64_t bits = 0;
  for (const int capability : capabilities) bits |= uint64_t{1} << capability;
  return bits;
}

TEST(Rights, RunningNeedsFew) {
  const uint64_t kAll = (uint64_t{1} << (CAP_LAST_CAP + 1)) - 1;
  const struct {
    uint64_t held, kept;
    bool administrators_perf = false;
  } cases[] = {
      {kAll, mask({CAP_BPF, CAP_PERFMON, CAP_SYSLOG, CAP_IPC_LOCK})},
      {mask({CAP_BPF, CAP_PERFMON, CAP_SYSLOG}), mask({CAP_BPF, CAP_PERFMON, CAP_SYSLOG})},
      {mask({CAP_BPF, CAP_PERFMON, CAP_SYS_ADMIN}), mask({CAP_BPF, CAP_PERFMON})},
      // Stands for those that are missing.
      {mask({CAP_SYS_ADMIN, CAP_NET_ADMIN}), mask({CAP_SYS_ADMIN})},
      {mask({CAP_SYS_ADMIN, CAP_BPF}), mask({CAP_SYS_ADMIN, CAP_BPF})},
      {kAll, mask({CAP_BPF, CAP_PERFMON, CAP_SYSLOG, CAP_IPC_LOCK, CAP_SYS_ADMIN}), true},
      {mask({CAP_BPF, CAP_PERFMON}), mask({CAP_BPF, CAP_PERFMON}), true},
      {0, 0},
  };
  for (const auto& c : cases)
    EXPECT_EQ(rights_for_running(c.held, c.administrators_perf), c.kept) << rights_text(c.held);
  EXPECT_FALSE(perf_is_for_administrators(2));
  EXPECT_TRUE(perf_is_for_administrators(3));
}

TEST(Rights, HaveNames) {
  EXPECT_EQ(rights_text(0), "none");
  EXPECT_EQ(rights_text(mask({CAP_BPF, CAP_PERFMON, CAP_CHOWN})), "capability 0 CAP_PERFMON CAP_BPF");
}

std::string own_status() {
  return KernelFs().read("/proc/thread-self/status").value();
}

TEST(Rights, AreGoneForTheThreadAlone) {
  const std::string before = own_status();
  const uint64_t held = effective_capabilities(before).value();
  const uint64_t kept = held & mask({CAP_BPF, CAP_KILL});
  std::thread([&] {
    const auto ok = keep_rights(mask({CAP_BPF, CAP_KILL}));
    ASSERT_TRUE(ok) << ok.error().text();
    const std::string status = own_status();
    EXPECT_EQ(effective_capabilities(status).value(), kept);
    EXPECT_NE(status.find("NoNewPrivs:\t1"), std::string::npos);
    // What is gone does not come back.
    ASSERT_TRUE(keep_rights(held));
    EXPECT_EQ(effective_capabilities(own_status()).value(), kept);
  }).join();
  EXPECT_EQ(effective_capabilities(own_status()).value(), held);
}

}  // namespace
}  // namespace nettoll
