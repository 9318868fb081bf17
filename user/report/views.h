// SPDX-License-Identifier: Apache-2.0
// The parts of the text report, each a text that ends in '\n'. One source file each.
#pragma once

#include <cstdint>
#include <string>

#include "model/cost_table.h"
#include "model/profile.h"
#include "report/chain_report.h"
#include "report/options.h"

namespace nettoll {

/// Host, window, set, events with exact totals, what is missing and what was lost.
std::string header_view(const Profile& profile, const CostTable& cost, const ReportOptions& options = {});

/// Whether the percentages can be trusted, and why not: a line, and one for each reason.
std::string verdict_view(const Profile& profile, const CostTable& cost);

/// Own cost by kernel, module, program and library, events side by side; "" where nothing was sampled.
std::string places_view(const Profile& profile, const CostTable& cost, const ReportOptions& options);

/// Every function's part of each event, alone and with all that it calls, events side by side; "" where
/// nothing was sampled.
std::string flat_view(const Profile& profile, const CostTable& cost, const ReportOptions& options);

/// Functions with trees of their call chains.
std::string chains_view(const Profile& profile, const std::vector<ChainReport>& reports,
                        const ReportOptions& options);

/// Parts of each event by CPU, module, path or name of the thread.
std::string by_view(const Profile& profile, const CostTable& cost, Grouping by, const ReportOptions& options);

/// What to take away: length, samples, dominant code, hot functions and where they are called from, and what
/// an analyst would say.
std::string summary_view(const Profile& profile, const CostTable& cost, const ReportOptions& options);

/// Functions of the network paths by their own cost, a table for each event.
std::string functions_view(const Profile& profile, const CostTable& cost, const ReportOptions& options);

/// Kernel functions outside the network paths, for the first event that ran.
std::string other_functions_view(const Profile& profile, const CostTable& cost, const ReportOptions& options);

/// Functions of one path by their own cost in it, for the first event that ran; "" where none did.
std::string path_functions_view(const Profile& profile, const CostTable& cost, Path path,
                                const ReportOptions& options);

/// Instructions per cycle and misses per thousand instructions by function; "" where no such events ran.
std::string efficiency_view(const Profile& profile, const CostTable& cost, const ReportOptions& options);

/// What exact mode measured; "" where it was not asked for.
std::string exact_view(const Profile& profile, const ReportOptions& options = {});

/// Packets and cost of each path, whole and per packet.
std::string paths_view(const Profile& profile, const CostTable& cost, const ReportOptions& options = {});

/// What each CPU did with its time, beside its cycles and packets.
std::string cpus_view(const Profile& profile, const CostTable& cost, const ReportOptions& options = {});

/// NAPI polls by device and CPU.
std::string napi_view(const Profile& profile, const ReportOptions& options);

/// Packets by receive queue.
std::string queues_view(const Profile& profile, const ReportOptions& options);

/// Softirq time by vector.
std::string softirqs_view(const Profile& profile, const ReportOptions& options = {});

/// Dropped packets by reason, function, protocol and device.
std::string drops_view(const Profile& profile, const ReportOptions& options);

}  // namespace nettoll
