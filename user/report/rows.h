// SPDX-License-Identifier: Apache-2.0
// Small helpers that views share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "report/options.h"

namespace nettoll {

/// Rows to show of `available` under the reader's limit.
inline size_t rows_to_show(size_t available, const ReportOptions& options) {
  const size_t limit = options.limit.value_or(ReportOptions::kTextLimit);
  return limit == 0 ? available : std::min(limit, available);
}

/// The line below a table that was cut, or "".
inline std::string rest_line(size_t available, size_t shown) {
  return available > shown ? "... " + std::to_string(available - shown) + " more (--limit 0 shows all)\n"
                           : "";
}

}  // namespace nettoll
