// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/places.h"
#include "report/rows.h"
#include "report/shares.h"
#include "report/table.h"
#include "report/trust.h"
#include "report/views.h"

namespace nettoll {
namespace {

std::string_view meaning(Trust trust) {
  switch (trust) {
    case Trust::good:
      return "they can be trusted";
    case Trust::fair:
      return "trust their order, not their digits";
    case Trust::poor:
      return "do not trust them";
  }
  return "";
}

}  // namespace

std::string verdict_view(const Profile& profile, const CostTable& cost) {
  const Verdict verdict = judge_sampling(sampling_facts(profile, cost));
  std::string text = fmt::format("percent   {}: {}", name_of(verdict.trust), meaning(verdict.trust));
  for (size_t i = 0; i < verdict.reasons.size(); ++i) text += (i == 0 ? "; " : ", ") + verdict.reasons[i];
  return text + "\n";
}

std::string places_view(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  const auto events = sampled_events(cost);
  if (events.empty()) return "";
  std::vector<TextTable::Column> columns{{"code of", TextTable::Kind::name}};
  for (const uint32_t event : events) columns.push_back({profile.session.events[event].name});
  TextTable table(std::move(columns));
  auto places = places_of(cost);
  std::erase_if(places, [&](const Place& place) {
    return std::none_of(events.begin(), events.end(), [&](uint32_t event) {
      return place.events[event].samples > 0 &&
             percent_of(place.events[event].value, cost.events[event].count) >= options.percent_limit;
    });
  });
  const size_t shown = rows_to_show(places.size(), options);
  for (size_t i = 0; i < shown; ++i) {
    std::vector<std::string> cells{name_of(places[i])};
    for (const uint32_t event : events)
      cells.push_back(format_part(places[i].events[event], cost.events[event].count));
    table.add(std::move(cells));
  }
  return "Code by kernel, module, program and library\n" + text_of(table, options.terminal) +
         rest_line(places.size(), shown);
}

}  // namespace nettoll
