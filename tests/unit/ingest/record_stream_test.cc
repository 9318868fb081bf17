// SPDX-License-Identifier: Apache-2.0
#include "ingest/record_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <memory>

#include "unit/ingest/perf_file.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Walked {
  std::vector<uint32_t> types;
  std::string broken;
  uint64_t offset = 0;
};

Walked walk(const std::vector<uint8_t>& bytes, uint64_t size = UINT64_MAX) {
  const auto source = bytes_of(bytes);
  ByteWindow window(*source);
  RecordStream records(window, size, std::endian::little);
  Walked walked;
  while (const auto record = records.next()) walked.types.push_back(record->type);
  if (records.broken_off()) {
    walked.broken = records.broken_off()->reason;
    walked.offset = records.broken_off()->offset;
  }
  return walked;
}

Bytes words(std::initializer_list<uint64_t> values) {
  Bytes bytes;
  for (const uint64_t value : values) bytes.u64(value);
  return bytes;
}

std::string compressed(const std::vector<uint8_t>& bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
  return packed;
}

TEST(RecordStream, LeavesOutDataBehindRecords) {
  PerfFile file;
  file.record(perf::kAuxtrace, 0, words({24, 0, 0, 0, 0})).raw(words({1, 2, 3}));
  Bytes tracing;
  tracing.u32(13).u32(0);
  file.record(perf::kHeaderTracingData, 0, tracing).raw(words({1, 2}));
  file.record(perf::kFinishedRound, 0, {});
  const Walked walked = walk(file.records());
  EXPECT_THAT(walked.types, ElementsAre(perf::kAuxtrace, perf::kHeaderTracingData, perf::kFinishedRound));
  EXPECT_EQ(walked.broken, "");
}

TEST(RecordStream, StopsWhereTheNextRecordCannotBeFound) {
  PerfFile file;
  file.record(perf::kFinishedRound, 0, {}).raw(words({0, 0}));
  const Walked walked = walk(file.records());
  EXPECT_THAT(walked.types, ElementsAre(perf::kFinishedRound));
  EXPECT_THAT(walked.broken, HasSubstr("says that it has 0 bytes"));
  EXPECT_EQ(walked.offset, 8u);
}

TEST(RecordStream, MessagesOfPerfInAPipeAreItsEnd) {
  PerfFile file;
  file.record(perf::kFinishedRound, 0, {});
  auto bytes = file.records();
  const std::string_view message = "[ perf record: Woken up 1 times to write data ]\n";
  bytes.insert(bytes.end(), message.begin(), message.end());
  const Walked walked = walk(bytes);
  EXPECT_THAT(walked.types, ElementsAre(perf::kFinishedRound));
  EXPECT_EQ(walked.broken, "");
  // A file says how long its data is: nothing else belongs there.
  EXPECT_NE(walk(bytes, bytes.size()).broken, "");
}

TEST(RecordStream, StopsAtTheEndOfItsData) {
  PerfFile file;
  file.record(perf::kFinishedRound, 0, {}).record(perf::kFinishedInit, 0, {});
  EXPECT_THAT(walk(file.records(), 8).types, ElementsAre(perf::kFinishedRound));
  EXPECT_THAT(walk(file.records(), 12).broken, HasSubstr("ends inside the header of a record"));
  EXPECT_THAT(walk(file.records(), 100).broken, HasSubstr("the file ends 84 bytes before its data does"));
}

TEST(RecordStream, ARecordMayBeInTwoCompressedOnes) {
  PerfFile inner;
  inner.record(perf::kComm, 0, words({1, 2, 3})).record(perf::kFork, 0, words({1, 2, 3, 4}));
  const auto& bytes = inner.records();
  for (const uint32_t type : {perf::kCompressed, perf::kCompressed2}) {
    PerfFile file;
    for (const auto& [begin, end] : {std::pair<size_t, size_t>{0, 21}, {21, bytes.size()}}) {
      const std::string packed =
          compressed({bytes.begin() + static_cast<long>(begin), bytes.begin() + static_cast<long>(end)});
      Bytes body;
      if (type == perf::kCompressed2) body.u64(packed.size());
      body.raw(packed);
      // Only the newer form may pad.
      while (type == perf::kCompressed2 && body.size() % 8 != 0) body.put(uint8_t{0});
      file.record(type, 0, body);
    }
    const Walked walked = walk(file.records());
    EXPECT_THAT(walked.types, ElementsAre(perf::kComm, perf::kFork)) << type;
    EXPECT_EQ(walked.broken, "");
  }
}

TEST(RecordStream, DamagedCompressedRecordsEndTheWalk) {
  PerfFile file;
  Bytes body;
  body.raw("no zstd at all, sorry");
  file.record(perf::kCompressed, 0, body);
  EXPECT_THAT(walk(file.records()).broken, HasSubstr("a compressed record is damaged"));
  PerfFile longer;
  Bytes too_long;
  too_long.u64(1000).u64(0);
  longer.record(perf::kCompressed2, 0, too_long);
  EXPECT_THAT(walk(longer.records()).broken, HasSubstr("longer than itself"));
}

}  // namespace
}  // namespace nettoll
