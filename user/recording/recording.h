// SPDX-License-Identifier: Apache-2.0
// The file that holds one Profile.
//
//   "NETTOLL <format> <length>\n"   a line of ASCII: the format's number and how many bytes follow
//   one zstd frame                  with content size and checksum
//     one CBOR map (RFC 8949)       see profile_codec.h
//
// The line is the same in all formats to come, so that every nettoll can tell a newer file from a broken one.
// A format's number changes when an older reader would misread or refuse the file (a changed meaning, a new
// enumerator); what such a reader may ignore (a new table or a new column) comes without one.
//
// A file is data from strangers: its sizes are bounded by its length before anything is allocated, and what
// comes out of decode_recording() has passed check_profile().
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/profile.h"

namespace nettoll {

/// The bytes of a recording of `profile`. Fails where the profile refers to something that it does not hold,
/// or is larger than decode_recording() would take.
Result<std::string> encode_recording(const Profile& profile);

/// The profile in the bytes of a recording. Errors name what is wrong: no recording at all (and what it looks
/// like), cut short, damaged, or of a newer format.
Result<Profile> decode_recording(std::string_view bytes);

/// Writes a recording whole, by rename (see AtomicFile). A command that records for long makes the AtomicFile
/// first and commits the bytes of encode_recording() at its end.
Status write_recording(const std::string& path, const Profile& profile);

/// Reads a recording; every error begins with the path.
Result<Profile> read_recording(const std::string& path);

}  // namespace nettoll
