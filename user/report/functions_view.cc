// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/names.h"
#include "report/function_table.h"
#include "report/views.h"
#include "report/wrap_words.h"

namespace nettoll {
namespace {

constexpr size_t kLegendWidth = 120;
constexpr const char* kLegend =
    "(self: in the function; incl: with all that it called; %: of the event's total; /packet: of the path "
    "that it ran in most, + where others had a tenth; ~: fewer than 16 samples)";

/// The event that tables of one event show.
std::optional<uint32_t> first_known(const CostTable& cost) {
  const auto known =
      std::find_if(cost.events.begin(), cost.events.end(), [](const EventTotal& e) { return e.known(); });
  if (known == cost.events.end()) return std::nullopt;
  return known->event;
}

}  // namespace

std::string functions_view(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  const auto& events = profile.session.events;
  const std::string legend =
      wrap_words(kLegend, 0, std::min(kLegendWidth, options.terminal.value_or(kLegendWidth))) + "\n";
  std::string text;
  for (uint32_t event = 0; event < events.size(); ++event) {
    if (!cost.events[event].known()) continue;
    const bool first = text.empty();
    const std::string table = function_table(profile, cost, {event, Scope::network, {}, first}, options);
    if (table.empty()) continue;
    text += fmt::format("{}Functions of the network paths by {}\n{}{}", first ? "" : "\n", events[event].name,
                        first ? legend : "", table);
  }
  if (!text.empty()) return text;

  const std::string calls = function_table(profile, cost, {{}, Scope::network, {}, true}, options);
  return calls.empty() ? "Functions: none was sampled or called\n"
                       : "Functions by calls, nothing was sampled\n" + calls;
}

std::string other_functions_view(const Profile& profile, const CostTable& cost,
                                 const ReportOptions& options) {
  const auto event = first_known(cost);
  if (!event) return "";
  const std::string table = function_table(profile, cost, {event, Scope::elsewhere, {}, false}, options);
  if (table.empty()) return "";
  return fmt::format("Functions outside the network paths by {}, idle and user mode left out\n{}",
                     profile.session.events[*event].name, table);
}

std::string path_functions_view(const Profile& profile, const CostTable& cost, Path path,
                                const ReportOptions& options) {
  const auto event = first_known(cost);
  if (!event) return "";
  const std::string table = function_table(profile, cost, {event, Scope::network, path, false}, options);
  if (table.empty()) return fmt::format("Functions of the {} path: none was sampled\n", name_of(path));
  return fmt::format("Functions of the {} path by {}\n{}", name_of(path), profile.session.events[*event].name,
                     table);
}

}  // namespace nettoll
