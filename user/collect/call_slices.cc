// SPDX-License-Identifier: Apache-2.0
#include "collect/call_slices.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace nettoll {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

/// The numbers of the rows that `wanted` says yes to.
template <typename Wanted>
std::vector<uint32_t> numbers_of(const std::vector<PlanRow>& rows, const Wanted& wanted) {
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (rows[i].needs_hook() && wanted(rows[i].function.method)) numbers.push_back(i);
  }
  return numbers;
}

}  // namespace

Result<CallSlices> CallSlices::create(std::vector<PlanRow> rows, uint32_t cpu_limit, uint32_t cpu) {
  const auto start = Clock::now();
  auto counters = FunctionCounters::attach(rows, cpu_limit, cpu);
  if (!counters) return counters.error();
  CallSlices slices(std::move(rows), std::move(*counters));
  slices.counters_.pause(slices.rows_, slices.hooked());
  // With loading the programs: rather too long for the first slice, which knows better.
  slices.turns_.took(slices.hooked_alone().size(), Clock::now() - start);
  return slices;
}

std::vector<uint32_t> CallSlices::hooked() const {
  return numbers_of(rows_, [](Method) { return true; });
}

std::vector<uint32_t> CallSlices::hooked_together() const {
  return numbers_of(rows_, [](Method method) { return method == Method::kprobe_multi; });
}

std::vector<uint32_t> CallSlices::hooked_alone() const {
  return numbers_of(rows_, [](Method method) { return method != Method::kprobe_multi; });
}

Status CallSlices::attach_turn(uint32_t cpu, std::chrono::nanoseconds room) {
  turn_ = turns_.next(hooked_alone(), room);
  alone_ = turn_.size();
  const auto together = hooked_together();
  turn_.insert(turn_.end(), together.begin(), together.end());
  const auto start = Clock::now();
  if (auto ok = counters_.resume(rows_, turn_, cpu); !ok) return ok;
  took_ = Clock::now() - start;
  open_ = true;
  return {};
}

void CallSlices::detach_turn() {
  open_ = false;
  const auto start = Clock::now();
  counters_.pause(rows_, turn_);
  const auto detached = Clock::now() - start;
  spdlog::debug("a slice of {} functions: attached in {:.1f} ms, detached in {:.1f} ms", turn_.size(),
                milliseconds(took_), milliseconds(detached));
  turns_.took(alone_, took_ + detached);
}

void CallSlices::discard_counts() {
  RawBatch before;
  counters_.read(rows_, before);
}

void CallSlices::add_slice(const RawBatch& counted, uint64_t packets) {
  std::vector<uint64_t> calls(rows_.size());
  for (const FunctionCalls& row : counted.calls) calls[row.function] += row.total();
  estimate_.add_slice(turn_, calls, packets);
  losses_.insert(losses_.end(), counted.losses.begin(), counted.losses.end());
  runs_.resize(rows_.size());
  for (size_t i = 0; i < calls.size(); ++i) runs_[i] += calls[i];
}

Status CallSlices::follow(const std::vector<PlanRow>& rows, const std::vector<uint32_t>& changed,
                          uint32_t cpu) {
  for (const uint32_t number : changed) {
    rows_[number] = rows[number];
    estimate_.restart(number);
  }
  const Status done = counters_.reattach(rows_, changed, cpu);
  counters_.pause(rows_, changed);
  return done;
}

std::vector<EstimatedCalls> CallSlices::take_estimates() {
  std::vector<EstimatedCalls> estimates;
  for (const SliceEstimate::Calls& estimate : estimate_.take()) {
    const PlanRow& row = rows_[estimate.function];
    if (row.needs_hook())
      estimates.push_back(
          {row.function.name, row.function.module, row.function.method, estimate.calls, estimate.seen});
  }
  return estimates;
}

void CallSlices::take_losses(std::vector<Loss>& losses) {
  losses.insert(losses.end(), losses_.begin(), losses_.end());
  losses_.clear();
}

std::vector<uint64_t> CallSlices::take_runs() {
  return std::exchange(runs_, {});
}

}  // namespace nettoll
