// SPDX-License-Identifier: Apache-2.0
// The outer layer of a recording: a line that says what the file is, and one zstd frame with a checksum.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "recording/limits.h"

namespace nettoll {

/// The format that is written, and the newest that is read.
inline constexpr uint32_t kRecordingFormat = 1;
/// The first line is never longer than this.
inline constexpr size_t kMaxHeaderBytes = 64;

/// A recording's first line.
struct RecordingHeader {
  size_t line_bytes = 0;   ///< its own length, with the newline
  size_t frame_bytes = 0;  ///< how many bytes follow it
};

/// Parses the line at the start of `head`, which holds the first kMaxHeaderBytes of a file, or all of a
/// shorter one. Tells files of another kind from cut, damaged and newer recordings.
Result<RecordingHeader> parse_header(std::string_view head);

/// Fails where a file of `file_bytes` is not as long as its header says.
Status check_length(const RecordingHeader& header, size_t file_bytes);

/// Line and frame around `payload`.
Result<std::string> pack(std::string_view payload);

/// The payload of a whole recording, unless it is larger than `limits` allow.
Result<std::string> unpack(std::string_view file, const RecordingLimits& limits);

}  // namespace nettoll
