// SPDX-License-Identifier: Apache-2.0
// What `nettoll drops` prints of a window.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "model/drop_sample.h"

namespace nettoll {

/// How much is shown.
struct DropViewOptions {
  std::optional<size_t> limit;  ///< rows of each table; see ReportOptions
  size_t stacks = 3;
  size_t examples = 10;
  /// Of the terminal that it is drawn on; columns that it has no room for are left out. Empty: wide as
  /// reports.
  std::optional<size_t> width{};
};

/// Tables of loss and noise, the stacks that were sampled most, example packets, and the account of samples.
std::string drop_window_view(const DropWindow& window, const DropViewOptions& options);

/// The same in full, on one line. Amounts that were not measured have no key.
nlohmann::json drop_window_json(const DropWindow& window, const DropViewOptions& options);

}  // namespace nettoll
