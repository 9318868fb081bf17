// SPDX-License-Identifier: Apache-2.0
#include "cli/live_session.h"

#include <time.h>

#include <algorithm>

#include "base/capabilities.h"
#include "cli/counting_notes.h"
#include "cli/version.h"

namespace nettoll {
namespace {

uint64_t realtime_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

bool counts_any(const Session& session) {
  return std::any_of(session.functions.begin(), session.functions.end(),
                     [](const CountedFunction& function) { return function.method != Method::samples; });
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
  if (!counts_any(session))
    return failure(fmt::format("no function can be counted by {} here", options.method),
                   "nettoll functions tells why; leave --method out");
  for (std::string& note : counting_notes(config->plan.extra, session.functions))
    session.notes.push_back(std::move(note));
  OwnCode own{collector->own_programs(), collector->own_tracepoints()};
  auto symbolizer = std::make_unique<Symbolizer>(fs, std::move(*symbols), collector->drop_reasons(), session,
                                                 std::move(own));
  // The table is older than our own programs.
  symbolizer->request_reload();
  return LiveSession(std::move(*collector), std::move(symbolizer), std::move(session));
}

Result<Profile> LiveSession::read() {
  auto batch = collector_.read();
  if (!batch) return batch.error();
  const uint64_t duration = batch->end_ns - batch->start_ns;
  return symbolizer_->symbolize(std::move(*batch), realtime_ns() - duration);
}

}  // namespace nettoll
