// SPDX-License-Identifier: Apache-2.0
// What `nettoll doctor` finds out.
#pragma once

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

/// True if nothing that is required fails.
bool can_run(const std::vector<HostCheck>& checks);

}  // namespace nettoll
