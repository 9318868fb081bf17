// SPDX-License-Identifier: Apache-2.0
#include "host/net_settings.h"

#include <gtest/gtest.h>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

TEST(NetSettings, AbsentOnesAreNamed) {
  FakeRoot root;
  const std::string folder = "/proc/sys/net/core/";
  root.write(folder + "netdev_budget", "300\n");
  root.write(folder + "netdev_budget_usecs", "2000\n");
  root.write(folder + "netdev_max_backlog", "1000\n");
  root.write(folder + "rps_sock_flow_entries", "0\n");
  root.write(folder + "busy_read", "x\n");
  root.write(folder + "rmem_default", "212992\n");
  root.write(folder + "rmem_max", "18446744073709551616\n");
  std::vector<std::string> notes;
  const NetSettings settings = read_net_settings(KernelFs(root.path()), notes);
  EXPECT_EQ(settings.netdev_budget, 300u);
  EXPECT_EQ(settings.netdev_budget_usecs, 2000u);
  EXPECT_EQ(settings.netdev_max_backlog, 1000u);
  EXPECT_EQ(settings.rps_sock_flow_entries, 0u);
  EXPECT_EQ(settings.rmem_default, 212992u);
  EXPECT_FALSE(settings.busy_poll);
  EXPECT_FALSE(settings.busy_read);
  EXPECT_FALSE(settings.rmem_max);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("busy_poll, busy_read, rmem_max"), std::string::npos) << notes[0];
}

}  // namespace
}  // namespace nettoll
