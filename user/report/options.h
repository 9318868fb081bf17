// SPDX-License-Identifier: Apache-2.0
// What the reader of a report may choose.
#pragma once

#include <cstddef>
#include <optional>

namespace nettoll {

struct ReportOptions {
  static constexpr size_t kTextLimit = 20;

  /// Rows of each table; 0 is all of them. Where not set: kTextLimit in text, all in JSON.
  std::optional<size_t> limit;
};

}  // namespace nettoll
