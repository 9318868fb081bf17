// SPDX-License-Identifier: Apache-2.0
// Which build of its code a module is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nettoll {

/// The GNU build id of a module, as Symbol::module names it: by that, other tools find the files with its
/// symbols.
struct ModuleBuildId {
  std::string module;
  std::string build_id;  ///< lower-case hex

  bool operator==(const ModuleBuildId&) const = default;
};

/// The build id of a module, "" where it is not known.
inline std::string_view find_build_id(const std::vector<ModuleBuildId>& ids, std::string_view module) {
  for (const ModuleBuildId& known : ids) {
    if (known.module == module) return known.build_id;
  }
  return {};
}

}  // namespace nettoll
