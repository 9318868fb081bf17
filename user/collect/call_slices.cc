// SPDX-License-Identifier: Apache-2.0
#include "collect/call_slices.h"

#include <utility>

namespace nettoll {

Result<CallSlices> CallSlices::create(std::vector<PlanRow> rows, uint32_t cpu_limit, uint32_t cpu) {
  auto counters = FunctionCounters::attach(rows, cpu_limit, cpu);
  if (!counters) return counters.error();
  CallSlices slices(std::move(rows), std::move(*counters));
  slices.counters_.pause(slices.rows_, slices.hooked());
  return slices;
}

std::vector<uint32_t> CallSlices::hooked() const {
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].needs_hook()) numbers.push_back(i);
  }
  return numbers;
}

void CallSlices::discard_counts() {
  RawBatch before;
  counters_.read(rows_, before);
}

void CallSlices::end(uint64_t packets) {
  if (!std::exchange(open_, false)) return;
  RawBatch counted;
  counters_.read(rows_, counted);
  counters_.pause(rows_, hooked());
  std::vector<uint64_t> calls(rows_.size());
  for (const FunctionCalls& row : counted.calls) calls[row.function] += row.total();
  estimate_.add_slice(calls, packets - packets_);
  runs_.resize(rows_.size());
  for (size_t i = 0; i < calls.size(); ++i) runs_[i] += calls[i];
}

std::vector<EstimatedCalls> CallSlices::take_estimates() {
  std::vector<EstimatedCalls> estimates;
  const auto calls = estimate_.take();
  for (size_t i = 0; i < calls.size(); ++i) {
    const CountedFunction& function = rows_[i].function;
    if (rows_[i].needs_hook())
      estimates.push_back({function.name, function.module, function.method, calls[i].calls, calls[i].seen});
  }
  return estimates;
}

std::vector<uint64_t> CallSlices::take_runs() {
  return std::exchange(runs_, {});
}

}  // namespace nettoll
