// SPDX-License-Identifier: Apache-2.0
#include "cli/drop_filter_options.h"

#include <linux/if_ether.h>
#include <netinet/in.h>
#include <spdlog/spdlog.h>
#include <strings.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/near_names.h"
#include "cli/netns_target.h"
#include "host/netns_names.h"

namespace nettoll {
namespace {

bool same_name(const std::string& a, const std::string& b) {
  return ::strcasecmp(a.c_str(), b.c_str()) == 0;
}

std::string without_prefix(std::string name, std::string_view prefix) {
  if (name.size() > prefix.size() && ::strncasecmp(name.c_str(), prefix.data(), prefix.size()) == 0)
    name.erase(0, prefix.size());
  return name;
}

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return ec == std::errc() && end == text.data() + text.size();
}

/// The subsystem's name of a reason, "" for the core's.
std::string subsystem_of(uint32_t reason, const DropReasonNames& known) {
  const auto found = known.subsystems.find(reason >> 16);
  return found == known.subsystems.end() || found->first == 0 ? std::string() : found->second;
}

Error unknown_reason(const std::string& name, const DropReasonNames& known) {
  std::vector<std::string> candidates;
  for (const auto& [value, text] : known.reasons) candidates.push_back(text);
  return usage_error(fmt::format("this kernel has no drop reason '{}'", name),
                     did_you_mean(without_prefix(name, "SKB_DROP_REASON_"), std::move(candidates),
                                  "names are those of enum skb_drop_reason, such as NO_SOCKET"));
}

/// Names of `ip netns` whose namespace has a device of that name.
std::vector<std::string> namespaces_with(const std::string& device, const KernelFs& fs) {
  constexpr size_t kMostEntered = 200;
  std::vector<std::string> found;
  const auto named = named_netns(fs);
  for (size_t i = 0; i < std::min(named.size(), kMostEntered); ++i) {
    const auto devices = devices_of({named[i].inode, fs.path("/run/netns/" + named[i].name)});
    if (devices && std::any_of(devices->begin(), devices->end(),
                               [&](const NamedDevice& one) { return one.name == device; }))
      found.push_back(named[i].name);
  }
  return found;
}

}  // namespace

Result<std::vector<uint32_t>> parse_drop_reasons(const std::vector<std::string>& names,
                                                 const DropReasonNames& known) {
  std::vector<uint32_t> reasons;
  for (const std::string& text : names) {
    if (text.empty()) return usage_error("--reason has an empty name");
    const size_t before = reasons.size();
    uint32_t number = 0;
    if (parse_number(text, number)) {
      reasons.push_back(number);
      continue;
    }
    const auto colon = text.find(':');
    const std::string subsystem = colon == std::string::npos ? "" : text.substr(0, colon);
    const std::string name = without_prefix(
        without_prefix(colon == std::string::npos ? text : text.substr(colon + 1), "SKB_DROP_REASON_"),
        "SKB_");
    for (const auto& [value, known_name] : known.reasons) {
      const bool of_subsystem = subsystem.empty() || same_name(subsystem, subsystem_of(value, known)) ||
                                (same_name(subsystem, "core") && value >> 16 == 0);
      if (of_subsystem && same_name(name, known_name)) reasons.push_back(value);
    }
    if (reasons.size() == before) return unknown_reason(text, known);
  }
  std::sort(reasons.begin(), reasons.end());
  reasons.erase(std::unique(reasons.begin(), reasons.end()), reasons.end());
  if (reasons.size() > kMostFilterReasons)
    return usage_error(
        fmt::format("--reason names {} reasons, more than {}", reasons.size(), kMostFilterReasons),
        "name fewer");
  return reasons;
}

Status parse_drop_protocol(const std::string& name, DropFilter& filter) {
  constexpr const char* kRemedy = "give none, ip, ip6, arp, tcp, udp, icmp, or an EtherType such as 0x88cc";
  if (name.empty()) return usage_error("--proto is empty", kRemedy);
  const struct {
    const char* name;
    std::optional<uint16_t> ethertype;
    std::vector<uint8_t> transports;
  } kProtocols[] = {
      {"none", 0, {}},
      {"ip", ETH_P_IP, {}},
      {"ipv4", ETH_P_IP, {}},
      {"ip6", ETH_P_IPV6, {}},
      {"ipv6", ETH_P_IPV6, {}},
      {"arp", ETH_P_ARP, {}},
      {"tcp", std::nullopt, {IPPROTO_TCP}},
      {"udp", std::nullopt, {IPPROTO_UDP}},
      {"icmp", std::nullopt, {IPPROTO_ICMP, IPPROTO_ICMPV6}},
  };
  for (const auto& protocol : kProtocols) {
    if (!same_name(name, protocol.name)) continue;
    filter.ethertype = protocol.ethertype;
    filter.transports = protocol.transports;
    return {};
  }
  uint16_t ethertype = 0;
  if (name.starts_with("0x") && parse_number(name, ethertype)) {
    filter.ethertype = ethertype;
    return {};
  }
  std::vector<std::string> names;
  for (const auto& protocol : kProtocols) names.emplace_back(protocol.name);
  return usage_error(fmt::format("--proto: there is no protocol '{}'", name),
                     did_you_mean(name, std::move(names), kRemedy));
}

Result<DropFilter> drop_filter(const DropFilterOptions& options, const DropReasonNames& known,
                               bool has_reasons, const KernelFs& fs) {
  DropFilter filter;
  if (!options.reasons.empty()) {
    if (!has_reasons)
      return usage_error("--reason: this kernel gives no drop reasons",
                         "they came with Linux 5.17; leave it out");
    auto reasons = parse_drop_reasons(options.reasons, known);
    if (!reasons) return reasons.error();
    filter.reasons = std::move(*reasons);
  }
  if (options.protocol) {
    if (auto ok = parse_drop_protocol(*options.protocol, filter); !ok) return ok.error();
  }
  if (!options.netns && !options.device) return filter;
  if (options.device && options.device->empty())
    return usage_error("--dev is empty", "ip link lists devices");
  auto netns = options.netns ? find_netns(*options.netns, fs) : own_netns_target();
  if (!netns) return netns.error();
  filter.netns = netns->inode;
  if (netns->path.empty())
    spdlog::warn(
        "no process and no name of ip netns leads to network namespace {}: if it does not come, nothing will "
        "match; "
        "lsns -t net lists those that are there",
        netns->inode);
  if (!options.device) return filter;
  const auto devices = devices_of(*netns);
  if (!devices) return devices.error();
  std::vector<std::string> names;
  for (const NamedDevice& device : *devices) {
    if (device.name == *options.device) filter.ifindex = device.ifindex;
    names.push_back(device.name);
  }
  if (filter.ifindex) return filter;
  const std::string where = options.netns ? fmt::format("in network namespace {}", *options.netns)
                                          : "in this network namespace (see --netns)";
  const auto elsewhere = options.netns ? std::vector<std::string>() : namespaces_with(*options.device, fs);
  if (!elsewhere.empty())
    return usage_error(fmt::format("there is no device '{}' {}", *options.device, where),
                       fmt::format("it is in {}: --netns {}", fmt::join(elsewhere, ", "), elsewhere.front()));
  return usage_error(fmt::format("there is no device '{}' {}", *options.device, where),
                     did_you_mean(*options.device, std::move(names), "ip link lists them"));
}

bool matches(const DropFilter& filter, const RawDrops& drops) {
  if (!filter.reasons.empty() &&
      std::find(filter.reasons.begin(), filter.reasons.end(), drops.reason) == filter.reasons.end())
    return false;
  if (filter.netns && filter.netns != drops.id.netns) return false;
  return !filter.ifindex || filter.ifindex == drops.id.ifindex;
}

}  // namespace nettoll
