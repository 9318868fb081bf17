// SPDX-License-Identifier: Apache-2.0
// nettoll_cpu_* and nettoll_softirq_*: which CPU did the work.
#include "exporters/prometheus/family_builder.h"
#include "model/names.h"

namespace nettoll::exporter {

void cpu_families(const Totals& totals, const FamilySink& sink) {
  auto events =
      counter("nettoll_cpu_events_total",
              "Hardware or software events on the CPU as its counter read them, in units of the event, "
              "scaled up for the time that the event had no hardware counter.",
              {"cpu", "event"});
  auto packets =
      counter("nettoll_cpu_packets_total",
              "Packets that took the path on the CPU, counted exactly as socket buffers.", {"cpu", "path"});
  auto clock =
      counter("nettoll_cpu_seconds_total",
              "CPU time in seconds of the CPU by path, idle and user time among them, estimated from "
              "cpu-clock samples; blind inside sections with interrupts disabled.",
              {"cpu", "path"});
  for (const auto& [id, totals_of_cpu] : totals.cpus) {
    const std::string cpu = std::to_string(id);
    for (size_t slot = 0; slot < totals_of_cpu.events.size(); ++slot) {
      if (slot != totals.clock) events.add({cpu, totals.events[slot].name}, totals_of_cpu.events[slot]);
    }
    for (const Path path : kAllPaths) {
      const auto i = static_cast<size_t>(path);
      packets.add({cpu, name_of(path)}, totals_of_cpu.packets[i]);
      if (totals_of_cpu.clock[i]) clock.add({cpu, name_of(path)}, seconds(*totals_of_cpu.clock[i]));
    }
  }
  std::move(events).emit(sink);
  std::move(packets).emit(sink);
  std::move(clock).emit(sink);

  auto time =
      counter("nettoll_softirq_seconds_total",
              "Time in seconds between entry and exit of the softirq vector's handler on the CPU, measured "
              "exactly; interrupts that came in between are in it.",
              {"vector", "cpu"});
  auto runs = counter("nettoll_softirq_runs_total",
                      "Runs of the softirq vector's handler on the CPU, counted exactly.", {"vector", "cpu"});
  for (const auto& [key, softirq] : totals.softirqs) {
    const std::string cpu = std::to_string(key.second);
    time.add({key.first, cpu}, seconds(static_cast<double>(softirq.ns)));
    runs.add({key.first, cpu}, softirq.runs);
  }
  std::move(time).emit(sink);
  std::move(runs).emit(sink);
}

}  // namespace nettoll::exporter
