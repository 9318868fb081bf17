// SPDX-License-Identifier: Apache-2.0
#include "cli/serve_options.h"

#include "base/duration.h"
#include "cli/usage.h"

namespace nettoll {
namespace {

/// The time between windows of diagnosis; none where they are not wanted.
Result<std::optional<std::chrono::nanoseconds>> parse_diagnose_interval(const std::string& text) {
  using Interval = std::optional<std::chrono::nanoseconds>;
  if (text == "0" || text == "0s") return Interval();
  const auto interval = parse_duration(text);
  if (!interval) return interval.error();
  if (*interval < std::chrono::seconds(1) || *interval > std::chrono::hours(1))
    return usage_error(fmt::format("--diagnose-interval {} is not between 1s and 1h", text),
                       "give a time such as 30s, or 0 for no diagnosis");
  return Interval(*interval);
}

}  // namespace

void add_serve_options(CLI::App& command, ServeOptions& options) {
  options.trace.in_slices = true;
  command.add_option("--web.listen-address", options.address, "Address and port to listen on")
      ->capture_default_str()
      ->type_name("ADDR");
  command
      .add_option("--web.config.file", options.web_config,
                  "TLS, users and their passwords, as Prometheus exporters share them (YAML)")
      ->type_name("FILE");
  command.add_option("--interval", options.interval, "How often counters are read")
      ->capture_default_str()
      ->type_name("TIME");
  command
      .add_option("--diagnose-interval", options.diagnose_interval,
                  "How often this host is diagnosed and the ledger of drops kept; 0: never")
      ->capture_default_str()
      ->type_name("TIME");
  command
      .add_option("--max-functions", options.max_functions,
                  "Functions with series of their own; later ones are summed as \"other\"")
      ->check(whole_number(1))
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option("--max-overhead", options.max_overhead,
                  "Keep what nettoll itself takes below this part of all CPU time, with less detail where it "
                  "has to; 0: no such limit [0]")
      ->transform(percent())
      ->type_name("PERCENT");
  add_counting_options(command, options.trace, "core");
  command.add_flag("--queues", options.trace.queues,
                   "Count packets by receive queue too (costs each packet a lookup)");
  add_sampling_options(command, options.trace);
}

Result<ServeSettings> serve_settings(const ServeOptions& options) {
  ServeSettings settings;
  auto address = exporter::parse_listen_address(options.address);
  if (!address) return address.error();
  settings.address = std::move(*address);
  const auto interval = parse_duration(options.interval);
  if (!interval) return interval.error();
  if (*interval < std::chrono::milliseconds(100) || *interval > std::chrono::hours(1))
    return usage_error(fmt::format("--interval {} is not between 100ms and 1h", options.interval),
                       "give a time such as 5s");
  settings.interval = *interval;
  const auto diagnose = parse_diagnose_interval(options.diagnose_interval);
  if (!diagnose) return diagnose.error();
  settings.diagnose_interval = *diagnose;
  if (options.max_overhead.value_or(0) > 0) settings.max_overhead = *options.max_overhead / 100;
  return settings;
}

}  // namespace nettoll
