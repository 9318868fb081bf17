// SPDX-License-Identifier: Apache-2.0
#include "cli/serve_budget.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace nettoll {
namespace {

std::vector<uint32_t> rows_of(const Shedding& shedding) {
  std::vector<uint32_t> rows;
  for (const ShedHooks& hooks : shedding.hooks) rows.insert(rows.end(), hooks.rows.begin(), hooks.rows.end());
  return rows;
}

ShedLevel level_of(const Shedding& shedding) {
  if (shedding.exhausted) return ShedLevel::exhausted;
  if (!shedding.hooks.empty()) return ShedLevel::functions;
  return shedding.halvings > 0 ? ShedLevel::sampling : ShedLevel::none;
}

/// "sampling at 1/8 of its rate, 12 functions not counted"
std::string describe(const Shedding& shedding) {
  if (shedding.full_detail()) return "full detail";
  std::string text;
  if (shedding.halvings > 0) text = fmt::format("sampling at 1/{} of its rate", 1u << shedding.halvings);
  if (const size_t functions = rows_of(shedding).size(); functions > 0)
    text += fmt::format("{}{} functions not counted", text.empty() ? "" : ", ", functions);
  return text;
}

}  // namespace

Status ServeBudget::use(std::optional<double> budget, LiveSession& session) {
  if (budget && !measured_) {
    if (auto ok = session.measure_costs(); !ok) {
      budget_.reset();
      return ok;
    }
    measured_ = true;
    // Until the first reading there is also what the start took.
    shedding_.settling = true;
  }
  budget_ = budget;
  if (!budget_ && !shedding_.full_detail()) {
    change({}, session);
    spdlog::info("no --max-overhead any more: full detail");
  }
  return {};
}

std::optional<Overhead> ServeBudget::judge(LiveSession& session) {
  if (!budget_) return std::nullopt;
  const OwnLoad load = session.take_own_load();
  const ShedLimits limits{*budget_, session.most_halvings()};
  const bool was_exhausted = shedding_.exhausted;
  const Shedding wanted = decide_shedding(load, limits, shedding_);
  const size_t hooks = shedding_.hooks.size();
  const bool less = wanted.halvings > shedding_.halvings || wanted.hooks.size() > hooks;
  const bool more = wanted.halvings < shedding_.halvings || wanted.hooks.size() < hooks;
  const double percent = load.total() * 100, most = *budget_ * 100;
  if (less) {
    ++sheds_;
    spdlog::warn("nettoll took {:.3g}% of all CPU time, more than --max-overhead {:g}%: {}", percent, most,
                 describe(wanted));
  } else if (more) {
    ++restores_;
    spdlog::info("nettoll took {:.3g}% of all CPU time, within --max-overhead {:g}%: {}", percent, most,
                 describe(wanted));
  }
  if (wanted.exhausted && !was_exhausted)
    spdlog::warn(
        "nettoll takes {:.3g}% of all CPU time, more than --max-overhead {:g}%, and nothing is left to do "
        "without: {:.3g}% in its process, {:.3g}% in programs, {:.3g}% for samples",
        percent, most, load.user * 100, load.programs() * 100, load.sampling * 100);
  change(wanted, session);
  Overhead overhead;
  overhead.budget = *budget_;
  overhead.user = load.user;
  overhead.programs = load.programs();
  overhead.sampling = load.sampling;
  overhead.level = level_of(wanted);
  overhead.sampling_rate = 1.0 / (1u << wanted.halvings);
  overhead.sheds = sheds_;
  overhead.restores = restores_;
  return overhead;
}

/// Failures cost detail alone, so tracing goes on.
void ServeBudget::change(const Shedding& wanted, LiveSession& session) {
  const Shedding before = std::exchange(shedding_, wanted);
  if (wanted.halvings != before.halvings) session.halve_rates(wanted.halvings);
  if (wanted.hooks == before.hooks) return;
  if (const auto ok = session.shed_hooks(rows_of(wanted)); !ok)
    spdlog::warn("functions are not shed or taken back: {}", ok.error().text());
}

}  // namespace nettoll
