// SPDX-License-Identifier: Apache-2.0
#include "recording/envelope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

TEST(Envelope, HeaderSaysWhatFollows) {
  const auto header = parse_header("NETTOLL 1 1234\n\x28\xb5");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->line_bytes, 15u);
  EXPECT_EQ(header->frame_bytes, 1234u);
}

TEST(Envelope, HeaderTellsWhatIsWrong) {
  const struct {
    std::string head;
    const char* says;
  } cases[] = {
      {"", "empty file"},
      {"PERFILE2\x68\x00\x00\x00"s, "not a nettoll recording, it looks like a perf.data file"},
      {"\x7f"
       "ELF\x02\x01\x01"s,
       "not a nettoll recording, it looks like a program"},
      {"{\"a\": 1}\n", "not a nettoll recording, it looks like text"},
      {"nettoll 1 1234\n", "not a nettoll recording, it looks like text"},
      {"\x28\xb5\x2f\xfd\x04\x00", "not a nettoll recording, it looks like binary"},
      {"NETT", "truncated"},
      {"NETTOLL ", "truncated"},
      {"NETTOLL 1 12", "truncated"},
      {"NETTOLL 1 " + std::string(60, '1'), "damaged"},
      {"NETTOLL 0 1234\n", "damaged"},
      {"NETTOLL -1 1234\n", "damaged"},
      {"NETTOLL x 1234\n", "damaged"},
      {"NETTOLL 1\n", "damaged"},
      {"NETTOLL 1 \n", "damaged"},
      {"NETTOLL 1 12 34\n", "damaged"},
      {"NETTOLL 1 -12\n", "damaged"},
      {"NETTOLL 1 99999999999999999999999\n", "damaged"},
      {"NETTOLL 3 1234\n", "written by a newer nettoll (format 3, this one reads up to 1); update nettoll"},
      {"NETTOLL 3 with another line\n", "written by a newer nettoll"},
  };
  for (const auto& c : cases) {
    const auto header = parse_header(c.head);
    ASSERT_FALSE(header) << c.head;
    EXPECT_THAT(header.error().text(), HasSubstr(c.says)) << c.head;
    EXPECT_FALSE(header.error().remedy.empty()) << c.head;
  }
}

TEST(Envelope, LengthMustFit) {
  const RecordingHeader header{.line_bytes = 15, .frame_bytes = 100};
  EXPECT_TRUE(check_length(header, 115));
  EXPECT_THAT(check_length(header, 114).error().message, HasSubstr("truncated: 99 of 100"));
  EXPECT_THAT(check_length(header, 3).error().message, HasSubstr("truncated: 0 of 100"));
  EXPECT_THAT(check_length(header, 116).error().message, HasSubstr("1 bytes follow"));
  const RecordingHeader large{.line_bytes = 15, .frame_bytes = kMaxRecordingBytes};
  EXPECT_THAT(check_length(large, kMaxRecordingBytes + 15).error().message, HasSubstr("over the limit"));
  const RecordingHeader huge{.line_bytes = 15, .frame_bytes = SIZE_MAX};
  EXPECT_THAT(check_length(huge, 100).error().message, HasSubstr("truncated"));
}

TEST(Envelope, GivesBackWhatWasPacked) {
  const std::string payloads[] = {"", "x", std::string("a\0b\n", 4), std::string(1'000'000, 'z')};
  for (const auto& payload : payloads) {
    const auto file = pack(payload);
    ASSERT_TRUE(file);
    const auto back = unpack(*file, limits_for(file->size()));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(*back, payload);
  }
  EXPECT_LT(pack(payloads[3])->size(), 1000u);
}

TEST(Envelope, HoldsToTheLimitOfThePayload) {
  const std::string payload(5000, 'x');
  const auto file = pack(payload);
  ASSERT_TRUE(file);
  EXPECT_TRUE(unpack(*file, {.payload_bytes = 5000}));
  const auto refused = unpack(*file, {.payload_bytes = 4999});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("over the limit of 4999"));
}

TEST(Envelope, HoldsOneFrameWithAChecksum) {
  const auto file = pack("payload");
  ASSERT_TRUE(file);
  const size_t line = file->find('\n') + 1;
  const std::string frame = file->substr(line);
  const auto with = [](const std::string& frames) {
    return unpack(fmt::format("NETTOLL 1 {}\n", frames.size()) + frames, limits_for(100));
  };
  EXPECT_TRUE(with(frame));
  EXPECT_THAT(with(frame + frame).error().message, HasSubstr("one zstd frame"));
  EXPECT_THAT(with(frame + "x").error().message, HasSubstr("one zstd frame"));
  EXPECT_THAT(with("").error().message, HasSubstr("damaged"));
  EXPECT_THAT(with("not zstd").error().message, HasSubstr("damaged"));
  // The checksum is the frame's last 4 bytes (RFC 8878, section 3.1.1).
  std::string wrong = frame;
  wrong.back() = static_cast<char>(wrong.back() ^ 1);
  EXPECT_THAT(with(wrong).error().message, HasSubstr("checksum"));
}

}  // namespace
}  // namespace nettoll
