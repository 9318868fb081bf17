// SPDX-License-Identifier: Apache-2.0
#include "correlate/event_diff.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "correlate/significance.h"
#include "model/symbol_identity.h"

namespace nettoll {
namespace {

/// A change that is seen four times in five lies this many standard errors from 0: the deviates of 97.5% (of
/// t with kTailFreedom) and of 80%.
constexpr double kVisibleErrors = 2.57 + 0.84;

/// What of the functions' spread is left in their sum: it hangs on some sixteen of them, which move one by
/// one. Of 61 pairs of recordings of one load on a busy host it leaves 3 whose totals differ, and 11 without.
/// What moves all functions alike, by however much, is 2.7 errors of the total and still called significant.
constexpr double kSpreadOfTotal = 0.25;

bool contains(const std::vector<Path>& paths, Path path) {
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

/// One side of one event.
struct Side {
  const DiffInput& input;
  uint32_t event = 0;
  double divisor = 0;     ///< of totals
  double per_sample = 0;  ///< mean events a sample, not divided

  bool has_chains() const { return input.profile.session.events[event].chains; }
  SampledCost cost(const Estimate& of, double by) const {
    SampledCost cost{of.value / by, of.samples, per_sample / by};
    if (of.samples > 0) cost.per_sample = cost.value / static_cast<double>(of.samples);
    return cost;
  }
};

Side side_of_event(const DiffInput& input, uint32_t event, const DiffDivisors& divisors) {
  const EventTotal& total = input.cost.events[event];
  return {input, event, divisor_of(input, event, divisors),
          total.count / static_cast<double>(std::max<uint64_t>(total.samples, 1))};
}

/// Fills in what a change is, without judging it.
Change change_of(const SampledCost& a, const SampledCost& b, double spread) {
  Change change;
  change.samples_a = a.samples;
  change.samples_b = b.samples;
  if (a.samples > 0) change.a = a.value;
  if (b.samples > 0) change.b = b.value;
  change.standard_error = error_of_difference(a, b, spread);
  if (change.standard_error)
    change.p = two_sided_p(change.difference() / *change.standard_error, kTailFreedom);
  return change;
}

void leave_untested(Change& change) {
  change.standard_error.reset();
  change.p = 1;
}

bool large_enough(const Change& change, double total) {
  if (std::abs(change.difference()) < kLeastPartOfTotal * total) return false;
  const auto relative = change.relative();
  return !relative || std::abs(*relative) >= kLeastRelativeChange;
}

/// The change as a part of the larger side, 0 to 1: all of it where only one side has a cost.
double part_of_cost(const Change& change) {
  return change.larger() > 0 ? std::abs(change.difference()) / change.larger() : 0;
}

/// Judges the rows of one table together. `total` is what a change has to be a part of; 0 if of nothing.
void judge(const std::vector<Change*>& rows, double total) {
  std::vector<Change*> tested;
  std::vector<double> p;
  for (Change* row : rows) {
    if (!row->standard_error) continue;
    tested.push_back(row);
    p.push_back(row->p);
  }
  const std::vector<double> q = false_discovery_rates(p);
  for (size_t i = 0; i < tested.size(); ++i) {
    tested[i]->q = q[i];
    tested[i]->significant = q[i] <= kFalseDiscoveryRate && large_enough(*tested[i], total);
  }
}

/// One event of the sides of a context.
class EventComparison {
 public:
  EventComparison(const EventDiffContext& context, const CommonEvent& event)
      : context_(context),
        event_(event),
        a_(side_of_event(context.a, event.a, context.divisors)),
        b_(side_of_event(context.b, event.b, context.divisors)),
        chains_(a_.has_chains() && b_.has_chains()) {}

  EventDiff run() {
    diff_.name = event_.name;
    diff_.in_a = event_.a;
    diff_.in_b = event_.b;
    diff_.unit = context_.a.profile.session.events[event_.a].unit;
    add_functions();
    add_total();
    add_paths();
    add_modules();
    judge_all();
    sort_functions();
    return std::move(diff_);
  }

 private:
  /// The costs of a function on one side, over the compared paths.
  struct FunctionSums {
    Estimate self;
    Estimate inclusive;
  };
  /// A function on both sides, before it is judged.
  struct Row {
    FunctionChange change;
    SampledPair self;
    SampledPair inclusive;
    std::optional<SampledPair> per_call;
  };

  FunctionSums sums_of(const FunctionCost* function, uint32_t event) const {
    FunctionSums sums;
    if (!function) return sums;
    for (const FunctionCell& cell : function->cells) {
      if (cell.event != event || !contains(context_.paths, cell.path)) continue;
      sums.self.add(cell.self);
      sums.inclusive.add(cell.inclusive);
    }
    return sums;
  }

  bool named(const Symbol& symbol) const {
    return std::any_of(context_.functions.begin(), context_.functions.end(),
                       [&](const std::string& name) { return is_named(symbol, name); });
  }

  std::optional<Row> row_of(const FunctionCost* a, const FunctionCost* b) const {
    const FunctionSums in_a = sums_of(a, event_.a);
    const FunctionSums in_b = sums_of(b, event_.b);
    if (in_a.inclusive.samples + in_b.inclusive.samples == 0) return std::nullopt;
    Row row;
    FunctionChange& change = row.change;
    change.symbol = b ? b->symbol : a->symbol;
    if (a && b && a->symbol != b->symbol) change.symbol_a = a->symbol;
    change.in_a = in_a.inclusive.samples > 0;
    change.in_b = in_b.inclusive.samples > 0;
    change.named = named(change.symbol) || (a && named(a->symbol));
    if (a) change.calls_a = a->calls;
    if (b) change.calls_b = b->calls;
    double by_a = a_.divisor;
    double by_b = b_.divisor;
    if (a && b && chains_ && calls_compare(*a, *b)) {
      const auto calls_a = static_cast<double>(*a->calls);
      const auto calls_b = static_cast<double>(*b->calls);
      // Calls are of all paths, so is what they cost.
      row.per_call =
          SampledPair{a_.cost(a->inclusive(event_.a), calls_a), b_.cost(b->inclusive(event_.b), calls_b)};
      if (context_.divisors.per == DiffPer::call) {
        by_a = calls_a;
        by_b = calls_b;
      }
    } else if (context_.divisors.per == DiffPer::call) {
      return std::nullopt;
    }
    row.self = {a_.cost(in_a.self, by_a), b_.cost(in_b.self, by_b)};
    row.inclusive = {a_.cost(in_a.inclusive, by_a), b_.cost(in_b.inclusive, by_b)};
    return row;
  }

  void add_functions() {
    std::vector<Row> rows;
    std::vector<SampledPair> selves;
    for (const MatchedFunction& match : context_.matches) {
      const FunctionCost* a = match.a ? &context_.a.cost.functions[*match.a] : nullptr;
      const FunctionCost* b = match.b ? &context_.b.cost.functions[*match.b] : nullptr;
      if ((a && !context_.names.compare(a->symbol)) || (b && !context_.names.compare(b->symbol))) continue;
      auto row = row_of(a, b);
      if (!row) continue;
      if (row->change.symbol.name != kUnknownName) selves.push_back(row->self);
      rows.push_back(std::move(*row));
    }
    diff_.spread = spread_of(selves);
    for (Row& row : rows) {
      row.change.self = change_of(row.self.a, row.self.b, diff_.spread);
      if (chains_) row.change.inclusive = change_of(row.inclusive.a, row.inclusive.b, diff_.spread);
      if (row.per_call) row.change.per_call = change_of(row.per_call->a, row.per_call->b, diff_.spread);
      if (row.change.symbol.name == kUnknownName) {
        leave_untested(row.change.self);
        leave_untested(row.change.inclusive);
      }
      if (row.change.self.standard_error || row.change.inclusive.standard_error) ++diff_.tested;
      diff_.functions.push_back(std::move(row.change));
    }
  }

  static Estimate path_sum(const Side& side, const std::vector<Path>& paths) {
    Estimate sum;
    for (const Path path : paths) {
      const PathCost* row = side.input.cost.path(path);
      if (row && side.event < row->events.size()) sum.add(row->events[side.event]);
    }
    return sum;
  }

  Change change_of_paths(const std::vector<Path>& paths, double spread) const {
    return change_of(a_.cost(path_sum(a_, paths), a_.divisor), b_.cost(path_sum(b_, paths), b_.divisor),
                     spread);
  }

  void add_total() {
    diff_.total = change_of_paths(context_.paths, diff_.spread * kSpreadOfTotal);
    if (diff_.total.standard_error && diff_.total.a)
      diff_.visible = kVisibleErrors * *diff_.total.standard_error / *diff_.total.a;
  }

  void add_paths() {
    if (!context_.paths_compare) return;
    for (const Path path : context_.paths) {
      PathChange row;
      row.path = path;
      row.cost = change_of_paths({path}, diff_.spread);
      if (const PathCost* cost = context_.a.cost.path(path)) row.packets_a = cost->packets;
      if (const PathCost* cost = context_.b.cost.path(path)) row.packets_b = cost->packets;
      if (row.cost.a || row.cost.b || row.packets_a || row.packets_b) diff_.paths.push_back(std::move(row));
    }
  }

  void add_modules() {
    struct Sum {
      Estimate a;
      Estimate b;
      bool compares = true;
    };
    std::map<std::string, Sum> sums;
    const auto sum_of = [&](const FunctionCost& function) -> Sum& {
      Sum& sum = sums[function.symbol.module];
      sum.compares = sum.compares && context_.names.compare(function.symbol);
      return sum;
    };
    for (const FunctionCost& f : context_.a.cost.functions) sum_of(f).a.add(sums_of(&f, event_.a).self);
    for (const FunctionCost& f : context_.b.cost.functions) sum_of(f).b.add(sums_of(&f, event_.b).self);
    for (const auto& [module, sum] : sums) {
      if (sum.a.samples + sum.b.samples == 0) continue;
      Change change = change_of(a_.cost(sum.a, a_.divisor), b_.cost(sum.b, b_.divisor), diff_.spread);
      if (!sum.compares) leave_untested(change);
      diff_.modules.push_back({module, change});
    }
    std::stable_sort(diff_.modules.begin(), diff_.modules.end(),
                     [](const ModuleChange& x, const ModuleChange& y) {
                       return std::abs(x.self.difference()) > std::abs(y.self.difference());
                     });
  }

  void judge_all() {
    judge({&diff_.total}, 0);
    const double total = diff_.total.larger();
    std::vector<Change*> paths, modules, selves, inclusives, per_call;
    for (PathChange& row : diff_.paths) paths.push_back(&row.cost);
    for (ModuleChange& row : diff_.modules) modules.push_back(&row.self);
    for (FunctionChange& row : diff_.functions) {
      selves.push_back(&row.self);
      inclusives.push_back(&row.inclusive);
      per_call.push_back(&row.per_call);
    }
    judge(paths, total);
    judge(modules, total);
    // A cost per call is no part of a total.
    const double of_total = context_.divisors.per == DiffPer::call ? 0 : total;
    judge(selves, of_total);
    judge(inclusives, of_total);
    judge(per_call, 0);
  }

  /// What changed by itself comes first, by how much; then what inherits the change of something that it
  /// calls. Of those the next to the cause is the one that has cost little else: all callers up to the root
  /// inherit the same change, and chance decides which of them shows more of it.
  void sort_functions() {
    const auto key = [](const FunctionChange& row) {
      const double self = std::abs(row.self.difference());
      const double inclusive = std::abs(row.inclusive.difference());
      if (row.self.significant) return std::tuple(0, 0.0, -self, -inclusive);
      if (row.inclusive.significant) return std::tuple(1, -part_of_cost(row.inclusive), -inclusive, -self);
      return std::tuple(2, 0.0, -self, -inclusive);
    };
    std::sort(diff_.functions.begin(), diff_.functions.end(),
              [&](const FunctionChange& x, const FunctionChange& y) {
                const auto left = key(x);
                const auto right = key(y);
                return left != right ? left < right : x.symbol < y.symbol;
              });
  }

  const EventDiffContext& context_;
  const CommonEvent& event_;
  Side a_;
  Side b_;
  bool chains_;  ///< on both sides
  EventDiff diff_;
};

}  // namespace

double divisor_of(const DiffInput& input, uint32_t event, const DiffDivisors& divisors) {
  switch (divisors.totals_per) {
    case DiffPer::packet: {
      const PathCost* row = input.cost.path(*divisors.packet_path);
      return row ? static_cast<double>(row->packets.value_or(0)) : 0;
    }
    case DiffPer::second:
      return static_cast<double>(input.profile.duration_ns) / 1e9;
    case DiffPer::share:
    case DiffPer::call:
      break;
  }
  return input.cost.events[event].count;
}

bool is_named(const Symbol& symbol, std::string_view name) {
  return symbol.name == name || source_name(symbol.name) == name;
}

bool calls_compare(const FunctionCost& a, const FunctionCost& b) {
  return a.denominator && b.denominator && a.calls.value_or(0) > 0 && b.calls.value_or(0) > 0 &&
         a.method == b.method && a.condition == b.condition;
}

EventDiff diff_event(const EventDiffContext& context, const CommonEvent& event) {
  return EventComparison(context, event).run();
}

}  // namespace nettoll
