// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_nodes.h"

#include <gtest/gtest.h>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

TEST(CpuNodes, ByCpu) {
  FakeRoot root;
  const KernelFs fs(root.path());
  EXPECT_TRUE(read_cpu_nodes(fs).empty());
  root.write("/sys/devices/system/node/node0/cpulist", "0-1,8\n");
  root.write("/sys/devices/system/node/node10/cpulist", "2\n");
  root.write("/sys/devices/system/node/node2/cpulist", "\n");  // memory alone
  root.write("/sys/devices/system/node/node3/cpulist", "what\n");
  root.write("/sys/devices/system/node/nodes/cpulist", "5\n");
  root.write("/sys/devices/system/node/online", "0,2,10\n");
  EXPECT_EQ(read_cpu_nodes(fs), (std::map<uint32_t, int>{{0, 0}, {1, 0}, {2, 10}, {8, 0}}));
}

}  // namespace
}  // namespace nettoll
