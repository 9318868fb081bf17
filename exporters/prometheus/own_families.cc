// SPDX-License-Identifier: Apache-2.0
// nettoll itself: what it counts here, what it costs, and its process.
#include "exporters/prometheus/family_builder.h"
#include "model/names.h"

namespace nettoll::exporter {
namespace {

void session_families(const SessionFacts& session, const FamilySink& sink) {
  auto info =
      gauge("nettoll_session_info",
            "Always 1; the labels say on which kernel nettoll runs and which set of functions it counts.",
            {"kernel", "arch", "set"});
  info.add({session.kernel, session.arch, session.set}, 1.0);
  std::move(info).emit(sink);

  auto functions =
      gauge("nettoll_functions",
            "Functions of the set in use by state (counted at their entry, proxied by a tracepoint, "
            "sampled only, absent from this kernel, shed for --max-overhead, estimated from slices) and "
            "counting method.",
            {"state", "method"});
  for (const auto& [key, count] : session.functions) {
    functions.add({name_of(key.first), name_of(key.second)}, count);
  }
  std::move(functions).emit(sink);

  auto available =
      gauge("nettoll_event_available",
            "1 if the event that was asked for is sampled, 0 if this host cannot provide it; `nettoll "
            "doctor` says why.",
            {"event"});
  for (const auto& [event, runs] : session.event_available) available.add({event}, runs ? 1.0 : 0.0);
  std::move(available).emit(sink);

  auto hooks =
      gauge("nettoll_hooks_per_packet",
            "Counting programs that run for each packet on its way, by design of the set in use; drives "
            "the cost of counting.",
            {});
  hooks.add({}, session.hooks_per_packet);
  std::move(hooks).emit(sink);

  auto end = gauge("nettoll_last_collection_timestamp_seconds",
                   "End of the last collected interval in seconds since the epoch.", {});
  end.add({}, session.end_seconds);
  std::move(end).emit(sink);
}

void own_cost(const Totals& totals, const ProcessStats& process, const FamilySink& sink) {
  auto cost = counter(
      "nettoll_own_cpu_seconds_total",
      "CPU time in seconds that nettoll itself used: part=\"programs\" in its kernel programs and what "
      "calls them, estimated from cpu-clock samples; part=\"user\" in its process, as the kernel "
      "accounts it.",
      {"part"});
  if (totals.clock) {
    const auto& own = totals.paths.events[*totals.clock][static_cast<size_t>(Path::own)];
    if (own) cost.add({"programs"}, seconds(*own));
  }
  cost.add({"user"}, process.cpu_seconds);
  std::move(cost).emit(sink);
}

template <typename T>
void single(FamilyBuilder family, const std::optional<T>& value, const FamilySink& sink) {
  family.add({}, value);
  std::move(family).emit(sink);
}

/// Names and texts of the Prometheus client guidelines, "Standard and runtime collectors".
void process_families(const ProcessStats& process, const FamilySink& sink) {
  single(counter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", {}),
         process.cpu_seconds, sink);
  single(gauge("process_open_fds", "Number of open file descriptors.", {}), process.open_fds, sink);
  single(gauge("process_max_fds", "Maximum number of open file descriptors.", {}), process.max_fds, sink);
  single(gauge("process_virtual_memory_bytes", "Virtual memory size in bytes.", {}), process.virtual_bytes,
         sink);
  single(gauge("process_resident_memory_bytes", "Resident memory size in bytes.", {}), process.resident_bytes,
         sink);
  single(gauge("process_start_time_seconds", "Start time of the process since the epoch in seconds.", {}),
         process.start_time_seconds, sink);
}

}  // namespace

void own_families(const Totals& totals, const ProcessStats& process, const std::string& version,
                  const FamilySink& sink) {
  auto build = gauge("nettoll_build_info", "Always 1; the label is the version of nettoll.", {"version"});
  build.add({version}, 1.0);
  std::move(build).emit(sink);
  if (totals.session) session_families(*totals.session, sink);
  auto ticks = counter("nettoll_collections_total", "Intervals that were collected since the start.", {});
  ticks.add({}, totals.ticks);
  std::move(ticks).emit(sink);
  auto window = counter("nettoll_collected_seconds_total",
                        "Time in seconds that the collected intervals cover, as measured.", {});
  window.add({}, seconds(static_cast<double>(totals.window_ns)));
  std::move(window).emit(sink);
  own_cost(totals, process, sink);
  process_families(process, sink);
}

}  // namespace nettoll::exporter
