// SPDX-License-Identifier: Apache-2.0
#include "base/kernel_fs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

TEST(KernelFs, ReadsUnderItsRoot) {
  FakeRoot root;
  root.write("/proc/sys/kernel/kptr_restrict", "2\n");
  root.write("/sys/devices/system/cpu/online", "0,2-3\n");
  root.write("/proc/big", std::string(3'000'000, 'x'));
  const KernelFs fs(root.path());
  EXPECT_EQ(*fs.read_number("/proc/sys/kernel/kptr_restrict"), 2);
  EXPECT_EQ(fs.online_cpus()->ids, (std::vector<uint32_t>{0, 2, 3}));
  EXPECT_EQ(fs.read("/proc/big")->size(), 3'000'000u);
  EXPECT_EQ(fs.list("/proc")->size(), 2u);
  EXPECT_TRUE(fs.exists("/proc/big"));
}

TEST(KernelFs, ReadsLinks) {
  FakeRoot root;
  root.link("/sys/class/net/eth0/device/driver", "../../bus/virtio/drivers/virtio_net");
  root.write("/proc/1/comm", "init\n");
  const KernelFs fs(root.path());
  EXPECT_EQ(*fs.read_link("/sys/class/net/eth0/device/driver"), "../../bus/virtio/drivers/virtio_net");
  EXPECT_EQ(fs.read_link("/proc/1/comm").error().code, EINVAL);
  EXPECT_EQ(fs.read_link("/proc/2/comm").error().code, ENOENT);
}

TEST(KernelFs, HandsALargeFileOnInPieces) {
  FakeRoot root;
  std::string text;
  for (int i = 0; text.size() < 200'000; ++i) text += std::to_string(i) + "\n";
  root.write("/proc/big", text);
  const KernelFs fs(root.path());
  std::string joined;
  size_t largest = 0;
  const auto take = [&](std::string_view piece) {
    joined += piece;
    largest = std::max(largest, piece.size());
  };
  ASSERT_TRUE(fs.read_pieces("/proc/big", take).has_value());
  EXPECT_EQ(joined, text);
  EXPECT_LE(largest, 65536u);
  const Status missing = fs.read_pieces("/proc/none", take);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ENOENT);
}

TEST(KernelFs, NamesTheFileThatFails) {
  FakeRoot root;
  root.write("/proc/text", "hello\n");
  const KernelFs fs(root.path());
  EXPECT_NE(fs.read("/proc/none").error().message.find("/proc/none"), std::string::npos);
  EXPECT_EQ(fs.read("/proc/none").error().code, ENOENT);
  EXPECT_NE(fs.read_number("/proc/text").error().message.find("hello"), std::string::npos);
}

}  // namespace
}  // namespace nettoll
