// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/names.h"
#include "report/drop_samples_view.h"
#include "report/drop_stacks.h"
#include "report/drops_table.h"

namespace nettoll {

using nlohmann::json;

namespace {

void put_text(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json row_json(const Drops& row, const DropWindow& window, bool noise) {
  const uint64_t duration_ns = window.duration_ns;
  json entry{{"reason", row.reason}, {"packets", row.packets}};
  put_text(entry, "subsystem", row.subsystem);
  put_text(entry, "function", row.function);
  put_text(entry, "module", row.module);
  put_text(entry, "helper", row.helper);
  put_text(entry, "protocol", row.protocol);
  put_text(entry, "device", row.device);
  if (row.netns) entry["netns"] = row.netns;
  put_text(entry, "netns_name", find_netns_name(window.netns_names, row.netns));
  if (noise) entry["class"] = name_of(classify(row));
  if (duration_ns)
    entry["packets_per_second"] = static_cast<double>(row.packets) * 1e9 / static_cast<double>(duration_ns);
  return entry;
}

json rows_json(const DropRows& drops, const DropWindow& window, const DropViewOptions& options, bool noise) {
  json rows = json::array();
  const size_t limit = options.limit.value_or(0);
  const size_t shown = limit ? std::min(limit, drops.rows.size()) : drops.rows.size();
  for (size_t i = 0; i < shown; ++i) rows.push_back(row_json(drops.rows[i], window, noise));
  return {{"packets", drops.packets}, {"rows", std::move(rows)}};
}

json frames_json(const std::vector<Symbol>& frames) {
  json list = json::array();
  for (const Symbol& frame : frames) {
    json entry{{"function", frame.name}};
    put_text(entry, "module", frame.module);
    list.push_back(std::move(entry));
  }
  return list;
}

json stacks_json(const DropWindow& window, const DropViewOptions& options) {
  json list = json::array();
  const auto stacks = sum_drop_stacks(window.samples);
  for (size_t i = 0; i < std::min(options.stacks, stacks.size()); ++i) {
    json entry{{"reason", stacks[i].reason},
               {"samples", stacks[i].samples},
               {"frames", frames_json(stacks[i].frames)}};
    put_text(entry, "subsystem", stacks[i].subsystem);
    list.push_back(std::move(entry));
  }
  return list;
}

json example_json(const DropSample& sample, const std::vector<NetnsName>& names) {
  const RawDropSample& raw = sample.raw;
  json entry{{"time_ns", raw.time_ns},
             {"cpu", raw.cpu},
             {"reason", sample.drop.reason},
             {"reason_number", raw.reason},
             {"function", sample.drop.function},
             {"protocol", sample.drop.protocol},
             {"bytes", raw.length},
             {"class", name_of(classify(sample.drop))},
             {"task", {{"name", raw.task}, {"pid", raw.pid}, {"in_softirq", sample.in_softirq}}}};
  put_text(entry, "subsystem", sample.drop.subsystem);
  put_text(entry, "module", sample.drop.module);
  put_text(entry, "helper", sample.drop.helper);
  put_text(entry, "device", sample.drop.device);
  if (raw.id.netns) entry["netns"] = raw.id.netns;
  put_text(entry, "netns_name", find_netns_name(names, raw.id.netns));
  if (raw.id.ifindex) entry["ifindex"] = raw.id.ifindex;
  if (raw.gso_segments > 1) entry["gso"] = {{"segments", raw.gso_segments}, {"size", raw.gso_size}};
  const PacketHeaders& headers = sample.headers;
  put_text(entry, "source", headers.source);
  put_text(entry, "destination", headers.destination);
  if (headers.source_port) entry["source_port"] = *headers.source_port;
  if (headers.destination_port) entry["destination_port"] = *headers.destination_port;
  put_text(entry, "transport", sample.transport);
  put_text(entry, "tcp_flags", sample.tcp_flags);
  if (headers.icmp_type) entry["icmp"] = {{"type", *headers.icmp_type}, {"code", *headers.icmp_code}};
  return entry;
}

}  // namespace

json drop_window_json(const DropWindow& window, const DropViewOptions& options) {
  const SplitDrops drops = split_drops(window.drops);
  json object{{"window", {{"start_ns", window.wall_start_ns}, {"duration_ns", window.duration_ns}}},
              {"drop_reasons", window.drop_reasons},
              {"loss", rows_json(drops.loss, window, options, false)},
              {"noise", rows_json(drops.noise, window, options, true)},
              {"losses", json::array()},
              {"notes", window.notes}};
  for (const Loss& loss : window.losses)
    object["losses"].push_back(
        {{"kind", name_of(loss.kind)}, {"subject", loss.subject}, {"count", loss.count}});
  if (!window.account) return object;
  const SampleAccount& account = *window.account;
  object["samples"] = {{"matched", account.matched},
                       {"emitted", account.emitted},
                       {"rate_limited", account.rate_limited},
                       {"ring_full", account.ring_full},
                       {"missed_runs", account.missed_runs}};
  object["stacks"] = stacks_json(window, options);
  object["examples"] = json::array();
  for (size_t i = 0; i < std::min(options.examples, window.samples.size()); ++i)
    object["examples"].push_back(example_json(window.samples[i], window.netns_names));
  return object;
}

}  // namespace nettoll
