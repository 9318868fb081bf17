// SPDX-License-Identifier: Apache-2.0
#include "report/json_overview.h"

#include <string>
#include <utility>

#include "model/names.h"
#include "report/json_costs.h"
#include "report/places.h"
#include "report/shares.h"
#include "report/summary.h"
#include "report/trust.h"

namespace nettoll {

using nlohmann::json;

namespace {

json symbol_json(const Symbol& symbol) {
  json object{{"function", symbol.name}, {"kind", name_of(symbol.kind)}};
  if (!symbol.module.empty()) object["module"] = symbol.module;
  return object;
}

}  // namespace

json percentages_json(const Profile& profile, const CostTable& cost) {
  const Verdict verdict = judge_sampling(sampling_facts(profile, cost));
  return {{"trust", name_of(verdict.trust)}, {"reasons", verdict.reasons}};
}

json places_json(const Profile& profile, const CostTable& cost) {
  json list = json::array();
  for (const Place& place : places_of(cost)) {
    json row{{"place", name_of(place)}, {"kind", name_of(place.kind)}, {"costs", json::array()}};
    if (!place.module.empty()) row["module"] = place.module;
    for (uint32_t event = 0; event < place.events.size(); ++event) {
      if (place.events[event].samples == 0) continue;
      json entry{{"event", profile.session.events[event].name},
                 {"percent", percent_of(place.events[event].value, cost.events[event].count)}};
      put_estimate(entry, "self", profile.session.events[event], place.events[event]);
      row["costs"].push_back(std::move(entry));
    }
    list.push_back(std::move(row));
  }
  return list;
}

json comms_json(const Profile& profile, const CostTable& cost) {
  json list = json::array();
  if (!profile.foreign) return list;
  for (const CommSamples& row : profile.foreign->comms) {
    const Event& event = profile.session.events[row.event];
    const Estimate part{static_cast<double>(row.period), row.samples};
    json entry{{"comm", row.comm},
               {"event", event.name},
               {"percent", percent_of(part.value, cost.events[row.event].count)}};
    put_estimate(entry, "cost", event, part);
    list.push_back(std::move(entry));
  }
  return list;
}

json summary_json(const Profile& profile, const CostTable& cost) {
  const auto summary = summary_of(profile, cost);
  if (!summary) return nullptr;
  const Event& event = profile.session.events[summary->event];
  json object{{"event", event.name}, {"places", json::array()}, {"hot", json::array()}};
  put_estimate(object, "idle", event, summary->idle);
  for (const Place& place : summary->places) {
    object["places"].push_back(
        {{"place", name_of(place)}, {"percent", percent_of(place.events[0].value, summary->total)}});
  }
  for (const Summary::Hot& hot : summary->hot) {
    json row = symbol_json(hot.function->symbol);
    row["percent"] = percent_of(hot.self.value, summary->total);
    put_estimate(row, "self", event, hot.self);
    if (hot.chain.symbols.size() > 1) {
      json chain = json::array();
      for (const uint32_t symbol : hot.chain.symbols) chain.push_back(profile.symbols[symbol].name);
      row["chain"] = std::move(chain);
      row["chain_percent"] = percent_of(hot.chain.cost.value, summary->total);
    }
    object["hot"].push_back(std::move(row));
  }
  return object;
}

}  // namespace nettoll
