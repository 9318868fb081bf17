// SPDX-License-Identifier: Apache-2.0
#include "cli/live_session.h"

#include <time.h>

#include <algorithm>

#include "base/capabilities.h"
#include "cli/version.h"

namespace nettoll {
namespace {

uint64_t realtime_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

/// Says so in the session's notes where a function that was named cannot be counted; fails where the method
/// that was asked for counts nothing.
Status note_uncounted(const TraceOptions& options, const PlanRequest& request, Session& session) {
  bool any = false;
  for (const CountedFunction& function : session.functions) {
    any |= function.method != Method::samples;
    const bool named =
        std::find(request.extra.begin(), request.extra.end(), function.name) != request.extra.end();
    if (named && function.method == Method::samples)
      session.notes.push_back(
          fmt::format("calls of {} are not counted: {}", function.name, function.condition));
  }
  if (any) return {};
  return failure(fmt::format("no function can be counted by {} here", options.method),
                 "nettoll functions tells why; leave --method out");
}

}  // namespace

Result<LiveSession> LiveSession::start(const TraceOptions& options, const KernelFs& fs) {
  if (auto ok = check_tracing_rights(fs); !ok) return ok.error();
  auto symbols = KernelSymbols::load(fs);
  if (!symbols) return symbols.error();
  auto config = collector_config(options, *symbols, fs);
  if (!config) return config.error();
  auto collector = Collector::start(*config, function_instances(*symbols), fs);
  if (!collector) return collector.error();
  if (!options.events.empty() && !collector->missing_events().empty()) {
    const MissingEvent& missing = collector->missing_events().front().event;
    return failure(fmt::format("event {}: {}", missing.name, missing.reason));
  }
  Session session = collector->session();
  session.version = version();
  if (auto ok = note_uncounted(options, config->plan, session); !ok) return ok.error();
  OwnCode own{collector->own_programs(), collector->own_tracepoints()};
  auto symbolizer = std::make_unique<Symbolizer>(fs, std::move(*symbols), collector->drop_reasons(),
                                                 std::move(session), std::move(own));
  // The table is older than our own programs.
  symbolizer->request_reload();
  return LiveSession(std::move(*collector), std::move(symbolizer));
}

Result<Profile> LiveSession::read() {
  auto batch = collector_.read();
  if (!batch) return batch.error();
  const uint64_t duration = batch->end_ns - batch->start_ns;
  return symbolizer_->symbolize(std::move(*batch), realtime_ns() - duration);
}

}  // namespace nettoll
