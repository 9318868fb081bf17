// SPDX-License-Identifier: Apache-2.0
// Small helpers that views share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "model/netns_name.h"
#include "report/format.h"
#include "report/options.h"

namespace nettoll {

/// Rows to show of `available` under the reader's limit.
inline size_t rows_to_show(size_t available, const ReportOptions& options) {
  const size_t limit = options.limit.value_or(ReportOptions::kTextLimit);
  return limit == 0 ? available : std::min(limit, available);
}

/// A namespace by its name, else by its inode number; "-" for none.
inline std::string netns_text(const std::vector<NetnsName>& names, uint32_t inode) {
  if (inode == 0) return kMissing;
  std::string name = find_netns_name(names, inode);
  return name.empty() ? std::to_string(inode) : name;
}

/// The line below a table that was cut, or "".
inline std::string rest_line(size_t available, size_t shown) {
  return available > shown ? "... " + std::to_string(available - shown) + " more (--limit 0 shows all)\n"
                           : "";
}

}  // namespace nettoll
