// SPDX-License-Identifier: Apache-2.0
#include "ingest/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "fakes/fake_root.h"
#include "ingest/line_reader.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string sample_text() {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += fmt::format("line {}\n", i * 7919);
  return text;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<unsigned>(text.size());
  stream.next_out = reinterpret_cast<uint8_t*>(packed.data());
  stream.avail_out = static_cast<unsigned>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::unique_ptr<ByteSource> open(const std::string& bytes) {
  auto source = unpacked(bytes_of({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}));
  EXPECT_TRUE(source.has_value());
  return std::move(*source);
}

std::string rest_of(ByteSource& source) {
  std::string all;
  std::string piece(100'001, '\0');
  for (;;) {
    const auto got = source.read({reinterpret_cast<uint8_t*>(piece.data()), piece.size()});
    EXPECT_TRUE(got.has_value());
    if (!got || *got == 0) return all;
    all.append(piece, 0, *got);
  }
}

TEST(ByteSource, ReadsTheSameHoweverItIsPacked) {
  const std::string text = sample_text();
  for (const auto& [packed, packing] : {std::pair{text, ""},
                                        {gzip(text), "gzip"},
                                        {zstd(text), "zstd"},
                                        {gzip(text.substr(0, 1000)) + gzip(text.substr(1000)), "gzip"},
                                        {zstd(text.substr(0, 1000)) + zstd(text.substr(1000)), "zstd"}}) {
    const auto source = open(packed);
    EXPECT_EQ(source->packing(), packing);
    EXPECT_EQ(rest_of(*source), text);
    EXPECT_EQ(source->damage(), "");
    EXPECT_EQ(source->stored_bytes(), packed.size());
    ASSERT_TRUE(source->seek(1'000'000).has_value());
    EXPECT_EQ(rest_of(*source), text.substr(1'000'000));
    ASSERT_TRUE(source->seek(3).has_value());
    EXPECT_EQ(rest_of(*source), text.substr(3));
    ASSERT_TRUE(source->seek(text.size() + 10).has_value());
    EXPECT_EQ(rest_of(*source), "");
  }
}

TEST(ByteSource, GivesWhatIsWholeOfADamagedFile) {
  const std::string text = sample_text();
  for (std::string packed : {gzip(text), zstd(text)}) {
    packed.resize(packed.size() * 2 / 3);
    const auto source = open(packed);
    const std::string got = rest_of(*source);
    EXPECT_GT(got.size(), text.size() / 3);
    EXPECT_TRUE(text.starts_with(got));
    EXPECT_THAT(source->damage(), HasSubstr("cut short"));
  }
  std::string flipped = gzip(text);
  for (size_t i = flipped.size() / 2; i < flipped.size() / 2 + 40; ++i)
    flipped[i] = static_cast<char>(~flipped[i]);
  const auto source = open(flipped);
  rest_of(*source);
  EXPECT_THAT(source->damage(), HasSubstr("the gzip file is damaged"));
}

/// Puts the reading end of a pipe that holds `text` at standard input while it lives.
class PipedInput {
 public:
  explicit PipedInput(const std::string& text) : kept_(::dup(STDIN_FILENO)) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
  }
  ~PipedInput() {
    ::dup2(kept_, STDIN_FILENO);
    ::close(kept_);
  }
  PipedInput(const PipedInput&) = delete;
  PipedInput& operator=(const PipedInput&) = delete;

 private:
  int kept_;
};

TEST(ByteSource, StandardInputIsReadTwiceAlsoFromAPipe) {
  for (const std::string& bytes : {std::string("a 1 1.0: 1 cycles:\n"), gzip("a 1 1.0: 1 cycles:\n")}) {
    const PipedInput input(bytes);
    const auto source = open_capture("-");
    ASSERT_TRUE(source.has_value()) << source.error().text();
    EXPECT_EQ((*source)->stored_bytes(), bytes.size());
    EXPECT_EQ(rest_of(**source), "a 1 1.0: 1 cycles:\n");
    ASSERT_TRUE((*source)->seek(2).has_value());
    EXPECT_EQ(rest_of(**source), "1 1.0: 1 cycles:\n");
  }
}

TEST(ByteSource, OnlyAPipeThatHasAWriterStandsForAFile) {
  EXPECT_TRUE(is_pipe("-"));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_TRUE(is_pipe("/dev/fd/" + std::to_string(ends[0])));
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_FALSE(is_pipe("/dev/fd/" + std::to_string(ends[0])));
  const FakeRoot folder;
  const std::string fifo = folder.path() + "/fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_FALSE(is_pipe(fifo));
  EXPECT_THAT(open_capture(fifo).error().text(), HasSubstr("fifo: not a regular file"));
}

TEST(ByteSource, ErrorsOfFilesNameThePath) {
  EXPECT_THAT(open_capture("/no/such/file").error().text(), HasSubstr("/no/such/file: cannot be opened"));
  EXPECT_THAT(open_capture("/tmp").error().text(), HasSubstr("/tmp: is a folder"));
  EXPECT_THAT(open_capture("/dev/null").error().text(), HasSubstr("not a regular file"));
}

TEST(ByteWindow, ShowsAllOfACaptureOfAnyLength) {
  const std::string text = sample_text();
  // Around the first length of the buffer, the usual one, and what makes it grow further.
  for (const size_t size : {size_t{0}, size_t{1}, size_t{8191}, size_t{8192}, size_t{8193}, size_t{131'071},
                            size_t{131'072}, size_t{131'073}, size_t{600'000}}) {
    const std::string bytes = text.substr(0, size);
    const auto source = open(bytes);
    ByteWindow window(*source);
    const auto text_of = [](std::span<const uint8_t> seen) { return std::string(seen.begin(), seen.end()); };
    std::string in_pieces;
    for (auto seen = window.peek(1); !seen.empty(); seen = window.peek(1)) {
      const size_t taken = std::min<size_t>(seen.size(), 1001);
      in_pieces += text_of(seen.first(taken));
      window.consume(taken);
    }
    EXPECT_EQ(in_pieces, bytes) << size;
    EXPECT_EQ(window.offset(), size);
    ASSERT_TRUE(window.seek(0));
    EXPECT_EQ(text_of(window.peek(size + 1)), bytes) << size;
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  const auto source = open(text);
  ByteWindow window(*source);
  LineReader reader(window);
  std::vector<std::string> lines;
  while (const auto line = reader.next()) lines.emplace_back(*line);
  return lines;
}

TEST(LineReader, GivesLinesWithoutTheirEnds) {
  EXPECT_THAT(lines_of("a\n\nb\r\nc"), ElementsAre("a", "", "b", "c"));
  EXPECT_THAT(lines_of(""), ElementsAre());
  EXPECT_EQ(lines_of(sample_text()).size(), 200'000u);
}

TEST(LineReader, CutsLinesWithoutEnd) {
  const std::string text = std::string(2'000'000, 'x') + "\nend\n";
  const auto source = open(text);
  ByteWindow window(*source);
  LineReader reader(window);
  EXPECT_EQ(reader.next()->size(), LineReader::kLongest);
  EXPECT_EQ(reader.next(), "end");
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.cut(), 1u);
}

}  // namespace
}  // namespace nettoll
