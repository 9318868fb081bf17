// SPDX-License-Identifier: Apache-2.0
// A Profile as one CBOR map.
//
//   "strings"            array of text, each once; everywhere else a string or the word of an enumerator is
//   its
//                        place in it
//   "window", "session"  map of field name to value
//   "stacks"             array of arrays of symbol numbers, innermost first
//   the other tables     map of column name to array, one element a row, all of one length
//
// Tables are stored by column: names cost once a table, a column of like numbers compresses well, and a
// reader skips the columns that it does not know.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/profile.h"
#include "recording/limits.h"

namespace nettoll {

std::string encode_profile(const Profile& profile);

/// Reads what encode_profile() wrote, or a stranger: types and ranges of all values are checked, but not that
/// indexes have their target (see check_profile()).
Result<Profile> decode_profile(std::string_view cbor, const RecordingLimits& limits);

}  // namespace nettoll
