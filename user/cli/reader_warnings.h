// SPDX-License-Identifier: Apache-2.0
// What is wrong with a capture, for commands whose output has no place for it.
#pragma once

#include <string>
#include <vector>

#include "model/profile.h"

namespace nettoll {

/// A person's sentence each: what was lost, and what the reader of another tool's capture noted. A
/// recording's own notes are of how it was counted, and stay with its report.
std::vector<std::string> reader_warnings(const Profile& profile);

}  // namespace nettoll
