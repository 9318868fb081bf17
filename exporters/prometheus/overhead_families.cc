// SPDX-License-Identifier: Apache-2.0
// nettoll_overhead_* and nettoll_shedding_*: the budget of --max-overhead, and what is done to keep it.
#include "exporters/prometheus/family_builder.h"

namespace nettoll::exporter {

void overhead_families(const Totals& totals, const FamilySink& sink) {
  if (!totals.overhead) return;
  const Overhead& overhead = *totals.overhead;
  auto budget = gauge("nettoll_overhead_budget_ratio",
                      "Part of the time of all CPUs that nettoll may take (--max-overhead).", {});
  budget.add({}, overhead.budget);
  std::move(budget).emit(sink);

  auto load = gauge("nettoll_overhead_ratio",
                    "Part of the time of all CPUs that nettoll took in the last interval: part=\"programs\" "
                    "in its kernel programs, as their runs times what a run takes, measured at the start; "
                    "part=\"sampling\" in the interrupts that take samples, likewise; part=\"user\" in its "
                    "process, as the kernel accounts it.",
                    {"part"});
  load.add({"programs"}, overhead.programs);
  load.add({"sampling"}, overhead.sampling);
  load.add({"user"}, overhead.user);
  std::move(load).emit(sink);

  auto level = gauge("nettoll_shedding_level",
                     "What nettoll does without to keep within --max-overhead: 0 full detail, 1 samples are "
                     "taken less often, 2 some functions are not counted either, 3 nothing is left to shed "
                     "and the budget is exceeded all the same.",
                     {});
  level.add({}, static_cast<double>(overhead.level));
  std::move(level).emit(sink);

  auto rate = gauge("nettoll_sampling_rate_ratio", "Part of the sampling rate asked for that is in use.", {});
  rate.add({}, overhead.sampling_rate);
  std::move(rate).emit(sink);

  auto changes = counter("nettoll_shedding_changes_total",
                         "Times that nettoll went to less detail (direction=\"less\") or back to more "
                         "(direction=\"more\") to keep within --max-overhead.",
                         {"direction"});
  changes.add({"less"}, overhead.sheds);
  changes.add({"more"}, overhead.restores);
  std::move(changes).emit(sink);
}

}  // namespace nettoll::exporter
