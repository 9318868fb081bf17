// SPDX-License-Identifier: Apache-2.0
#include "cli/same_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

class SameFile : public testing::Test {
 protected:
  SameFile() {
    folder_.write("/a", "a");
    folder_.write("/b", "b");
    folder_.write("/deep/c", "c");
    folder_.link("/link", "a");
    std::filesystem::create_hard_link(at("a"), at("hard"));
  }
  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }

  FakeRoot folder_;
};

TEST_F(SameFile, IsOneByWhateverName) {
  for (const char* name : {"a", "./a", "deep/../a", "link", "hard"})
    EXPECT_TRUE(same_file(at("a"), at(name))) << name;
  EXPECT_FALSE(same_file(at("a"), at("b")));
  EXPECT_FALSE(same_file(at("a"), at("new")));
}

TEST_F(SameFile, FilesThatAreNotThereYetAreOneByTheirFolder) {
  EXPECT_TRUE(same_file(at("new"), at("deep/../new")));
  EXPECT_FALSE(same_file(at("new"), at("deep/new")));
  EXPECT_FALSE(same_file(at("nowhere/new"), at("nowhere/new")));
  EXPECT_TRUE(same_file("a-file-that-is-not-there", "./a-file-that-is-not-there"));
}

TEST_F(SameFile, AnOutputIsRefusedThatIsRead) {
  const NamedFile output{"-o", at("a")};
  EXPECT_TRUE(check_output(output, {{"the input", at("b")}, {"--before", ""}}).has_value());
  const auto refused = check_output(output, {{"the input", at("b")}, {"--before", at("link")}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_EQ(refused.error().text(),
            "-o " + at("a") + " is also --before, which it would replace; name another file with -o");
  EXPECT_TRUE(check_output({"-o", ""}, {{"the input", at("a")}}).has_value());
}

}  // namespace
}  // namespace nettoll
