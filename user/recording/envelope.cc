// SPDX-License-Identifier: Apache-2.0
#include "recording/envelope.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

namespace nettoll {
namespace {

constexpr std::string_view kMagic = "NETTOLL ";
constexpr const char* kGiveRecording = "name a file that 'nettoll record' wrote";
constexpr const char* kCopyAgain = "copy the file again, or record again";

// What a file that is no recording seems to be, from its first bytes.
std::string_view looks_like(std::string_view head) {
  if (head.starts_with("PERFILE2")) return "a perf.data file";
  if (head.starts_with("\x7f"
                       "ELF"))
    return "a program";
  const auto printable = [](char c) {
    return (c >= ' ' && c != '\x7f') || c == '\n' || c == '\r' || c == '\t';
  };
  return std::all_of(head.begin(), head.end(), printable) ? "text" : "binary data of another kind";
}

// Takes a decimal number and the character after it from the front of `text`.
template <typename Number>
std::optional<Number> take_number(std::string_view& text, char after) {
  Number value = 0;
  const char* const limit = text.data() + text.size();
  const auto [end, ec] = std::from_chars(text.data(), limit, value);
  if (ec != std::errc() || end == limit || *end != after) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()) + 1);
  return value;
}

Error damaged(std::string_view why) {
  return failure(fmt::format("damaged: {}", why), kCopyAgain);
}

}  // namespace

Result<RecordingHeader> parse_header(std::string_view head) {
  if (head.empty()) return failure("empty file", kGiveRecording);
  if (!head.starts_with(kMagic) && !kMagic.starts_with(head))
    return failure(fmt::format("not a nettoll recording, it looks like {}", looks_like(head)),
                   kGiveRecording);
  const size_t newline = head.find('\n');
  if (newline == std::string_view::npos) {
    if (head.size() < kMaxHeaderBytes) return failure("truncated in its first line", kCopyAgain);
    return damaged("its first line has no end");
  }
  std::string_view rest = head.substr(kMagic.size(), newline + 1 - kMagic.size());
  const auto format = take_number<uint32_t>(rest, ' ');
  if (!format || *format == 0) return damaged("its first line names no format");
  if (*format > kRecordingFormat)
    return failure(fmt::format("written by a newer nettoll (format {}, this one reads up to {})", *format,
                               kRecordingFormat),
                   "update nettoll");
  const auto length = take_number<size_t>(rest, '\n');
  if (!length || !rest.empty()) return damaged("its first line names no length");
  return RecordingHeader{.line_bytes = newline + 1, .frame_bytes = *length};
}

Status check_length(const RecordingHeader& header, size_t file_bytes) {
  const size_t there = file_bytes - std::min(file_bytes, header.line_bytes);
  if (there < header.frame_bytes)
    return failure(fmt::format("truncated: {} of {} bytes are there", there, header.frame_bytes), kCopyAgain);
  if (there > header.frame_bytes)
    return damaged(fmt::format("{} bytes follow its end", there - header.frame_bytes));
  if (file_bytes > kMaxRecordingBytes)
    return failure(fmt::format("{} bytes long, over the limit of {}", file_bytes, kMaxRecordingBytes),
                   "record for a shorter time");
  return {};
}

Result<std::string> pack(std::string_view payload) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  std::string frame(ZSTD_compressBound(payload.size()), '\0');
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const size_t size =
      ZSTD_compress2(context.get(), frame.data(), frame.size(), payload.data(), payload.size());
  if (ZSTD_isError(size)) return failure(fmt::format("zstd: {}", ZSTD_getErrorName(size)));
  frame.resize(size);
  return fmt::format("{}{} {}\n", kMagic, kRecordingFormat, size) + frame;
}

Result<std::string> unpack(std::string_view file, const RecordingLimits& limits) {
  const auto header = parse_header(file.substr(0, kMaxHeaderBytes));
  if (!header) return header.error();
  if (auto whole = check_length(*header, file.size()); !whole) return std::move(whole).error();
  const std::string_view frame = file.substr(header->line_bytes);

  // One frame and nothing after it: zstd itself would go on with a second frame.
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size())
    return damaged("it does not hold one zstd frame");
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR)
    return damaged("its zstd frame names no size");
  if (size > limits.payload_bytes)
    return damaged(
        fmt::format("{} bytes unfold to {}, over the limit of {}", file.size(), size, limits.payload_bytes));
  std::string payload(size, '\0');
  const size_t got = ZSTD_decompress(payload.data(), payload.size(), frame.data(), frame.size());
  if (ZSTD_isError(got))
    return damaged(ZSTD_getErrorCode(got) == ZSTD_error_checksum_wrong ? "its checksum does not fit"
                                                                       : ZSTD_getErrorName(got));
  if (got != size) return damaged("its zstd frame names a wrong size");
  return payload;
}

}  // namespace nettoll
