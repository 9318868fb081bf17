// SPDX-License-Identifier: Apache-2.0
// Files that a user names for settings, certificates and keys.
#pragma once

#include <string>

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll {

/// Of such a file, in bytes: a bundle of all public CAs has a tenth of it.
constexpr size_t kMaxSettingsFile = 4 << 20;

/// Opens `path` for reading. What is no regular file is refused: opening a FIFO waits for its writer, and a
/// device may never end, which would stop a running `serve` at SIGHUP. Errors: the kernel's, another kind of
/// file, more than kMaxSettingsFile bytes.
Result<UniqueFd> open_settings_file(const std::string& path);

/// The whole text of a file that open_settings_file() takes.
Result<std::string> read_settings_file(const std::string& path);

}  // namespace nettoll
