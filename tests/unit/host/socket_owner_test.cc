// SPDX-License-Identifier: Apache-2.0
#include "host/socket_owner.h"

#include <gtest/gtest.h>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

TEST(SocketOwner, FindsWhoHoldsIt) {
  FakeRoot root;
  root.write("/proc/7/comm", "named\n");
  root.link("/proc/7/fd/0", "/dev/null");
  root.link("/proc/7/fd/3", "socket:[4711]");
  root.write("/proc/8/comm", "slow reader\n");
  root.link("/proc/8/fd/3", "socket:[4712]");
  root.link("/proc/8/fd/4", "socket:[471");
  root.link("/proc/8/fd/5", "pipe:[4713]");
  const KernelFs fs(root.path());
  std::vector<std::string> notes;
  EXPECT_EQ(find_socket_owners(fs, {4711, 4712, 4713}, notes),
            (std::map<uint64_t, std::string>{{4711, "named"}, {4712, "slow reader"}}));
  EXPECT_TRUE(notes.empty());
  EXPECT_TRUE(find_socket_owners(fs, {}, notes).empty());
}

TEST(SocketOwner, EndsWhereItWasToldTo) {
  FakeRoot root;
  root.write("/proc/7/comm", "many\n");
  for (int i = 0; i < 5; ++i)
    root.link("/proc/7/fd/" + std::to_string(i), "socket:[" + std::to_string(i) + "]");
  const KernelFs fs(root.path());
  std::vector<std::string> notes;
  EXPECT_EQ(find_socket_owners(fs, {1, 99}, notes, 4), (std::map<uint64_t, std::string>{{1, "many"}}));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("1 UDP socket"), std::string::npos) << notes[0];
}

}  // namespace
}  // namespace nettoll
