// SPDX-License-Identifier: Apache-2.0
#include "host/processes.h"

#include <gtest/gtest.h>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

void add(const FakeRoot& root, int pid, const std::string& comm, const std::string& flags) {
  const std::string folder = "/proc/" + std::to_string(pid);
  root.write(folder + "/comm", comm + "\n");
  root.write(folder + "/stat",
             std::to_string(pid) + " (" + comm + ") S 2 0 0 0 -1 " + flags + " 0 0 0 0 3 40 0 0\n");
}

constexpr char kKernelThread[] = "69238848", kProgram[] = "4194304";

TEST(NetProcesses, FindsBoth) {
  FakeRoot root;
  add(root, 1, "init", kProgram);
  add(root, 15, "ksoftirqd/0", kKernelThread);
  add(root, 22, "ksoftirqd/12", kKernelThread);
  add(root, 23, "ksoftirqd/1", kProgram);  // somebody's joke
  add(root, 700, "irqbalance", kProgram);
  root.write("/proc/version", "Linux\n");
  const auto found = read_net_processes(KernelFs(root.path()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->irqbalance, true);
  EXPECT_EQ(found->ksoftirqd_ticks, (std::map<uint32_t, uint64_t>{{0, 43}, {12, 43}}));
}

TEST(NetProcesses, NoIrqbalanceIsSaidOfAHostAlone) {
  FakeRoot root;
  add(root, 1, "sh", kProgram);
  const KernelFs fs(root.path());
  EXPECT_EQ(read_net_processes(fs)->irqbalance, std::nullopt);  // a PID namespace
  add(root, 15, "ksoftirqd/0", kKernelThread);
  EXPECT_EQ(read_net_processes(fs)->irqbalance, false);
  add(root, 16, "irqbalanced", kProgram);
  EXPECT_EQ(read_net_processes(fs)->irqbalance, false);
}

TEST(NetProcesses, ProcessesThatEndArePassedOver) {
  FakeRoot root;
  add(root, 15, "ksoftirqd/0", kKernelThread);
  root.write("/proc/16/cmdline", "");
  root.write("/proc/17/comm", "ksoftirqd/1\n");
  const auto found = read_net_processes(KernelFs(root.path()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ksoftirqd_ticks.size(), 1u);
  EXPECT_FALSE(read_net_processes(KernelFs(root.path() + "/nowhere")));
}

}  // namespace
}  // namespace nettoll
