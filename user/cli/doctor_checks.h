// SPDX-License-Identifier: Apache-2.0
// What `nettoll doctor` finds out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/kernel_fs.h"

namespace nettoll {

/// One capability of this host.
struct HostCheck {
  std::string name;
  bool works = false;
  /// Without it the main job (count, sample, join) cannot run.
  bool required = false;
  /// What was found, or why it does not work.
  std::string detail;
  std::string remedy;
};

/// Tries everything, the one after the other; what cannot be tried for lack of another says so.
std::vector<HostCheck> examine_host(const KernelFs& fs);

/// Functions that are not counted, by the reason: "a, b: reason; 84 (nettoll functions lists them): another".
std::string list_uncounted(const std::map<std::string, std::vector<std::string>>& by_reason);

/// True if nothing that is required fails.
bool can_run(const std::vector<HostCheck>& checks);

}  // namespace nettoll
