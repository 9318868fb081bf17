// SPDX-License-Identifier: Apache-2.0
// Which builds the code of a capture is of.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "model/build_id.h"
#include "model/function.h"

namespace nettoll {

/// A file of the capture, or the kernel as perf names it, and its build id in lower-case hex.
using FileBuildId = std::pair<std::string_view, std::string_view>;

/// The build ids of the modules that `symbols` are of, by name. Paths of kernel modules stand for their
/// names. What had no build id is left out, and so is a path that had several: files that took each other's
/// place.
std::vector<ModuleBuildId> captured_build_ids(const std::vector<FileBuildId>& files,
                                              const std::vector<Symbol>& symbols);

}  // namespace nettoll
