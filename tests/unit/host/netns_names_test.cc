// SPDX-License-Identifier: Apache-2.0
#include "host/netns_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Files stand for the mounts of `ip netns`: their inode numbers are real ones.
uint32_t named(const FakeRoot& root, const std::string& name) {
  root.write("/run/netns/" + name, "");
  struct stat facts = {};
  ::stat((root.path() + "/run/netns/" + name).c_str(), &facts);
  return static_cast<uint32_t>(facts.st_ino);
}

void process(const FakeRoot& root, uint32_t id, const std::string& command, const std::string& inode) {
  const std::string folder = "/proc/" + std::to_string(id);
  root.write(folder + "/comm", command + "\n");
  root.link(folder + "/ns/net", "net:[" + inode + "]");
}

class NetnsNames : public testing::Test {
 protected:
  NetnsNames() { root.write("/proc/self/ns/net", ""); }
  FakeRoot root;
  KernelFs fs{root.path()};
};

TEST_F(NetnsNames, AreThoseOfIpNetnsElseOfTheFirstProcess) {
  const uint32_t blue = named(root, "blue");
  process(root, 900, "late", "4026532000");
  process(root, 77, "nginx", "4026532000");
  process(root, 78, "sh", std::to_string(blue));
  EXPECT_THAT(NetnsNamer(fs).names({4026532000, 0, blue, 4026532001, blue}),
              ElementsAre(NetnsName{blue, "blue"}, NetnsName{4026532000, "nginx[77]"}));
  EXPECT_THAT(named_netns(fs), ElementsAre(NetnsName{blue, "blue"}));
}

TEST_F(NetnsNames, StayWhenTheNamespaceIsGone) {
  const uint32_t blue = named(root, "blue");
  NetnsNamer namer(fs);
  std::filesystem::remove(root.path() + "/run/netns/blue");
  EXPECT_THAT(namer.names({blue}), ElementsAre(NetnsName{blue, "blue"}));
}

TEST_F(NetnsNames, ChangeWithTheNamespaceThatHasTheNumber) {
  process(root, 77, "nginx", "4026532000");
  NetnsNamer namer(fs);
  EXPECT_THAT(namer.names({4026532000}), ElementsAre(NetnsName{4026532000, "nginx[77]"}));
  std::filesystem::remove_all(root.path() + "/proc/77");
  process(root, 80, "redis", "4026532000");
  // A look through all processes is no more than once a second.
  EXPECT_THAT(namer.names({4026532000}), ElementsAre(NetnsName{4026532000, "nginx[77]"}));
  EXPECT_THAT(NetnsNamer(fs).names({4026532000}), ElementsAre(NetnsName{4026532000, "redis[80]"}));
}

TEST_F(NetnsNames, AreNoneWithoutFolders) {
  const FakeRoot empty;
  EXPECT_THAT(NetnsNamer(KernelFs(empty.path())).names({4026532000}), IsEmpty());
}

TEST_F(NetnsNames, AreSetForEveryNamespaceOfAProfile) {
  for (uint32_t i = 1; i <= 3; ++i) process(root, i, "p", std::to_string(i));
  Profile profile;
  profile.napi.push_back({{1, 2}, "eth0", 0, 1, 1, 0});
  profile.queues.push_back({{2, 2}, "eth0", 0, 1});
  profile.drops.push_back({"NO_SOCKET", "core", "f", "vmlinux", "ipv4", "lo", 3, 1});
  NetnsNamer(fs).name(profile);
  EXPECT_THAT(profile.netns_names,
              ElementsAre(NetnsName{1, "p[1]"}, NetnsName{2, "p[2]"}, NetnsName{3, "p[3]"}));
}

}  // namespace
}  // namespace nettoll
