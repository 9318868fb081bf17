// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/csv.h"

#include <optional>
#include <string>
#include <vector>

#include "base/printable.h"
#include "exporters/profiles/buffered_out.h"
#include "model/names.h"
#include "model/ratios.h"

namespace nettoll {
namespace {

/// RFC 4180, 2.5 to 2.7; of a name that may hold any byte, what is safe to print.
std::string field(std::string_view name) {
  const std::string text = printable_line(name);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// The shortest text that reads back as the same number.
std::string number(double value) {
  return fmt::format("{}", value);
}

template <typename T>
std::string field(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}

/// Value, samples, relative error and share; all empty where there is no sample: nothing was measured.
void put_estimate(const CostTable& cost, uint32_t event, const Estimate& estimate, std::string& row) {
  if (estimate.samples == 0) {
    row += ",,,,";
    return;
  }
  const auto share = share_of_all(cost, event, estimate);
  row += fmt::format(",{},{},{},{}", number(estimate.value), estimate.samples,
                     number(estimate.relative_error()), share ? number(share->value) : "");
}

/// The path in which most of a function's cost was, and, with call chains, what that took for each of its
/// packets.
void put_main_path(const CostTable& cost, const FunctionCost& function, uint32_t event, bool chains,
                   std::string& row) {
  const FunctionCell* main = nullptr;
  for (const FunctionCell& cell : function.cells) {
    if (cell.event == event && (!main || cell.inclusive.value > main->inclusive.value)) main = &cell;
  }
  if (!main) {
    row += ",,";
    return;
  }
  const PathCost* path = cost.path(main->path);
  std::optional<double> per_packet;
  if (chains && path && path->packets.value_or(0) > 0)
    per_packet = main->inclusive.value / static_cast<double>(*path->packets);
  row += fmt::format(",{},{}", name_of(main->path), field(per_packet));
}

std::string head(const Profile& profile, std::span<const uint32_t> events) {
  std::string row = "function,module,kind,calls,method,condition";
  for (const uint32_t index : events) {
    const Event& event = profile.session.events[index];
    const char* unit = event.unit == EventUnit::nanoseconds ? "ns" : "events";
    for (const char* scope : {"self", "inclusive"}) {
      row += "," + field(fmt::format("{}.{}_{}", event.name, scope, unit));
      for (const char* column : {"samples", "relative_error", "share"})
        row += "," + field(fmt::format("{}.{}_{}", event.name, scope, column));
    }
    row += "," + field(fmt::format("{}.per_call_{}", event.name, unit));
    row += "," + field(fmt::format("{}.path", event.name));
    row += "," + field(fmt::format("{}.per_packet_{}", event.name, unit));
  }
  return row + "\r\n";
}

}  // namespace

Status write_csv(const Profile& profile, const CostTable& cost, std::span<const uint32_t> events,
                 ByteSink& sink) {
  BufferedOut out(sink);
  out.put(head(profile, events));
  for (const FunctionCost& function : cost.functions) {
    std::string row =
        fmt::format("{},{},{},{},{},{}", field(function.symbol.name), field(function.symbol.module),
                    name_of(function.symbol.kind), field(function.calls),
                    function.calls ? name_of(function.method) : "", field(function.condition));
    for (const uint32_t event : events) {
      put_estimate(cost, event, function.self(event), row);
      // Without call chains nobody knows what a function took with all that it called, nor a call of it.
      const bool chains = profile.session.events[event].chains;
      put_estimate(cost, event, chains ? function.inclusive(event) : Estimate(), row);
      row += "," + field(chains ? function.per_call(event) : std::nullopt);
      put_main_path(cost, function, event, chains, row);
    }
    out.put(row + "\r\n");
  }
  return out.finish();
}

}  // namespace nettoll
