// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/speedscope.h"

#include <utility>

#include "exporters/profiles/buffered_out.h"
#include "exporters/profiles/frame_name.h"
#include "exporters/profiles/json_text.h"
#include "exporters/profiles/origin.h"
#include "exporters/profiles/whole_weights.h"

namespace nettoll {
namespace {

void put_frames(const NamedStacks& costs, BufferedOut& out) {
  for (const Symbol& symbol : costs.symbols) {
    out.format("{{\"name\":{}", json_string(frame_name(symbol)));
    if (!symbol.module.empty()) out.format(",\"file\":{}", json_string(symbol.module));
    out.put("},\n");
  }
  // Last, so that symbols are numbered here as in the table.
  out.format("{{\"name\":{}}}", json_string(kNotSampledName));
}

/// A profile has all stacks first and all weights after them: two walks instead of a copy.
void put_profile(const Event& event, const NamedStacks& costs, uint32_t index, BufferedOut& out) {
  uint64_t total = 0;
  for_each_weight(costs, index, [&](const NamedStackCost*, uint64_t weight) { total += weight; });
  out.format(
      "{{\"type\":\"sampled\",\"name\":{},\"unit\":\"{}\",\"startValue\":0,\"endValue\":{},\n"
      "\"samples\":[",
      json_string(event.name), event.unit == EventUnit::nanoseconds ? "nanoseconds" : "none", total);
  const char* between = "";
  for_each_weight(costs, index, [&](const NamedStackCost* row, uint64_t) {
    out.put(std::exchange(between, ",\n"));
    if (!row) return out.format("[{}]", costs.symbols.size());
    const char* bracket = "[";
    for (const uint32_t frame : costs.stacks[row->stack]) {
      out.put(std::exchange(bracket, ","));
      out.format("{}", frame);
    }
    out.put("]");
  });
  out.put("],\n\"weights\":[");
  between = "";
  for_each_weight(costs, index, [&](const NamedStackCost*, uint64_t weight) {
    out.put(std::exchange(between, ","));
    out.format("{}", weight);
  });
  out.put("]}");
}

}  // namespace

Status write_speedscope(const Profile& profile, const NamedStacks& costs, std::span<const uint32_t> events,
                        ByteSink& sink) {
  BufferedOut out(sink);
  out.put(
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"exporter\":\"nettoll\",\n");
  out.format("\"name\":{},\n\"activeProfileIndex\":0,\n\"shared\":{{\"frames\":[\n",
             json_string(origin_of(profile.session)));
  put_frames(costs, out);
  out.put("\n]},\n\"profiles\":[");
  const char* between = "\n";
  for (const uint32_t event : events) {
    out.put(std::exchange(between, ",\n"));
    put_profile(profile.session.events[event], costs, event, out);
  }
  out.put("\n]}\n");
  return out.finish();
}

}  // namespace nettoll
