// SPDX-License-Identifier: Apache-2.0
// The bytes of a capture, from a file or from memory, unpacked on the way where they are gzip or zstd.
//
// A capture is read front to back in large pieces, so a file of gigabytes costs no more memory than its
// pieces. Readers that need a place again seek: in a packed file that unpacks it from its start.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/foreign.h"

namespace nettoll {

/// Bytes in order. Damage in the middle of a packed file ends it: what was whole before is read, and damage()
/// tells of the rest.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills `into` as far as there are bytes; fewer than asked for only at the end.
  virtual Result<size_t> read(std::span<uint8_t> into) = 0;
  /// Goes to `offset`, counted in bytes as read() gives them. One behind the end is allowed: nothing is
  /// there.
  virtual Status seek(uint64_t offset) = 0;
  /// Bytes that the capture takes where it is stored: of the packed file where it is packed.
  virtual uint64_t stored_bytes() const = 0;
  /// "gzip", "zstd", or "" for bytes as they are.
  virtual std::string packing() const { return ""; }
  /// What was wrong with the packed bytes, a sentence without a full stop; "" where nothing was.
  virtual std::string damage() const { return ""; }
  /// What damage() tells, in one word.
  virtual Ending ending() const { return Ending::whole; }
};

/// Reads what is left of a packed source, so that its checksums are looked at; stops at a length that no
/// capture packs so well. Then damage() and ending() are of the whole source.
Status read_to_end(ByteSource& source);

/// damage() as a note for a reader; to be asked where there is some.
std::string note_of_damage(const ByteSource& source);

/// "-" as the name of a capture.
inline constexpr std::string_view kStandardInput = "-";

/// How errors name the file of a path: as it is, or as "standard input".
std::string shown_name(const std::string& path);

/// Whether what a path names can be opened once alone: standard input, or a pipe that the shell put in the
/// place of a file's name, <(zcat FILE).
bool is_pipe(const std::string& path);

/// Opens a regular file, or what is_pipe(). A capture is read twice, so what comes through a pipe is first
/// kept in a file without a name in $TMPDIR, else in /tmp. Errors name the path.
Result<std::unique_ptr<ByteSource>> open_capture(const std::string& path);

/// Opens a regular file. Errors name the path and end in `remedy` where it is something else.
Result<std::unique_ptr<ByteSource>> open_file(const std::string& path, const std::string& remedy);

/// Bytes that the caller keeps.
std::unique_ptr<ByteSource> bytes_of(std::span<const uint8_t> bytes);

/// Looks at the first bytes of `packed` and unpacks it where they are those of gzip or of a zstd frame.
Result<std::unique_ptr<ByteSource>> unpacked(std::unique_ptr<ByteSource> packed);

}  // namespace nettoll
