// SPDX-License-Identifier: Apache-2.0
#include "base/settings_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(SettingsFile, IsReadWhole) {
  FakeRoot root;
  const std::string text(200'000, 'x');
  root.write("/web.yml", text);
  EXPECT_EQ(read_settings_file(root.path() + "/web.yml").value(), text);
}

TEST(SettingsFile, MayBeBehindALink) {  // as Kubernetes mounts them
  FakeRoot root;
  root.write("/data/web.yml", "a: b\n");
  root.link("/web.yml", "data/web.yml");
  EXPECT_EQ(read_settings_file(root.path() + "/web.yml").value(), "a: b\n");
}

TEST(SettingsFile, SaysWhatIsMissing) {
  FakeRoot root;
  const auto text = read_settings_file(root.path() + "/none");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ENOENT);
  EXPECT_THAT(text.error().message, HasSubstr("cannot open "));
}

TEST(SettingsFile, NeitherWaitsForAFifoNorReadsADeviceOrFolder) {
  FakeRoot root;
  const std::string fifo = root.path() + "/fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  for (const std::string& path : {fifo, std::string("/dev/zero"), root.path()}) {
    const auto text = read_settings_file(path);
    ASSERT_FALSE(text) << path;
    EXPECT_THAT(text.error().message, EndsWith(": not a regular file"));
  }
}

TEST(SettingsFile, MayNotBeHuge) {
  FakeRoot root;
  const std::string path = root.path() + "/huge";
  root.write("/huge", "");
  std::filesystem::resize_file(path, kMaxSettingsFile);
  EXPECT_TRUE(open_settings_file(path));
  std::filesystem::resize_file(path, kMaxSettingsFile + 1);
  const auto text = read_settings_file(path);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, EndsWith(" has more than 4 MiB"));
}

}  // namespace
}  // namespace nettoll
