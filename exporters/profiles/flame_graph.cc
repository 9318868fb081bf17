// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/flame_graph.h"

#include <string>
#include <string_view>
#include <utility>

#include "exporters/profiles/buffered_out.h"
#include "exporters/profiles/call_tree.h"
#include "exporters/profiles/flame_graph_page.h"
#include "exporters/profiles/frame_name.h"
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

void put_strings(const std::vector<std::string>& strings, std::string_view key, BufferedOut& out) {
  out.format(",\n\"{}\":[", key);
  const char* between = "";
  for (const std::string& text : strings) {
    out.put(std::exchange(between, ","));
    out.put(json_string(text));
  }
  out.put("]");
}

/// Where the numbers come from and what they lack, phrases for the head of the page.
std::vector<std::string> about(const FlameGraphInput& input) {
  std::vector<std::string> phrases;
  if (!input.file.empty()) phrases.push_back(input.file);
  phrases.push_back(origin_of(input.profile.session));
  phrases.push_back(fmt::format("{:.1f} s", static_cast<double>(input.profile.duration_ns) / 1e9));
  for (const Loss& loss : input.profile.losses) {
    if (loss.count > 0)
      phrases.push_back(fmt::format("lost: {} {} of {}", name_of(loss.kind), loss.count, loss.subject));
  }
  return phrases;
}

void put_symbols(const CallTree& tree, BufferedOut& out) {
  out.put(",\n\"symbols\":[");
  const char* between = "\n";
  for (size_t i = 0; i < tree.symbols.size(); ++i) {
    const Symbol& symbol = tree.symbols[i];
    const bool of_module = symbol.kind == SymbolKind::kernel && symbol.module != kVmlinux;
    out.put(std::exchange(between, ",\n"));
    out.format("[{},{},\"{}\",\"{}\"]", json_string(frame_name(symbol)), json_string(symbol.module),
               of_module ? "module" : name_of(symbol.kind), tree.begins[i] ? name_of(*tree.begins[i]) : "");
  }
  out.put("]");
}

/// What pages of one and of two profiles have, up to the brace that ends it.
void put_now(const FlameGraphInput& input, const CallTree& tree, bool differential, BufferedOut& out) {
  const Event& event = input.profile.session.events[input.event];
  out.format("{{\"event\":{},\"unit\":\"{}\",\"differential\":{},\"total\":{:.0f},\"pruned\":{},",
             json_string(event.name), event.unit == EventUnit::nanoseconds ? "ns" : "events", differential,
             tree.now_total, tree.pruned);
  out.format("\"prunedSelf\":{:.0f}", tree.pruned_self);
  put_strings(about(input), "about", out);
  put_symbols(tree, out);
  put_numbers(tree, "symbol", out, [](const CallNode& n) { return static_cast<double>(n.symbol); });
  put_numbers(tree, "depth", out, [](const CallNode& n) { return static_cast<double>(n.depth); });
  put_numbers(tree, "self", out, [](const CallNode& n) { return n.now.self; });
  put_numbers(tree, "inclusive", out, [](const CallNode& n) { return n.now.total; });
  put_numbers(tree, "samples", out, [](const CallNode& n) { return static_cast<double>(n.now.samples); });
}

void put_before(const FlameGraphDiff& diff, const CallTree& tree, BufferedOut& out) {
  out.format(",\n\"per\":{},\"divisor\":{},\"beforeDivisor\":{}", json_string(diff.per), diff.divisor_b,
             diff.divisor_a);
  out.format(",\"beforeTotal\":{:.0f},\"beforePrunedSelf\":{:.0f}", tree.before_total,
             tree.pruned_before_self);
  put_strings(about(diff.a), "beforeAbout", out);
  put_strings(diff.notes, "notes", out);
  put_numbers(tree, "beforeSelf", out, [](const CallNode& n) { return n.before.self; });
  put_numbers(tree, "beforeInclusive", out, [](const CallNode& n) { return n.before.total; });
  put_numbers(tree, "beforeSamples", out,
              [](const CallNode& n) { return static_cast<double>(n.before.samples); });
}

/// Writes the page with what `put` puts where its data goes.
template <typename Put>
Status write_page(CallTree tree, size_t most_frames, ByteSink& sink, Put put) {
  prune(tree, most_frames);
  constexpr std::string_view kPlace = "@DATA@";
  const std::string_view page = kFlameGraphPage;
  const size_t place = page.find(kPlace);
  BufferedOut out(sink);
  out.put(page.substr(0, place));
  put(tree, out);
  out.put("}");
  out.put(page.substr(place + kPlace.size()));
  return out.finish();
}

}  // namespace

Status write_flame_graph(const FlameGraphInput& input, ByteSink& sink, size_t most_frames) {
  return write_page(call_tree(input.costs, input.event), most_frames, sink,
                    [&](const CallTree& tree, BufferedOut& out) { put_now(input, tree, false, out); });
}

Status write_flame_graph(const FlameGraphDiff& diff, ByteSink& sink, size_t most_frames) {
  return write_page(call_tree(diff.b.costs, diff.b.event, diff.a.costs, diff.a.event), most_frames, sink,
                    [&](const CallTree& tree, BufferedOut& out) {
                      put_now(diff.b, tree, true, out);
                      put_before(diff, tree, out);
                    });
}

}  // namespace nettoll
