// SPDX-License-Identifier: Apache-2.0
// nettoll serve: the same, always on, for Prometheus.
#include <malloc.h>

#include <csignal>
#include <cstdlib>
#include <memory>

#include "base/capabilities.h"
#include "base/log.h"
#include "base/rights.h"
#include "base/service_manager.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/serve_loop.h"
#include "cli/version.h"
#include "exporters/prometheus/listen_socket.h"
#include "model/missing_events.h"

namespace nettoll {
namespace {

/// Of this thread and those that it starts; the HTTP server's have none already.
Status drop_rights() {
  const auto status = KernelFs().read("/proc/thread-self/status");
  if (!status) return status.error();
  const auto held = effective_capabilities(*status);
  if (!held) return held.error();
  const auto paranoid = KernelFs().read_number("/proc/sys/kernel/perf_event_paranoid");
  const bool administrators_perf = paranoid && perf_is_for_administrators(*paranoid);
  const uint64_t kept = rights_for_running(*held, administrators_perf);
  if (auto ok = keep_rights(kept); !ok) return ok;
  spdlog::info("rights kept: {}", rights_text(kept));
  if (administrators_perf && kept != rights_for_running(*held, false))
    spdlog::info(
        "kernel.perf_event_paranoid is {}, with which some kernels refuse CPUs that come back to all without "
        "CAP_SYS_ADMIN: with 2 it is given up too",
        *paranoid);
  return {};
}

void warn_of_open_doors(const exporter::ListenSocket& socket, const exporter::WebAccess& access) {
  if (socket.only_local) return;
  const auto auth = access.config.tls ? access.config.tls->client_auth : exporter::ClientAuth::NoClientCert;
  if (access.config.users.empty() && auth != exporter::ClientAuth::RequireAndVerifyClientCert)
    spdlog::warn(
        "whoever reaches this host's addresses may read the metrics: --web.config.file can ask for a "
        "password");
  if (!access.tls)
    spdlog::warn("metrics{} go over the network as plain text: --web.config.file can add TLS",
                 access.config.users.empty() ? "" : " and passwords");
}

Status serve(const SetupSource& source) {
  auto setup = load_setup(source.typed, source.config);
  if (!setup) return setup.error();
  const ServeOptions options = setup->options;

  // Metrics go on where whoever read the log has gone: a line for it fails then, as on a full disk.
  std::signal(SIGPIPE, SIG_IGN);
  ServiceManager manager([](const char* name) { return std::getenv(name); });
  auto signals = StopSignals::take();
  if (!signals) return signals.error();
  exporter::Exposition::Options exposition_options;
  exposition_options.version = version();
  exposition_options.interval = setup->settings.interval;
  exposition_options.limits.functions = options.max_functions;
  exporter::Exposition exposition(std::move(exposition_options));
  // The port first: it is the likelier failure, and nothing is attached yet.
  auto socket = exporter::open_listen_socket(setup->settings.address);
  if (!socket) return socket.error();
  auto bound = setup->settings.address;
  bound.port = socket->port;
  warn_of_open_doors(*socket, *setup->access);
  auto server = exporter::HttpServer::start(
      std::move(*socket),
      {[&] { return exposition.scrape(); }, [&] { return exposition.health(); }, version()}, setup->access);
  if (!server) return server.error();
  auto session = LiveSession::start(options.trace, KernelFs());
  if (!session) return session.error();
  if (auto ok = drop_rights(); !ok) return ok;
  // Starting took several times what running does (BTF, symbols): give that back.
  ::malloc_trim(0);
  spdlog::info("serving {}://{}/metrics, set {}, every {}", setup->access->tls ? "https" : "http",
               bound.text(), session->session().set, options.interval);
  for (const auto& [names, reason] : group_by_reason(session->session().missing_events))
    spdlog::info("no {}: {}", names, reason);
  for (const auto& note : session->session().notes) spdlog::info("{}", note);
  auto ok = ServeLoop(source, std::move(*setup), *session, exposition, *server, *signals, manager).run();
  if (ok) spdlog::info("stopped by signal");
  return ok;
}

/// Reads all that serve would.
Status check(const SetupSource& source) {
  const auto setup = load_setup(source.typed, source.config);
  if (!setup) return setup.error();
  return print_out("the configuration is valid\n");
}

}  // namespace

void add_serve(CLI::App& app, Command& chosen) {
  struct Typed {
    ServeOptions options;  ///< checked here, then taken from what was typed and the file together
    std::string config;
    bool check = false;
  };
  auto* command = app.add_subcommand("serve", "Trace always and serve Prometheus metrics");
  auto typed = std::make_shared<Typed>();
  command->add_option("--config", typed->config, "Read options from this file too (TOML)")->type_name("FILE");
  command->add_flag("--check-config", typed->check,
                    "Only check the command line and the files that it names; 2 where one is wrong");
  add_serve_options(*command, typed->options);
  command->callback([typed, command, &chosen] {
    chosen = [typed, source = SetupSource{typed_options(*command), typed->config}] {
      const auto ok = typed->check ? check(source) : serve(source);
      return ok ? kExitDone : report_error(ok.error());
    };
  });
}

}  // namespace nettoll
