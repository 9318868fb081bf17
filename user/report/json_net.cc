// SPDX-License-Identifier: Apache-2.0
#include "report/json_net.h"

#include <string>

#include "model/names.h"

namespace nettoll {

using nlohmann::json;

namespace {

void put_text(json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

/// Namespace 0 and index 0 stand for unknown.
void put_device(json& object, const DeviceId& id, const std::string& name, const Profile& profile) {
  put_text(object, "device", name);
  if (id.netns) object["netns"] = id.netns;
  put_text(object, "netns_name", find_netns_name(profile.netns_names, id.netns));
  if (id.ifindex) object["ifindex"] = id.ifindex;
}

}  // namespace

json napi_json(const Profile& profile) {
  json list = json::array();
  for (const auto& row : profile.napi) {
    json entry{{"cpu", row.cpu},
               {"polls", row.polls},
               {"packets", row.packets},
               {"budget_exhausted", row.budget_exhausted}};
    put_device(entry, row.id, row.device, profile);
    list.push_back(std::move(entry));
  }
  return list;
}

json queues_json(const Profile& profile) {
  json list = json::array();
  for (const auto& row : profile.queues) {
    json entry{{"packets", row.packets}};
    if (row.queue >= 0) entry["queue"] = row.queue;
    put_device(entry, row.id, row.device, profile);
    list.push_back(std::move(entry));
  }
  return list;
}

json softirqs_json(const Profile& profile) {
  json list = json::array();
  for (const auto& row : profile.softirqs) {
    list.push_back(
        {{"vector", softirq_name(row.vector)}, {"cpu", row.cpu}, {"runs", row.runs}, {"time_ns", row.ns}});
  }
  return list;
}

json drops_json(const Profile& profile) {
  json list = json::array();
  for (const auto& row : profile.drops) {
    json entry{{"reason", row.reason}, {"packets", row.packets}};
    put_text(entry, "subsystem", row.subsystem);
    put_text(entry, "function", row.function);
    put_text(entry, "module", row.module);
    put_text(entry, "protocol", row.protocol);
    put_device(entry, {row.netns, 0}, row.device, profile);
    if (profile.duration_ns) {
      entry["packets_per_second"] =
          static_cast<double>(row.packets) * 1e9 / static_cast<double>(profile.duration_ns);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

json losses_json(const Profile& profile) {
  json list = json::array();
  for (const auto& row : profile.losses) {
    json entry{{"kind", name_of(row.kind)}, {"count", row.count}};
    put_text(entry, "subject", row.subject);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace nettoll
