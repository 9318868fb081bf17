// SPDX-License-Identifier: Apache-2.0
// Measures what one run of our code takes on this host.
#pragma once

#include "base/kernel_fs.h"
#include "base/result.h"
#include "collect/attach_plan.h"
#include "collect/own_load.h"

namespace nettoll {

/// Hooks a counting program where this thread alone meets it, by each method that `rows` use and at a
/// tracepoint, and takes samples of this thread, with a clock for an event; takes some tens of milliseconds.
/// Caches are warm then, and stacks short, so that under traffic a run takes rather more. A method that
/// cannot be measured is given the cost of the dearest that was. `sampling` says whether samples are taken at
/// all. Fails where not even the tracepoint can be measured.
Result<RunCosts> measure_run_costs(const std::vector<PlanRow>& rows, bool sampling,
                                   const FunctionEntries& functions, const KernelFs& fs);

/// Nanoseconds for one of `runs` in a batch that took `with` instead of `without` nanoseconds: what each of
/// them took at its quickest, so that interrupts and other guests of the host do not matter. Fails where the
/// difference is none.
Result<double> cost_of_run(std::vector<double> with, std::vector<double> without, double runs);

}  // namespace nettoll
