// SPDX-License-Identifier: Apache-2.0
// nettoll serve: the same, always on, for Prometheus.
#include <malloc.h>

#include <chrono>
#include <memory>
#include <optional>

#include "base/duration.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/live_session.h"
#include "cli/serve_diagnosis.h"
#include "cli/stop_signals.h"
#include "cli/usage.h"
#include "cli/version.h"
#include "correlate/correlate.h"
#include "exporters/prometheus/http_server.h"
#include "exporters/prometheus/listen_address.h"
#include "exporters/prometheus/snapshot.h"
#include "model/missing_events.h"

namespace nettoll {
namespace {

using Clock = std::chrono::steady_clock;

struct ServeOptions {
  TraceOptions trace;
  std::string address = exporter::kDefaultListenAddress;
  std::string interval = "5s";
  std::string diagnose_interval = "30s";
  size_t max_functions = exporter::SeriesLimits().functions;
};

/// The first window is short, so that data are there soon after the start.
constexpr std::chrono::milliseconds kFirstWindow{1000};

/// `diagnosis` may be null. A window of it ends when the host was read, and the trace is then read at once,
/// whatever the interval is.
Status tick_until_stopped(LiveSession& session, exporter::Exposition& exposition, ServeDiagnosis* diagnosis,
                          Clock::duration interval, int signals) {
  Carry carry;
  auto next = Clock::now() + std::min<Clock::duration>(interval, kFirstWindow);
  pollfd watched[] = {{signals, POLLIN, 0}, {diagnosis ? diagnosis->fd() : -1, POLLIN, 0}};
  while (true) {
    const auto now = Clock::now();
    const auto wake = diagnosis ? std::min(next, diagnosis->step(now)) : next;
    // Looked at before the trace is read: what ends in between waits for the next reading.
    const bool closes = diagnosis && diagnosis->host_was_read();
    if (now < next && !closes) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(wake - now).count();
      auto ready = session.wait(static_cast<int>(std::min<int64_t>(left, 60'000)), watched);
      if (!ready) return ready.error();
      if (watched[0].revents) return {};
      continue;
    }
    auto profile = session.read();
    if (!profile) return profile.error();
    exposition.tick(*profile, correlate(*profile, &carry));
    if (diagnosis) diagnosis->add(*profile, closes, exposition);
    if (now >= next) next = std::max(next + interval, Clock::now());
  }
}

/// The time between windows of diagnosis; none where they are not wanted.
Result<std::optional<Clock::duration>> parse_diagnose_interval(const std::string& text) {
  if (text == "0" || text == "0s") return std::optional<Clock::duration>();
  const auto interval = parse_duration(text);
  if (!interval) return interval.error();
  if (*interval < std::chrono::seconds(1) || *interval > std::chrono::hours(1))
    return usage_error(fmt::format("--diagnose-interval {} is not between 1s and 1h", text),
                       "give a time such as 30s, or 0 for no diagnosis");
  return std::optional<Clock::duration>(*interval);
}

Status serve(const ServeOptions& options) {
  auto address = exporter::parse_listen_address(options.address);
  if (!address) return address.error();
  auto interval = parse_duration(options.interval);
  if (!interval) return interval.error();
  if (*interval < std::chrono::milliseconds(100) || *interval > std::chrono::hours(1))
    return usage_error(fmt::format("--interval {} is not between 100ms and 1h", options.interval),
                       "give a time such as 5s");
  const auto diagnose_interval = parse_diagnose_interval(options.diagnose_interval);
  if (!diagnose_interval) return diagnose_interval.error();

  auto signals = StopSignals::take();
  if (!signals) return signals.error();
  exporter::Exposition::Options exposition_options;
  exposition_options.version = version();
  exposition_options.interval = *interval;
  exposition_options.limits.functions = options.max_functions;
  exporter::Exposition exposition(std::move(exposition_options));
  // The port first: it is the likelier failure, and nothing is attached yet.
  auto server = exporter::HttpServer::start(
      *address, {[&] { return exposition.scrape(); }, [&] { return exposition.health(); }, version()});
  if (!server) return server.error();
  auto session = LiveSession::start(options.trace, KernelFs());
  if (!session) return session.error();
  std::unique_ptr<ServeDiagnosis> diagnosis;
  if (*diagnose_interval) {
    auto created = ServeDiagnosis::create(KernelFs(), **diagnose_interval);
    if (!created) return created.error();
    diagnosis = std::move(*created);
  }
  // Starting took several times what running does (BTF, symbols): give that back.
  ::malloc_trim(0);
  auto bound = *address;
  bound.port = server->port();
  spdlog::info("serving http://{}/metrics, set {}, every {}", bound.text(), session->session().set,
               options.interval);
  for (const auto& [names, reason] : group_by_reason(session->session().missing_events))
    spdlog::info("no {}: {}", names, reason);
  for (const auto& note : session->session().notes) spdlog::info("{}", note);
  auto ok = tick_until_stopped(*session, exposition, diagnosis.get(), *interval, signals->fd());
  if (ok) spdlog::info("stopped by signal");
  return ok;
}

}  // namespace

void add_serve(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("serve", "Trace always and serve Prometheus metrics");
  auto options = std::make_shared<ServeOptions>();
  command->add_option("--web.listen-address", options->address, "Address and port to listen on")
      ->capture_default_str()
      ->type_name("ADDR");
  command->add_option("--interval", options->interval, "How often counters are read")
      ->capture_default_str()
      ->type_name("TIME");
  command
      ->add_option("--diagnose-interval", options->diagnose_interval,
                   "How often this host is diagnosed and the ledger of drops kept; 0: never")
      ->capture_default_str()
      ->type_name("TIME");
  command
      ->add_option("--max-functions", options->max_functions,
                   "Functions with series of their own; later ones are summed as \"other\"")
      ->check(whole_number(1))
      ->capture_default_str()
      ->type_name("N");
  add_counting_options(*command, options->trace, "core");
  command->add_flag("--queues", options->trace.queues,
                    "Count packets by receive queue too (costs each packet a lookup)");
  add_sampling_options(*command, options->trace);
  command->callback([options, &chosen] {
    chosen = [options] {
      const auto ok = serve(*options);
      return ok ? kExitDone : report_error(ok.error());
    };
  });
}

}  // namespace nettoll
