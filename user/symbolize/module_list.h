// SPDX-License-Identifier: Apache-2.0
// Which modules are loaded, from /proc/modules.
#pragma once

#include <string>
#include <string_view>

namespace nettoll {

/// A text that changes when a module comes, goes, moves or changes its state, and not with the use counts
/// that change all the time. `proc_modules` has lines "name size uses users state address [taints]" (m_show
/// in kernel/module/procfs.c).
std::string module_fingerprint(std::string_view proc_modules);

}  // namespace nettoll
