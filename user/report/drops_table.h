// SPDX-License-Identifier: Apache-2.0
// Tables of dropped packets: loss apart from noise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/drop_class.h"
#include "model/netns_name.h"
#include "report/options.h"

namespace nettoll {

/// Rows of one kind, most packets first.
struct DropRows {
  std::vector<Drops> rows;
  uint64_t packets = 0;
};

/// The rows that are loss, and all others.
struct SplitDrops {
  DropRows loss;
  DropRows noise;
};
SplitDrops split_drops(std::vector<Drops> drops);

/// "<title>: 12 packets, 6.00 a second<more>", or "<title>: none<more>" without rows.
std::string drops_heading(const std::string& title, const DropRows& drops, uint64_t duration_ns,
                          const std::string& more = "");

struct DropColumns {
  const std::vector<NetnsName>* netns_names = nullptr;
  bool full =
      false;  ///< subsystem and module as columns of their own; else "subsystem:REASON" where it is not core
  bool why = false;  ///< why a row is no loss
  size_t width = 120;
};

/// The rows under their headings, with a line that tells how many are left out.
std::string drops_table(const DropRows& drops, uint64_t duration_ns, const ReportOptions& options,
                        const DropColumns& shown);

}  // namespace nettoll
