// SPDX-License-Identifier: Apache-2.0
// What was not measured, and by how much: losses, multiplexing, caps.
#include "exporters/prometheus/family_builder.h"
#include "model/names.h"

namespace nettoll::exporter {
namespace {

/// Losses by what they count, since a family must not add samples to throttlings.
struct LossFamilies {
  FamilyBuilder samples = counter(
      "nettoll_samples_lost_total",
      "Samples of the event that were taken and lost, by cause: ring_full found no room in the ring buffer, "
      "stack_table none for their call stack, unmatched_sample could not be decoded.",
      {"event", "cause"});
  FamilyBuilder throttled =
      counter("nettoll_event_throttled_total",
              "Times that the kernel paused sampling of the event because it took too many samples in a tick "
              "(kernel.perf_event_max_sample_rate).",
              {"event"});
  FamilyBuilder missed =
      counter("nettoll_missed_events_total",
              "Runs of the counting program that the kernel skipped because a program of that "
              "kind was already running on the CPU.",
              {"program"});
  FamilyBuilder overflow =
      counter("nettoll_table_overflow_total",
              "Packets or polls that are in the totals but in no series of their own because the "
              "table of their kind was full in the kernel.",
              {"table"});
};

void loss_counters(const Totals& totals, const FamilySink& sink) {
  LossFamilies families;
  std::map<std::string_view, uint64_t> tables;  // their subjects are no labels
  for (const auto& [labels, count] : totals.losses) {
    const auto& [cause, subject] = labels;
    if (cause == name_of(LossKind::throttled)) {
      families.throttled.add({subject}, count);
    } else if (cause == name_of(LossKind::missed_run)) {
      families.missed.add({subject}, count);
    } else if (cause == name_of(LossKind::drop_table)) {
      tables["drops"] += count;
    } else if (cause == name_of(LossKind::napi_table)) {
      tables["napi"] += count;
    } else if (cause == name_of(LossKind::queue_table)) {
      tables["queues"] += count;
    } else {
      families.samples.add({subject, cause}, count);
    }
  }
  for (const auto& [table, count] : tables) families.overflow.add({table}, count);
  std::move(families.samples).emit(sink);
  std::move(families.throttled).emit(sink);
  std::move(families.missed).emit(sink);
  std::move(families.overflow).emit(sink);
}

void event_quality(const Totals& totals, const FamilySink& sink) {
  auto running =
      gauge("nettoll_event_running_ratio",
            "Share of the last interval in which the event had a hardware counter, the smallest of all "
            "CPUs; below 1 its counts are scaled up.",
            {"event"});
  auto unattributed = counter("nettoll_event_unattributed_total",
                              "Events, in units of the event, that are in the count of their CPU and in no "
                              "function or path: their samples "
                              "had no stack. Counts still waiting for a sample are not among them.",
                              {"event"});
  auto seconds_lost = counter("nettoll_unattributed_cpu_seconds_total",
                              "CPU time in seconds that is in no function or path because its samples had no "
                              "stack. Time still waiting for "
                              "a sample is not in it.",
                              {});
  for (size_t slot = 0; slot < totals.events.size(); ++slot) {
    const EventTotals& event = totals.events[slot];
    running.add({event.name}, event.running_ratio);
    if (slot != totals.clock) {
      unattributed.add({event.name}, event.unattributed);
    } else if (event.unattributed) {
      seconds_lost.add({}, seconds(*event.unattributed));
    }
  }
  std::move(running).emit(sink);
  std::move(unattributed).emit(sink);
  std::move(seconds_lost).emit(sink);
}

void caps(const Totals& totals, const FamilySink& sink) {
  auto dropped =
      counter("nettoll_series_dropped_total",
              "Distinct label sets that came after the series cap of the metric and are counted in its "
              "series with the value other; told apart up to 4096.",
              {"metric"});
  dropped.add({"nettoll_drops_total"}, totals.drops.refused());
  dropped.add({"nettoll_finding"}, totals.diagnosis.refused_findings.count());
  dropped.add({"nettoll_function_calls_total"}, totals.functions.refused());
  dropped.add({"nettoll_function_estimated_calls_total"}, totals.estimates.refused());
  dropped.add({"nettoll_layer_drops_total"}, totals.diagnosis.layer_drops.refused());
  dropped.add({"nettoll_napi_polls_total"}, totals.napi.refused());
  dropped.add({"nettoll_rx_queue_packets_total"}, totals.queues.refused());
  dropped.add({"nettoll_samples_lost_total"}, totals.losses.refused());
  std::move(dropped).emit(sink);
}

}  // namespace

void loss_families(const Totals& totals, const FamilySink& sink) {
  loss_counters(totals, sink);
  event_quality(totals, sink);
  caps(totals, sink);
}

}  // namespace nettoll::exporter
