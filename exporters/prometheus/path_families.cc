// SPDX-License-Identifier: Apache-2.0
// nettoll_path_*: what the ways of a packet cost.
#include "exporters/prometheus/family_builder.h"
#include "model/names.h"

namespace nettoll::exporter {

void path_families(const Totals& totals, const FamilySink& sink) {
  const PathTotals& paths = totals.paths;
  auto packets =
      counter("nettoll_path_packets_total",
              "Packets that took the path, counted exactly as socket buffers: one that GRO merged or GSO "
              "has yet to split is one packet.",
              {"path"});
  auto segments =
      counter("nettoll_path_segments_total",
              "Wire segments in the packets that took the path (gso_segs), counted exactly.", {"path"});
  auto events =
      counter("nettoll_path_events_total",
              "Hardware or software events spent in the path, in units of the event, estimated from samples "
              "scaled to the exact count.",
              {"path", "event"});
  auto clock = counter("nettoll_path_cpu_seconds_total",
                       "CPU time in seconds spent in the path, idle and user time among them, estimated from "
                       "cpu-clock samples; blind inside sections with interrupts disabled.",
                       {"path"});
  for (const Path path : kAllPaths) {
    const auto i = static_cast<size_t>(path);
    packets.add({name_of(path)}, paths.packets[i]);
    segments.add({name_of(path)}, paths.segments[i]);
    for (size_t slot = 0; slot < paths.events.size(); ++slot) {
      const std::optional<double>& amount = paths.events[slot][i];
      if (slot != totals.clock) {
        events.add({name_of(path), totals.events[slot].name}, amount);
      } else if (amount) {
        clock.add({name_of(path)}, seconds(*amount));
      }
    }
  }
  std::move(packets).emit(sink);
  std::move(segments).emit(sink);
  std::move(events).emit(sink);
  std::move(clock).emit(sink);
}

}  // namespace nettoll::exporter
