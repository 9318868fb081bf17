// SPDX-License-Identifier: Apache-2.0
#include "collect/own_load.h"

#include <algorithm>

namespace nettoll {

void OwnRuns::add(const OwnRuns& more) {
  net_path += more.net_path;
  hooks.resize(std::max(hooks.size(), more.hooks.size()));
  for (size_t i = 0; i < more.hooks.size(); ++i) hooks[i] += more.hooks[i];
  samples += more.samples;
  packets += more.packets;
}

OwnRuns own_runs(const RawBatch& batch, const std::vector<PlanRow>& rows) {
  OwnRuns runs;
  for (const PathPackets& row : batch.packets) runs.packets += row.packets;
  runs.net_path = runs.packets;
  for (const NapiPolls& row : batch.napi) runs.net_path += row.polls;
  for (const SoftirqTime& row : batch.softirqs) runs.net_path += 2 * row.runs;
  for (const RawDrops& row : batch.drops) runs.net_path += row.packets;
  runs.hooks.resize(rows.size());
  for (const FunctionCalls& calls : batch.calls) {
    // A free counter's runs are those of the net path. A hook that is gone took its last calls with it.
    if (rows[calls.function].needs_hook()) runs.hooks[calls.function] += calls.total();
  }
  for (const StackSamples& row : batch.samples) runs.samples += row.samples;
  return runs;
}

double OwnLoad::programs() const {
  double sum = net_path;
  for (const HookLoad& load : hooks) sum += load.share;
  return sum;
}

OwnLoad own_load(const OwnRuns& runs, const std::vector<PlanRow>& rows, const RunCosts& costs, double user_ns,
                 double window_ns, uint32_t cpus) {
  OwnLoad load;
  const double all_ns = window_ns * cpus;
  if (all_ns <= 0) return load;
  const auto share = [&](uint64_t n, double ns) { return static_cast<double>(n) * ns / all_ns; };
  load.user = user_ns / all_ns;
  load.net_path = share(runs.net_path, costs.hook_ns[static_cast<size_t>(Method::tracepoint)]);
  load.sampling = share(runs.samples, costs.sample_ns);
  load.packets_per_second = static_cast<double>(runs.packets) * 1e9 / window_ns;
  HookLoad together;
  for (uint32_t row = 0; row < std::min(rows.size(), runs.hooks.size()); ++row) {
    if (!rows[row].needs_hook()) continue;
    const Method method = rows[row].function.method;
    const double taken = share(runs.hooks[row], costs.hook_ns[static_cast<size_t>(method)]);
    if (method != Method::kprobe_multi) {
      load.hooks.push_back({{row}, taken});
      continue;
    }
    together.rows.push_back(row);
    together.share += taken;
  }
  if (!together.rows.empty()) load.hooks.push_back(std::move(together));
  return load;
}

}  // namespace nettoll
