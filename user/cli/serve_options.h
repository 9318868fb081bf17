// SPDX-License-Identifier: Apache-2.0
// The options of serve, as typed and as meant.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/trace_options.h"
#include "exporters/prometheus/listen_address.h"
#include "exporters/prometheus/snapshot.h"

namespace nettoll {

/// As typed, on the command line or in the configuration file.
struct ServeOptions {
  TraceOptions trace;
  std::string address = exporter::kDefaultListenAddress;
  std::string web_config;  ///< the file of --web.config.file; "": none
  std::string interval = "5s";
  std::string diagnose_interval = "30s";
  std::optional<double> max_overhead;  ///< percent of all CPU time; 0: no budget, as none
  size_t max_functions = exporter::SeriesLimits().functions;
};

/// Of these the parts that have to be parsed.
struct ServeSettings {
  exporter::ListenAddress address;
  std::chrono::nanoseconds interval{};
  std::optional<std::chrono::nanoseconds> diagnose_interval;  ///< none: no diagnosis
  std::optional<double> max_overhead;                         ///< part of all CPU time; none: no budget
};

/// Adds all options of serve that may stand in a configuration file.
void add_serve_options(CLI::App& command, ServeOptions& options);

/// Usage errors name the option.
Result<ServeSettings> serve_settings(const ServeOptions& options);

}  // namespace nettoll
