// SPDX-License-Identifier: Apache-2.0
// Text that is safe on a terminal.
#pragma once

#include <string>

namespace nettoll {

/// The text with control characters but line ends replaced by "?": names of tasks, devices and files may hold
/// any byte.
std::string without_controls(std::string text);

}  // namespace nettoll
