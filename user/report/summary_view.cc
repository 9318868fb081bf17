// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/names.h"
#include "report/format.h"
#include "report/frame_label.h"
#include "report/observations_view.h"
#include "report/shares.h"
#include "report/summary.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

/// "a <- b <- c", as many callers as fit.
std::string chain_text(const Profile& profile, const MainChain& chain, size_t width) {
  std::string text = frame_label(profile.symbols[chain.symbols[0]]);
  for (size_t i = 1; i < chain.symbols.size(); ++i) {
    const std::string caller = " <- " + frame_label(profile.symbols[chain.symbols[i]]);
    if (text_width(text + caller) > width) return text + " <- ..";
    text += caller;
  }
  return text;
}

/// Dominant code, hot functions and their chains, a line each.
std::string rows_text(const Profile& profile, const Summary& summary, const ReportOptions& options) {
  constexpr size_t kLongestChain = 90;
  constexpr size_t kBeforeIt = 18;
  const size_t terminal = options.terminal.value_or(kLongestChain + kBeforeIt);
  const size_t longest = std::min(kLongestChain, terminal - std::min(terminal, kBeforeIt));
  TextTable table({{"", TextTable::Kind::text}, {"share"}, {"of", TextTable::Kind::name}});
  const auto add = [&](const char* title, bool first, const Estimate& part, std::string what) {
    table.add({first ? title : "", format_part(part, summary.total), std::move(what)});
  };
  for (const Place& place : summary.places)
    add("mostly", &place == &summary.places.front(), place.events[0], name_of(place));
  for (const Summary::Hot& hot : summary.hot) {
    const Symbol& symbol = hot.function->symbol;
    add("hot", &hot == &summary.hot.front(), hot.self,
        symbol.module.empty() ? symbol.name : fmt::format("{} ({})", symbol.name, symbol.module));
  }
  bool first = true;
  for (const Summary::Hot& hot : summary.hot) {
    if (hot.chain.symbols.size() < 2) continue;
    add("chains", std::exchange(first, false), hot.chain.cost, chain_text(profile, hot.chain, longest));
  }
  return table.empty() ? "" : text_of(table, options.terminal);
}

}  // namespace

std::string summary_view(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  const auto summary = summary_of(profile, cost);
  std::string text;
  if (summary) {
    const std::string& event = profile.session.events[summary->event].name;
    text = fmt::format("Summary\nwindow    {}, {} samples of {}; percentages are {}\n",
                       profile.duration_ns ? format_time(static_cast<double>(profile.duration_ns))
                                           : std::string("of unknown length"),
                       format_exact(cost.events[summary->event].samples), event,
                       name_of(summary->verdict.trust));
    if (summary->idle.samples > 0)
      text += fmt::format("idle      {} of {}, left out below\n", format_part(summary->idle, summary->total),
                          event);
    text += rows_text(profile, *summary, options);
  }
  if (options.observations)
    text += (text.empty() ? "" : "\n") +
            observations_view(*options.observations, options.terminal.value_or(kTextWidth));
  return text;
}

}  // namespace nettoll
