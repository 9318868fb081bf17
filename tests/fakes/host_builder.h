// SPDX-License-Identifier: Apache-2.0
// Windows of a host's counters for tests. What is built first is healthy; a test spoils one thing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/host_state.h"

namespace nettoll {

template <typename T>
Answer<T> answered(T value) {
  return {std::move(value), ""};
}

/// CPUs 0 to n-1, which are mostly idle, and devices.
class HostBuilder {
 public:
  static constexpr double kSeconds = 10;

  explicit HostBuilder(uint32_t cpus) {
    state.seconds = kSeconds;
    for (uint32_t id = 0; id < cpus; ++id) {
      HostCpu cpu;
      cpu.id = id;
      cpu.softnet = Softnet{};
      cpu.times = CpuTimes{};
      cpu.ksoftirqd_ticks = 0;
      state.cpus.push_back(cpu);
      softirq(id, 0.05, 100'000);
    }
    state.settings.netdev_budget = 300;
    state.settings.netdev_budget_usecs = 2000;
    state.settings.netdev_max_backlog = 1000;
    state.settings.rps_sock_flow_entries = 0;
    state.settings.rmem_default = 212'992;
    state.settings.rmem_max = 212'992;
    state.protocols = {{"Udp.RcvbufErrors", 0}, {"Udp.InDatagrams", 500'000}, {"Tcp.InSegs", 500'000}};
  }

  /// Part of a CPU's time in softirqs, and packets that it received.
  HostBuilder& softirq(uint32_t cpu, double part, uint64_t packets) {
    CpuTimes& times = *state.cpus.at(cpu).times;
    times = CpuTimes{};
    times.softirq = static_cast<uint64_t>(1000 * part);
    times.idle = 1000 - times.softirq;
    state.cpus[cpu].softnet->processed = packets;
    state.cpus[cpu].softirqs["NET_RX"] = packets / 10;
    return *this;
  }

  /// A device that spreads 100,000 packets a second over `queues` queues, each with its vector on the CPU of
  /// its number (modulo CPUs). Its driver answers everything.
  Nic& nic(const std::string& name, uint32_t queues) {
    Nic nic;
    nic.name = name;
    nic.ifindex = static_cast<uint32_t>(state.nics.size()) + 2;
    nic.driver = "fake";
    nic.physical = true;
    nic.up = true;
    nic.channels = answered(Channels{0, 0, queues, 0, 0, queues});
    nic.rings = answered(RingSizes{1024, 1024, 4096, 4096});
    nic.coalescing = answered(Coalescing{20, 0, true});
    nic.features = {{"rx-gro", true}, {"rx-hashing", true}};
    nic.statistics = answered(std::map<std::string, uint64_t>{});
    Indirection table;
    for (uint32_t bucket = 0; bucket < 128; ++bucket) table.queues.push_back(bucket % queues);
    nic.indirection = answered(table);
    for (const char* protocol : {"tcp4", "udp4", "tcp6", "udp6"}) {
      nic.flow_hash[protocol] = answered(FlowHash{protocol, true, true});
    }
    const uint64_t packets = 1'000'000 / queues;
    for (uint32_t queue = 0; queue < queues; ++queue) {
      nic.rx_queues.push_back({queue, packets, std::nullopt, CpuSet{}, uint64_t{0}});
      nic.tx_queues.push_back({queue, packets, CpuSet{}});
      Vector vector;
      vector.irq = 100 + 100 * nic.ifindex + queue;
      vector.name = name + "-TxRx-" + std::to_string(queue);
      vector.role = Vector::Role::both;
      vector.queue = queue;
      nic.vectors.push_back(vector);
    }
    nic.link.rx_packets = packets * queues;
    nic.link.tx_packets = packets * queues;
    Qdisc qdisc;
    qdisc.kind = "fq_codel";
    qdisc.handle = "0:";
    qdisc.parent = "root";
    qdisc.packets = nic.link.tx_packets;
    nic.qdiscs.push_back(qdisc);
    state.nics.push_back(nic);
    std::vector<uint32_t> cpus;
    for (uint32_t queue = 0; queue < queues; ++queue)
      cpus.push_back(queue % static_cast<uint32_t>(state.cpus.size()));
    serve(state.nics.back(), cpus);
    return state.nics.back();
  }

  /// The CPU of each vector, with an interrupt for ten packets of its queue.
  void serve(Nic& nic, const std::vector<uint32_t>& cpus) const {
    for (size_t i = 0; i < cpus.size(); ++i) {
      Vector& vector = nic.vectors.at(i);
      vector.by_cpu.assign(state.cpus.size(), 0);
      vector.by_cpu.at(cpus[i]) = nic.rx_queues.at(i).packets.value_or(10'000) / 10;
      vector.effective_affinity = CpuSet{{cpus[i]}};
    }
  }

  /// Packets of each queue.
  static void receive(Nic& nic, const std::vector<uint64_t>& packets) {
    nic.link.rx_packets = 0;
    for (size_t i = 0; i < packets.size(); ++i) {
      nic.rx_queues.at(i).packets = packets[i];
      nic.link.rx_packets += packets[i];
      uint64_t& interrupts = *std::max_element(nic.vectors.at(i).by_cpu.begin(), nic.vectors[i].by_cpu.end());
      interrupts = packets[i] / 10;
    }
  }

  /// An indirection table of these buckets by queue.
  static void table(Nic& nic, const std::vector<uint32_t>& buckets) {
    Indirection indirection;
    for (uint32_t queue = 0; queue < buckets.size(); ++queue) {
      indirection.queues.insert(indirection.queues.end(), buckets[queue], queue);
    }
    nic.indirection = answered(indirection);
  }

  HostState state;
};

}  // namespace nettoll
