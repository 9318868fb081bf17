// SPDX-License-Identifier: Apache-2.0
// Which samples a report is of, as the command line has it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "correlate/select.h"
#include "ingest/ingest_options.h"
#include "model/profile.h"

namespace nettoll {

/// As typed.
struct ReportFilters {
  std::vector<std::string> paths;
  std::string function;
  std::string cpus;
  std::string comm;
  std::string times;
};

/// The options --path, --function, --cpu, --comm and --time, which fill in `filters`.
void add_filter_options(CLI::App& command, ReportFilters& filters);

/// What of it can be asked of samples while they are read, for other tools' captures alone.
Result<IngestOptions> ingest_filters(const ReportFilters& filters);

/// What can be asked of a profile. `--cpu` is in both: recordings are cut down by it after they were read.
Result<SampleSelection> selection_of(const ReportFilters& filters);

/// Fails with a usage error where a recording of nettoll does not hold what a filter asks for.
Status check_for_recording(const ReportFilters& filters);

/// All filters in words, "" where there is none: "path rx, CPU 0-3".
std::string describe(const ReportFilters& filters);

/// Whether a profile has sampled or counted a function of that name.
bool has_function(const Profile& profile, std::string_view name);

/// What to say where no sample is left: what was asked for and what the whole capture has instead. A usage
/// error where the function is one that the whole capture does not have.
Error nothing_selected(const ReportFilters& filters, const Profile& whole, const std::string& file);

/// "12.5,13.25" of seconds, with nine decimals at most, as nanoseconds from first to last; either may be
/// left out: ",13.25". Exact: no floating point is in between.
Result<std::pair<uint64_t, uint64_t>> parse_time_range(std::string_view text);

}  // namespace nettoll
