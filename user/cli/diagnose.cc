// SPDX-License-Identifier: Apache-2.0
// nettoll diagnose: what is wrong with this host's network, on what evidence, and what to try.
#include "diagnose/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>

#include "base/duration.h"
#include "cli/command.h"
#include "cli/host_reader.h"
#include "cli/live_session.h"
#include "cli/output.h"
#include "cli/stop_signals.h"
#include "correlate/correlate.h"
#include "diagnose/ledger.h"
#include "host/netns_names.h"
#include "report/diagnosis_view.h"
#include "report/format.h"
#include "report/json_text.h"

namespace nettoll {
namespace {

using Clock = std::chrono::steady_clock;

struct DiagnoseOptions {
  TraceOptions trace;
  std::string duration = "10";
  bool json = false;
};

/// Traces until the time is over or a signal comes; without a session it waits.
Status wait_until(Clock::time_point end, LiveSession* session, int signals) {
  pollfd watched[] = {{signals, POLLIN, 0}};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0 || watched[0].revents) return {};
    const int timeout = static_cast<int>(std::min<int64_t>(left, 1000));
    if (!session) {
      if (::poll(watched, 1, timeout) < 0 && errno != EINTR) return system_error("cannot wait", errno);
    } else if (auto ready = session->wait(timeout, watched); !ready) {
      return ready.error();
    }
  }
}

Result<int> diagnose_host(const DiagnoseOptions& options) {
  const auto duration = parse_duration(options.duration);
  if (!duration) return duration.error();
  auto signals = StopSignals::take();
  if (!signals) return signals.error();
  // Much can be told from the host's own counters, so that tracing is not a must.
  std::optional<LiveSession> session;
  std::string untraced;
  if (auto started = LiveSession::start(options.trace, KernelFs())) {
    session.emplace(std::move(*started));
  } else if (started.error().kind == ErrorKind::usage) {
    return started.error();
  } else {
    untraced =
        fmt::format("nothing is traced, so costs and drop reasons are not known: {}", started.error().text());
    say(untraced);
  }
  auto host = HostReader::open(KernelFs());
  if (!host) return host.error();
  say(fmt::format("watching for {}",
                  format_time(std::chrono::duration<double, std::nano>(*duration).count())));
  if (auto ok = wait_until(Clock::now() + *duration, session ? &*session : nullptr, signals->fd()); !ok)
    return ok.error();
  if (session) session->stop_sampling();
  auto state = host->next();
  if (!state) return state.error();
  if (!untraced.empty()) state->notes.push_back(untraced);

  std::optional<Profile> profile;
  std::optional<CostTable> costs;
  if (session) {
    auto read = session->read();
    if (!read) return read.error();
    profile = std::move(*read);
    NetnsNamer(KernelFs()).name(*profile);
    costs = correlate(*profile);
  }
  const Profile* traced = profile ? &*profile : nullptr;
  const Diagnosis diagnosis = diagnose(*state, traced, costs ? &*costs : nullptr);
  const Ledger ledger = make_ledger(*state, traced);
  const size_t width = terminal_columns().value_or(kTextWidth);
  const std::string text = options.json
                               ? json_text(diagnosis_json(diagnosis, ledger, *state)) + "\n"
                               : diagnosis_view(diagnosis, *state, width) + "\n" + ledger_view(ledger, width);
  if (auto ok = print_out(text); !ok) return ok.error();
  return diagnosis.findings.empty() ? kExitDone : kExitFindings;
}

}  // namespace

void add_diagnose(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand(
      "diagnose", "Watch this host for a while: what is wrong with its network, and what to try");
  auto options = std::make_shared<DiagnoseOptions>();
  options->trace.queues = true;
  command->add_option("-d,--duration", options->duration, "How long, such as 10, 500ms, 2m")
      ->capture_default_str()
      ->type_name("TIME");
  command->add_flag("--json", options->json, "As JSON, unrounded");
  add_counting_options(*command, options->trace, "core");
  add_sampling_options(*command, options->trace);
  command->callback([options, &chosen] {
    chosen = [options] {
      const auto status = diagnose_host(*options);
      return status ? *status : report_error(status.error());
    };
  });
}

}  // namespace nettoll
