// SPDX-License-Identifier: Apache-2.0
#include "correlate/diff_gate.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/near_names.h"
#include "correlate/event_meaning.h"
#include "model/symbol_identity.h"

namespace nettoll {
namespace {

std::optional<DiffPer> per_of(std::string_view word) {
  if (word == "packet") return DiffPer::packet;
  if (word == "second") return DiffPer::second;
  if (word == "share") return DiffPer::share;
  return std::nullopt;
}

/// "what grew by 12.3% (limit 5%)" where it did.
void add_if_beyond(std::vector<std::string>& found, const std::string& what, const Change& change,
                   double limit) {
  if (!change.significant || change.difference() <= 0) return;
  const auto relative = change.relative();
  if (relative && *relative <= limit) return;
  found.push_back(relative
                      ? fmt::format("{} grew by {:.1f}% (limit {:.4g}%)", what, *relative * 100, limit * 100)
                      : fmt::format("{} is in B alone (limit {:.4g}%)", what, limit * 100));
}

/// Why nothing of a comparison can be judged.
Status check_comparable(const CostDiff& diff) {
  for (const auto& [letter, side] : {std::pair("A", &diff.a), {"B", &diff.b}}) {
    if (side->ending == Ending::damaged)
      return failure(fmt::format("{} is damaged, so nothing can be judged by it", letter),
                     "the notes of the comparison say where; copy the file again");
  }
  if (!diff.paths_compare)
    return failure(
        "A and B do not compare: one lacks what tells work from idle time, so no total can be judged",
        "the notes of the comparison say what it lacks");
  if (!diff.not_compared.empty())
    return failure(
        fmt::format("{} was not compared, so it cannot be judged: one side names less of its module",
                    diff.not_compared.front()),
        "the notes of the comparison say of which");
  return {};
}

std::vector<std::string> function_names(const DiffInput& a, const DiffInput& b) {
  std::vector<std::string> names;
  for (const CostTable* cost : {&a.cost, &b.cost}) {
    for (const FunctionCost& function : cost->functions)
      names.emplace_back(source_name(function.symbol.name));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

Result<FailLimit> parse_fail_limit(std::string_view text) {
  const Error wrong = usage_error(fmt::format("'{}' is no limit", text),
                                  "give +5%, cycles+5%, cycles:packet+5% or :second+5%");
  const size_t plus = text.rfind('+');
  if (plus == std::string_view::npos || !text.ends_with('%')) return wrong;
  const std::string_view number = text.substr(plus + 1, text.size() - plus - 2);
  FailLimit limit;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), limit.growth);
  if (error != std::errc() || end != number.data() + number.size()) return wrong;
  if (!std::isfinite(limit.growth) || limit.growth < 0) return wrong;
  limit.growth /= 100;
  // Names of events may hold colons themselves (net:netif_rx); what follows the last one may be a divisor.
  std::string_view event = text.substr(0, plus);
  const size_t colon = event.rfind(':');
  if (colon != std::string_view::npos) {
    limit.per = per_of(event.substr(colon + 1));
    if (limit.per)
      event = event.substr(0, colon);
    else if (colon == 0)
      return wrong;
  }
  limit.event = event;
  return limit;
}

Status check_gate(const FailLimit& limit, const std::vector<std::string>& functions, const DiffInput& a,
                  const DiffInput& b) {
  std::vector<std::string> events;
  for (const DiffInput* side : {&a, &b}) {
    for (const Event& event : side->profile.session.events) events.push_back(meaning_of(event.name).text());
  }
  const std::string wanted = meaning_of(limit.event).text();
  if (!limit.event.empty() && std::find(events.begin(), events.end(), wanted) == events.end()) {
    std::sort(events.begin(), events.end());
    events.erase(std::unique(events.begin(), events.end()), events.end());
    return usage_error(
        fmt::format("--fail-on: neither A nor B has an event '{}'", limit.event),
        did_you_mean(limit.event, events, fmt::format("there is {}", fmt::join(events, ", "))));
  }
  for (const std::string& name : functions) {
    if (has_function(a, name) || has_function(b, name)) continue;
    return usage_error(
        fmt::format("--function: neither A nor B has '{}', so --fail-on cannot judge it", name),
        did_you_mean(name, function_names(a, b), "without --fail-on a note tells of it"));
  }
  return {};
}

Result<std::vector<std::string>> regressions(const CostDiff& diff, const FailLimit& limit) {
  const auto event = limit.event.empty()
                         ? diff.events.begin()
                         : std::find_if(diff.events.begin(), diff.events.end(),
                                        [wanted = meaning_of(limit.event).text()](const EventDiff& row) {
                                          return row.name == wanted;
                                        });
  if (event == diff.events.end())
    return failure(limit.event.empty()
                       ? "A and B have no event in common to judge by"
                       : fmt::format("{} was not compared, so it cannot be judged", limit.event),
                   "the notes of the comparison say why");
  if (auto fine = check_comparable(diff); !fine) return fine.error();
  if (!event->total.standard_error)
    return failure(fmt::format("{} has too few samples to judge by", event->name), "record for longer");
  std::vector<std::string> found;
  add_if_beyond(found, event->name, event->total, limit.growth);
  for (const FunctionChange& function : event->functions) {
    if (!function.named) continue;
    add_if_beyond(found, fmt::format("{} of {} itself", event->name, function.symbol.name), function.self,
                  limit.growth);
    add_if_beyond(found, fmt::format("{} of {} with what it calls", event->name, function.symbol.name),
                  function.inclusive, limit.growth);
  }
  return found;
}

}  // namespace nettoll
