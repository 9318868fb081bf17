// SPDX-License-Identifier: Apache-2.0
// Which modules are loaded, from /proc/modules.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace nettoll {

/// A text that changes when a module comes, goes, moves or changes its state, and not with the use counts
/// that change all the time. `proc_modules` has lines "name size uses users state address [taints]" (m_show
/// in kernel/module/procfs.c).
std::string module_fingerprint(std::string_view proc_modules);

/// Gives a number for a module's name that another module of that name does not have, also one that has taken
/// its place; 0 where it is not known.
using ModuleIdentity = std::function<uint64_t(std::string_view name)>;

/// The same with each module's identity, so that it changes too when a module came back to its place.
std::string module_fingerprint(std::string_view proc_modules, const ModuleIdentity& identity);

/// The modules of the second fingerprint that came, or went and came back, since the first. One whose identity
/// is unknown in either counts as having stayed.
std::vector<std::string> arrived_modules(std::string_view before, std::string_view after);

}  // namespace nettoll
