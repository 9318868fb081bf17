// SPDX-License-Identifier: Apache-2.0
// nettoll_function_*: what each kernel function cost.
#include "exporters/prometheus/family_builder.h"
#include "model/names.h"

namespace nettoll::exporter {
namespace {

/// Calls `visit(labels, slot, event)` for each function's sampled events.
template <typename Visit>
void for_each_event(const Totals& totals, const Visit& visit) {
  for (const auto& [labels, function] : totals.functions) {
    for (size_t slot = 0; slot < function.events.size(); ++slot) {
      if (function.events[slot]) visit(labels, function, slot, *function.events[slot]);
    }
  }
}

}  // namespace

void function_families(const Totals& totals, const FamilySink& sink) {
  auto calls = counter("nettoll_function_calls_total",
                       "Calls of the kernel function, counted exactly by the method; with "
                       "method=\"tracepoint\" a tracepoint stands "
                       "for the call and `nettoll functions` shows where the two differ.",
                       {"function", "module", "method"});
  for (const auto& [labels, function] : totals.functions) {
    for (size_t method = 0; method < kMethodCount; ++method) {
      calls.add({labels[0], labels[1], name_of(static_cast<Method>(method))}, function.calls[method]);
    }
  }
  std::move(calls).emit(sink);

  auto estimates =
      counter("nettoll_function_estimated_calls_total",
              "Calls of the kernel function, estimated: it is counted by the method in slices of the "
              "time, and its calls a packet in them are multiplied by the packets of all the time.",
              {"function", "module", "method"});
  auto seen =
      counter("nettoll_function_slice_calls_total",
              "Calls of the kernel function that were counted in slices: the relative standard error of "
              "its estimated calls is one over the square root of this number, while the traffic in the "
              "slices is like that between them.",
              {"function", "module", "method"});
  for (const auto& [labels, totals_of] : totals.estimates) {
    estimates.add({labels[0], labels[1], labels[2]}, totals_of.calls);
    seen.add({labels[0], labels[1], labels[2]}, totals_of.seen);
  }
  std::move(estimates).emit(sink);
  std::move(seen).emit(sink);

  auto events = counter("nettoll_function_events_total",
                        "Hardware or software events spent in the kernel function by itself (scope=\"self\") "
                        "or with all that it called "
                        "(scope=\"inclusive\"), in units of the event; estimated from samples scaled to the "
                        "exact count. Functions whose "
                        "calls are not counted show their cost inside network paths only.",
                        {"function", "module", "event", "scope"});
  auto clock = counter("nettoll_function_cpu_seconds_total",
                       "CPU time in seconds spent in the kernel function by itself (scope=\"self\") or with "
                       "all that it called "
                       "(scope=\"inclusive\"), estimated from cpu-clock samples. Sections with interrupts "
                       "disabled are not seen: "
                       "their time is found where interrupts are enabled again. Functions whose calls are "
                       "not counted show their "
                       "cost inside network paths only.",
                       {"function", "module", "scope"});
  auto samples = counter("nettoll_function_samples_total",
                         "Samples with the kernel function on the call stack (of function=\"other\", those "
                         "inside it by itself): the "
                         "relative standard error of its cost is one over the square root of this number.",
                         {"function", "module", "event"});
  for_each_event(totals, [&](const auto& labels, const FunctionTotals& function, size_t slot,
                             const FunctionEvent& event) {
    const std::string& name = totals.events[slot].name;
    if (slot == totals.clock) {
      clock.add({labels[0], labels[1], "self"}, seconds(event.self));
      if (!function.other) clock.add({labels[0], labels[1], "inclusive"}, seconds(event.inclusive));
    } else {
      events.add({labels[0], labels[1], name, "self"}, event.self);
      if (!function.other) events.add({labels[0], labels[1], name, "inclusive"}, event.inclusive);
    }
    samples.add({labels[0], labels[1], name}, event.samples);
  });
  std::move(events).emit(sink);
  std::move(clock).emit(sink);
  std::move(samples).emit(sink);
}

}  // namespace nettoll::exporter
