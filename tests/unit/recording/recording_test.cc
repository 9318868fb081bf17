// SPDX-License-Identifier: Apache-2.0
#include "recording/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "fakes/fake_root.h"
#include "full_profile.h"
#include "recording/envelope.h"

namespace nettoll {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Profile small_profile() {
  Profile p;
  p.session.events = {{.name = "cycles"}};
  p.session.cpu_limit = 1;
  p.symbols = {{"ip_rcv", kVmlinux, SymbolKind::kernel}};
  p.stacks.add(std::array<uint32_t, 1>{0});
  p.samples = {{0, 0, 0, 1, 1000}};
  return p;
}

TEST(Recording, GivesBackTheProfile) {
  for (const auto& before : {full_profile(), small_profile(), Profile{}}) {
    const auto bytes = encode_recording(before);
    ASSERT_TRUE(bytes) << bytes.error().text();
    EXPECT_THAT(*bytes, StartsWith("NETTOLL 1 "));
    const auto after = decode_recording(*bytes);
    ASSERT_TRUE(after) << after.error().text();
    EXPECT_EQ(*after, before);
  }
}

TEST(Recording, IsTheSameForTheSameProfile) {
  EXPECT_EQ(*encode_recording(full_profile()), *encode_recording(full_profile()));
}

TEST(Recording, RefusesEachTruncation) {
  const std::string bytes = *encode_recording(small_profile());
  for (size_t length = 0; length < bytes.size(); ++length) {
    const auto after = decode_recording(std::string_view(bytes).substr(0, length));
    ASSERT_FALSE(after) << length;
    EXPECT_THAT(after.error().message, HasSubstr(length == 0 ? "empty" : "truncated")) << length;
    EXPECT_FALSE(after.error().remedy.empty());
  }
}

TEST(Recording, NeverTakesADamagedByteForAnotherProfile) {
  const Profile before = small_profile();
  const std::string bytes = *encode_recording(before);
  size_t refused = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int bits : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string other = bytes;
      other[i] = static_cast<char>(other[i] ^ bits);
      const auto after = decode_recording(other);
      if (after) {
        EXPECT_EQ(*after, before) << "byte " << i << " ^ " << bits;
      } else {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, bytes.size() * 8);
}

TEST(Recording, TableOfALargeHostIsSmallAndComesBack) {
  Profile p;
  p.session.cpu_limit = 256;
  for (uint32_t i = 0; i < 500; ++i) {
    p.session.functions.emplace_back().name = fmt::format("function_{}", i);
    p.calls.push_back({i, std::vector<uint64_t>(256, 0), 0});
  }
  const auto bytes = encode_recording(p);
  ASSERT_TRUE(bytes);
  EXPECT_LT(bytes->size(), 20'000u);
  EXPECT_EQ(*decode_recording(*bytes), p);
}

// Files with a right checksum that were made to take their reader's memory or stack.
TEST(Recording, RefusesTraps) {
  const struct {
    std::string payload;
    const char* says;
  } cases[] = {
      {std::string(80'000'000, '\0'), "unfold to 80000000"},
      {std::string(1'000'000, '\x81'), "nested too deep"},  // [[[[...
      {std::string(1'000'000, '\x7f'), "end early"},        // indefinite strings, one in the other
      {std::string("\x9a\x00\x50\x00\x00", 5) + std::string(0x500000, '\x80'),
       "more than"},  // 5 million empty arrays
  };
  for (const auto& c : cases) {
    const auto file = pack(c.payload);
    ASSERT_TRUE(file);
    EXPECT_LT(file->size(), 20'000u);
    const auto after = decode_recording(*file);
    ASSERT_FALSE(after) << c.says;
    EXPECT_THAT(after.error().message, HasSubstr(c.says));
  }
}

TEST(Recording, WritesAndReadsAFile) {
  const FakeRoot root;
  const std::string path = root.path() + "/run.nettoll";
  ASSERT_TRUE(write_recording(path, full_profile()));
  const auto after = read_recording(path);
  ASSERT_TRUE(after) << after.error().text();
  EXPECT_EQ(*after, full_profile());
}

TEST(Recording, WritesNothingWhereItCannot) {
  const FakeRoot root;
  Profile bad = small_profile();
  bad.samples[0].stack = 1;
  const std::string path = root.path() + "/run.nettoll";
  EXPECT_THAT(write_recording(path, bad).error().message, HasSubstr("cannot record"));
  EXPECT_TRUE(std::filesystem::is_empty(root.path()));
  const auto no_folder = write_recording(root.path() + "/none/run.nettoll", small_profile());
  ASSERT_FALSE(no_folder);
  EXPECT_THAT(no_folder.error().message, HasSubstr("/none"));
}

TEST(Recording, SaysWhichFileIsWrongAndWhy) {
  const FakeRoot root;
  const std::string good = *encode_recording(small_profile());
  root.write("/empty", "");
  root.write("/perf.data", std::string("PERFILE2\x68\0\0\0", 12) + std::string(1000, '\0'));
  root.write("/notes.txt",
             "What I did today, at some length, so that it is longer than the first line of a file.\n");
  root.write("/cut", good.substr(0, good.size() - 1));
  root.write("/long", good + "x");
  root.write("/newer", "NETTOLL 3 5\nhello");
  std::string flipped = good;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  root.write("/flipped", flipped);
  ASSERT_EQ(::mkfifo((root.path() + "/fifo").c_str(), 0600), 0);
  const struct {
    const char* name;
    const char* says;
  } cases[] = {
      {"/none", "No such file"},
      {"", "is a folder"},
      {"/fifo", "not a regular file"},
      {"/empty", "empty file"},
      {"/perf.data", "a perf.data file"},
      {"/notes.txt", "looks like text"},
      {"/cut", "truncated"},
      {"/long", "1 bytes follow its end"},
      {"/newer", "format 3, this one reads up to 1"},
      {"/flipped", "checksum"},
  };
  for (const auto& c : cases) {
    const auto after = read_recording(root.path() + c.name);
    ASSERT_FALSE(after) << c.name;
    EXPECT_THAT(after.error().message, StartsWith(root.path() + c.name + ": "));
    EXPECT_THAT(after.error().message, HasSubstr(c.says)) << c.name;
    EXPECT_EQ(after.error().kind, ErrorKind::failure);
  }
}

TEST(Recording, ReadsNoMoreThanTheFirstLineOfAForeignFile) {
  const FakeRoot root;
  root.write("/large", "PERFILE2");
  std::filesystem::resize_file(root.path() + "/large", 1ull << 40);  // sparse
  EXPECT_THAT(read_recording(root.path() + "/large").error().message, HasSubstr("a perf.data file"));
  root.write("/claims", fmt::format("NETTOLL 1 {}\n", (1ull << 40) - 24));
  std::filesystem::resize_file(root.path() + "/claims", 1ull << 40);
  EXPECT_THAT(read_recording(root.path() + "/claims").error().message, HasSubstr("over the limit"));
}

}  // namespace
}  // namespace nettoll
