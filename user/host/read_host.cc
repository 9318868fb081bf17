// SPDX-License-Identifier: Apache-2.0
#include "host/read_host.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "host/cpu_nodes.h"
#include "host/net_settings.h"
#include "host/nic_vectors.h"
#include "host/proc_interrupts.h"
#include "host/proc_net_snmp.h"
#include "host/proc_net_udp.h"
#include "host/proc_softirqs.h"
#include "host/proc_softnet.h"
#include "host/proc_stat.h"
#include "host/processes.h"
#include "host/queue_statistics.h"
#include "host/socket_owner.h"
#include "host/sysfs_nic.h"
#include "host/text.h"

namespace nettoll {
namespace {

/// Reads and parses one file. A failure is a note that begins with what is unknown.
class Files {
 public:
  Files(const KernelFs& fs, std::vector<std::string>& notes) : fs_(fs), notes_(notes) {}

  template <typename Parse>
  auto read(std::string_view file, std::string_view unknown, Parse parse)
      -> std::optional<typename decltype(parse(std::string_view{}))::value_type> {
    const auto text = fs_.read(file);
    if (!text) {
      notes_.push_back(fmt::format("{} unknown: {}.", unknown, text.error().message));
      return std::nullopt;
    }
    auto parsed = parse(std::string_view(*text));
    if (!parsed) {
      notes_.push_back(fmt::format("{} unknown: in {} {}.", unknown, fs_.path(file), parsed.error().message));
      return std::nullopt;
    }
    return std::move(*parsed);
  }

  void skipped(std::string_view file, uint64_t rows) {
    if (rows > 0) notes_.push_back(fmt::format("{} rows of {} could not be read.", rows, fs_.path(file)));
  }

  void note(std::string_view unknown, const Error& error) {
    notes_.push_back(fmt::format("{} unknown: {}.", unknown, error.message));
  }

 private:
  const KernelFs& fs_;
  std::vector<std::string>& notes_;
};

using TimesByCpu = std::map<uint32_t, CpuTimes>;

/// The online CPUs, from sysfs or else from who has a row in /proc/stat.
Result<CpuSet> online_cpus(const KernelFs& fs, const std::optional<TimesByCpu>& times) {
  auto online = fs.online_cpus();
  if (online && !online->empty()) return online;
  if (!times) {
    return online ? failure(fmt::format("{} names no CPU", fs.path("/sys/devices/system/cpu/online")))
                  : online.error();
  }
  CpuSet set;
  for (const auto& [cpu, row] : *times) set.ids.push_back(cpu);
  return set;
}

template <typename Map>
std::optional<typename Map::mapped_type> value_of(const Map& map, const typename Map::key_type& key) {
  const auto found = map.find(key);
  if (found == map.end()) return std::nullopt;
  return found->second;
}

/// The same of a map that may be absent.
template <typename Map>
std::optional<typename Map::mapped_type> value_of(const std::optional<Map>& map,
                                                  const typename Map::key_type& key) {
  return map ? value_of(*map, key) : std::nullopt;
}

template <typename T>
Answer<T> answer(Result<T> result) {
  if (result) return {std::move(*result), ""};
  const Error& error = result.error();
  return {std::nullopt, error.code != 0 ? error_name(error.code) : error.message};
}

/// Names that a driver repeats are summed; blanks that indent them are dropped.
std::map<std::string, uint64_t> by_name(const StatisticsList& statistics) {
  std::map<std::string, uint64_t> names;
  for (const auto& [name, value] : statistics) names[std::string(trimmed(name))] += value;
  return names;
}

template <typename Queue>
void fill(std::vector<Queue>& queues, const std::map<uint32_t, uint64_t>& values,
          std::optional<uint64_t> Queue::*member) {
  for (Queue& queue : queues) {
    if (!(queue.*member)) queue.*member = value_of(values, queue.index);
  }
}

/// Leaves what is known already.
void fill_queues(Nic& nic, const QueueStatistics& queues) {
  fill(nic.rx_queues, queues.rx_packets, &RxQueue::packets);
  fill(nic.rx_queues, queues.rx_drops, &RxQueue::drops);
  fill(nic.tx_queues, queues.tx_packets, &TxQueue::packets);
}

void ask_driver(EthtoolSource& ethtool, Nic& nic, Files& files) {
  if (nic.physical && nic.driver.empty()) {
    if (auto driver = ethtool.driver(nic.name)) nic.driver = std::move(*driver);
  }
  nic.channels = answer(ethtool.channels(nic.name));
  nic.rings = answer(ethtool.rings(nic.name));
  nic.indirection = answer(ethtool.indirection(nic.name));
  for (const char* protocol : kFlowProtocols)
    nic.flow_hash[protocol] = answer(ethtool.flow_hash(nic.name, protocol));
  nic.coalescing = answer(ethtool.coalescing(nic.name));
  if (auto features = ethtool.features(nic.name)) {
    nic.features = std::move(*features);
  } else {
    files.note(fmt::format("The features of {} are", nic.name), features.error());
  }
  auto statistics = ethtool.statistics(nic.name);
  if (!statistics) {
    nic.statistics = answer(Result<std::map<std::string, uint64_t>>(statistics.error()));
    return;
  }
  nic.statistics.value = by_name(*statistics);
  fill_queues(nic, queue_statistics(*statistics));
}

void ask_route(RouteSource& route, HostState& state, Files& files) {
  if (const auto links = route.links()) {
    std::map<uint32_t, RouteLink> by_ifindex;
    for (const RouteLink& link : *links) by_ifindex[link.ifindex] = link;
    size_t strangers = 0;
    for (Nic& nic : state.nics) {
      const auto link = value_of(by_ifindex, nic.ifindex);
      if (link && link->name == nic.name) {
        nic.xdp = link->xdp;
      } else {
        ++strangers;
      }
    }
    if (strangers > 0)
      state.notes.push_back(
          fmt::format("{} of {} devices in /sys/class/net are not in this network namespace: /sys shows "
                      "another one, or they "
                      "changed just now.",
                      strangers, state.nics.size()));
  } else {
    files.note("Whether devices run XDP is", links.error());
  }
  if (auto qdiscs = route.qdiscs()) {
    for (Nic& nic : state.nics) nic.qdiscs = std::move((*qdiscs)[nic.ifindex]);
  } else {
    files.note("Qdiscs are", qdiscs.error());
  }
  if (const auto queues = route.queue_statistics()) {
    for (Nic& nic : state.nics) fill_queues(nic, value_of(*queues, nic.ifindex).value_or(QueueStatistics{}));
  } else if (const int code = queues.error().code; code != ENOENT && code != EOPNOTSUPP) {
    files.note("What the kernel counts by queue is", queues.error());
  }
}

void read_devices(const KernelFs& fs, EthtoolSource& ethtool, RouteSource& route, HostState& state,
                  Files& files) {
  auto nics = read_nics(fs, state.notes);
  if (!nics) {
    files.note("Network devices are", nics.error());
    return;
  }
  state.nics = std::move(*nics);
  constexpr std::string_view kInterrupts = "/proc/interrupts";
  if (const auto interrupts = files.read(kInterrupts, "Interrupts are", parse_interrupts)) {
    files.skipped(kInterrupts, interrupts->skipped);
    add_vectors(fs, *interrupts, state.nics);
  }
  for (Nic& nic : state.nics) ask_driver(ethtool, nic, files);
  ask_route(route, state, files);
}

void read_cpus(const KernelFs& fs, const CpuSet& online, const std::optional<TimesByCpu>& times,
               HostState& state, Files& files) {
  constexpr std::string_view kSoftirqs = "/proc/softirqs";
  const auto softnet = files.read("/proc/net/softnet_stat", "Backlogs of CPUs are",
                                  [&](std::string_view text) { return parse_softnet(text, online); });
  const auto softirqs = files.read(kSoftirqs, "Counts of softirqs are", parse_softirqs);
  if (softirqs) files.skipped(kSoftirqs, softirqs->skipped);
  const auto processes = read_net_processes(fs);
  if (processes) {
    state.irqbalance = processes->irqbalance;
  } else {
    files.note("Processes are", processes.error());
  }
  const auto nodes = read_cpu_nodes(fs);
  for (const uint32_t id : online.ids) {
    HostCpu cpu;
    cpu.id = id;
    cpu.numa_node = value_of(nodes, id);
    cpu.softnet = value_of(softnet, id);
    if (softirqs) cpu.softirqs = value_of(softirqs->by_cpu, id).value_or(std::map<std::string, uint64_t>{});
    cpu.times = value_of(times, id);
    if (processes) cpu.ksoftirqd_ticks = value_of(processes->ksoftirqd_ticks, id);
    state.cpus.push_back(std::move(cpu));
  }
}

void read_udp(const KernelFs& fs, HostState& state, Files& files) {
  for (const bool ipv6 : {false, true}) {
    const std::string_view file = ipv6 ? "/proc/net/udp6" : "/proc/net/udp";
    if (ipv6 && !fs.exists(file)) continue;  // a kernel without IPv6
    auto table = files.read(file, ipv6 ? "UDP sockets of IPv6 are" : "UDP sockets are",
                            [&](std::string_view text) { return parse_udp(text, ipv6); });
    if (!table) continue;
    files.skipped(file, table->skipped);
    std::move(table->sockets.begin(), table->sockets.end(), std::back_inserter(state.udp));
  }
  std::set<uint64_t> inodes;
  for (const UdpSocket& socket : state.udp) {
    if (socket.inode != 0) inodes.insert(socket.inode);
  }
  const auto owners = find_socket_owners(fs, std::move(inodes), state.notes);
  for (UdpSocket& socket : state.udp) socket.process = value_of(owners, socket.inode).value_or("");
}

void read_protocols(const KernelFs& fs, HostState& state, Files& files) {
  const struct {
    const char* file;
    const char* unknown;
    Result<ProtocolCounters> (*parse)(std::string_view);
    bool optional;
  } rows[] = {
      {"/proc/net/snmp", "Counters of protocols are", parse_snmp, false},
      {"/proc/net/netstat", "More counters of TCP and IP are", parse_snmp, false},
      {"/proc/net/snmp6", "Counters of IPv6 are", parse_snmp6, true},
  };
  for (const auto& row : rows) {
    if (row.optional && !fs.exists(row.file)) continue;  // a kernel without IPv6
    if (auto counters = files.read(row.file, row.unknown, row.parse)) state.protocols.merge(*counters);
  }
}

/// "net:[4026531840]"
uint32_t read_netns(const KernelFs& fs, std::vector<std::string>& notes) {
  const auto link = fs.read_link("/proc/self/ns/net");
  constexpr std::string_view kBefore = "net:[";
  uint32_t inode = 0;
  if (link && link->starts_with(kBefore))
    std::from_chars(link->data() + kBefore.size(), link->data() + link->size(), inode);
  if (!inode)
    notes.push_back("Which network namespace this is is unknown: drops of others count as its own.");
  return inode;
}

}  // namespace

Result<HostState> read_host(const KernelFs& fs, EthtoolSource& ethtool, RouteSource& route) {
  HostState state;
  Files files(fs, state.notes);
  state.netns = read_netns(fs, state.notes);
  const auto times = files.read("/proc/stat", "Times of CPUs are", parse_cpu_times);
  const auto online = online_cpus(fs, times);
  if (!online) return online.error();
  read_devices(fs, ethtool, route, state, files);
  read_cpus(fs, *online, times, state, files);
  read_udp(fs, state, files);
  read_protocols(fs, state, files);
  state.settings = read_net_settings(fs, state.notes);
  return state;
}

}  // namespace nettoll
