// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/flame_graph.h"

#include <string>
#include <string_view>
#include <utility>

#include "exporters/profiles/buffered_out.h"
#include "exporters/profiles/call_tree.h"
#include "exporters/profiles/flame_graph_page.h"
#include "exporters/profiles/json_text.h"
#include "exporters/profiles/origin.h"
#include "model/names.h"

namespace nettoll {
namespace {

/// A list of numbers, one for each frame.
template <typename Value>
void put_numbers(const CallTree& tree, std::string_view key, BufferedOut& out, Value value) {
  out.format(",\n\"{}\":[", key);
  const char* between = "";
  for (const CallNode& node : tree.nodes) {
    out.put(std::exchange(between, ","));
    out.format("{:.0f}", value(node));
  }
  out.put("]");
}

/// Where the numbers come from and what they lack, sentences for the head of the page.
void put_about(const FlameGraphInput& input, std::string_view key, BufferedOut& out) {
  out.format(",\n\"{}\":[{}", key, json_string(origin_of(input.profile.session)));
  out.format(",{}",
             json_string(fmt::format("{:.1f} s", static_cast<double>(input.profile.duration_ns) / 1e9)));
  for (const Loss& loss : input.profile.losses) {
    if (loss.count == 0) continue;
    out.format(",{}",
               json_string(fmt::format("lost: {} {} of {}", name_of(loss.kind), loss.count, loss.subject)));
  }
  out.put("]");
}

void put_symbols(const CallTree& tree, BufferedOut& out) {
  out.put(",\n\"symbols\":[");
  const char* between = "\n";
  for (size_t i = 0; i < tree.symbols.size(); ++i) {
    const Symbol& symbol = tree.symbols[i];
    const bool of_module = symbol.kind == SymbolKind::kernel && symbol.module != kVmlinux;
    out.put(std::exchange(between, ",\n"));
    out.format("[{},{},\"{}\",\"{}\"]", json_string(symbol.name), json_string(symbol.module),
               of_module ? "module" : name_of(symbol.kind), tree.begins[i] ? name_of(*tree.begins[i]) : "");
  }
  out.put("]");
}

void put_data(const FlameGraphInput& now, const FlameGraphInput* before, const CallTree& tree,
              BufferedOut& out) {
  const Event& event = now.profile.session.events[now.event];
  out.format("{{\"event\":{},\"unit\":\"{}\",\"differential\":{},\"total\":{:.0f},\"pruned\":{},",
             json_string(event.name), event.unit == EventUnit::nanoseconds ? "ns" : "events",
             before != nullptr, tree.now_total, tree.pruned);
  out.format("\"prunedSelf\":{:.0f}", tree.pruned_self);
  put_about(now, "about", out);
  put_symbols(tree, out);
  put_numbers(tree, "symbol", out, [](const CallNode& n) { return static_cast<double>(n.symbol); });
  put_numbers(tree, "depth", out, [](const CallNode& n) { return static_cast<double>(n.depth); });
  put_numbers(tree, "self", out, [](const CallNode& n) { return n.now.self; });
  put_numbers(tree, "inclusive", out, [](const CallNode& n) { return n.now.total; });
  put_numbers(tree, "samples", out, [](const CallNode& n) { return static_cast<double>(n.now.samples); });
  if (before) {
    out.format(",\n\"beforeTotal\":{:.0f}", tree.before_total);
    put_about(*before, "beforeAbout", out);
    put_numbers(tree, "beforeSelf", out, [](const CallNode& n) { return n.before.self; });
    put_numbers(tree, "beforeInclusive", out, [](const CallNode& n) { return n.before.total; });
    put_numbers(tree, "beforeSamples", out,
                [](const CallNode& n) { return static_cast<double>(n.before.samples); });
  }
  out.put("}");
}

}  // namespace

Status write_flame_graph(const FlameGraphInput& now, const FlameGraphInput* before, ByteSink& sink,
                         size_t most_frames) {
  CallTree tree = before ? call_tree(now.costs, now.event, before->costs, before->event)
                         : call_tree(now.costs, now.event);
  prune(tree, most_frames);
  constexpr std::string_view kPlace = "@DATA@";
  const std::string_view page = kFlameGraphPage;
  const size_t place = page.find(kPlace);
  BufferedOut out(sink);
  out.put(page.substr(0, place));
  put_data(now, before, tree, out);
  out.put(page.substr(place + kPlace.size()));
  return out.finish();
}

}  // namespace nettoll
