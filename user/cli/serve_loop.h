// SPDX-License-Identifier: Apache-2.0
// What serve does once all is set up: reads counters, diagnoses, and goes by other files on SIGHUP.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/service_manager.h"
#include "cli/counter_watch.h"
#include "cli/live_session.h"
#include "cli/serve_budget.h"
#include "cli/serve_config.h"
#include "cli/serve_diagnosis.h"
#include "cli/slice_clock.h"
#include "cli/stop_signals.h"
#include "correlate/correlate.h"
#include "exporters/prometheus/http_server.h"
#include "exporters/prometheus/snapshot.h"

namespace nettoll {

/// Where the setup comes from, to read it anew.
struct SetupSource {
  std::vector<std::string> typed;
  std::string config;  ///< the file of --config; "": none
};

/// Refers to all that it is given but the setup.
class ServeLoop {
 public:
  ServeLoop(SetupSource source, ServeSetup setup, LiveSession& session, exporter::Exposition& exposition,
            exporter::HttpServer& server, StopSignals& signals, ServiceManager& manager)
      : source_(std::move(source)),
        setup_(std::move(setup)),
        session_(session),
        exposition_(exposition),
        server_(server),
        signals_(signals),
        manager_(manager) {}

  /// Until a signal says to stop. The service manager hears when it begins and ends, and that it goes on.
  Status run();

 private:
  using Clock = std::chrono::steady_clock;

  Status tick(bool closes);
  bool take_signals();
  void reload();
  Status follow_diagnose_interval();
  void follow_budget();
  Clock::time_point follow_slices(Clock::time_point now);

  SetupSource source_;
  ServeSetup setup_;
  LiveSession& session_;
  exporter::Exposition& exposition_;
  exporter::HttpServer& server_;
  StopSignals& signals_;
  ServiceManager& manager_;
  std::unique_ptr<ServeDiagnosis> diagnosis_;  ///< null: none is wanted
  ServeBudget budget_;
  CounterWatch counters_;
  SliceClock slices_;
  Carry carry_;
  Clock::time_point next_;
};

}  // namespace nettoll
