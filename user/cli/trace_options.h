// SPDX-License-Identifier: Apache-2.0
// The options that every tracing command takes, and what they mean.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "collect/collector.h"
#include "symbolize/kernel_symbols.h"

namespace nettoll {

/// As typed.
struct TraceOptions {
  std::string set;
  std::string method;
  std::vector<std::string> functions;  ///< names or globs
  std::vector<std::string> events;     ///< "none" turns sampling off
  std::optional<uint64_t> frequency;
  std::optional<uint64_t> period;
  std::optional<std::string> cpus;
  bool queues = false;
  std::vector<std::string> exact;  ///< functions to measure call by call
  uint32_t exact_rate = 1;
  bool in_slices = false;  ///< see CollectorConfig; not typed
};

/// Adds --set, --method, --function.
void add_counting_options(CLI::App& command, TraceOptions& options, const std::string& default_set);
/// Adds -e, -F, -c, -C.
void add_sampling_options(CLI::App& command, TraceOptions& options);

/// Adds --exact and --exact-rate.
void add_exact_options(CLI::App& command, TraceOptions& options);

/// The plan that --set, --method and --function ask for. Usage errors: a function or pattern that this kernel
/// lacks, unless it is named with its module, which may come later.
Result<PlanRequest> plan_request(const TraceOptions& options, const KernelSymbols& symbols);

/// All of it. Usage errors as well: unknown events, -C that is no CPU list, -F with
/// -c, unknown or too many functions of --exact.
Result<CollectorConfig> collector_config(const TraceOptions& options, const KernelSymbols& symbols,
                                         const KernelFs& fs);

/// How the attach plan asks kallsyms for a function. Holds a reference to `symbols`.
FunctionEntries function_entries(const KernelSymbols& symbols);

}  // namespace nettoll
