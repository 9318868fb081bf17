// SPDX-License-Identifier: Apache-2.0
#include "host/window.h"

#include <algorithm>

#include "host/proc_net_snmp.h"

namespace nettoll {
namespace {

/// Counters of 64 bits.
void subtract(uint64_t& after, uint64_t before) {
  if (after >= before) after -= before;
}
void subtract(std::optional<uint64_t>& after, const std::optional<uint64_t>& before) {
  if (after && before) subtract(*after, *before);
}

/// Counters of 32 bits. One that went back wrapped if that leaves less than a quarter of its range; an
/// interrupt that was given up and taken anew counts from zero.
void subtract_32(uint64_t& after, uint64_t before) {
  constexpr uint64_t kRange = uint64_t{1} << 32;
  if (after >= before) {
    after -= before;
  } else if (before < kRange && kRange - before + after < kRange / 4) {
    after += kRange - before;
  }
}
void subtract_32(std::optional<uint64_t>& after, const std::optional<uint64_t>& before) {
  if (after && before) subtract_32(*after, *before);
}

void subtract_time(uint64_t& after, uint64_t before) {
  after -= std::min(after, before);
}

template <typename Map, typename Subtract>
void subtract_map(Map& after, const Map& before, Subtract minus) {
  for (auto& [key, value] : after) {
    if (const auto old = before.find(key); old != before.end()) minus(value, old->second);
  }
}

template <typename Row, typename Same>
const Row* find_row(const std::vector<Row>& rows, Same same) {
  const auto found = std::find_if(rows.begin(), rows.end(), same);
  return found == rows.end() ? nullptr : &*found;
}

void subtract_link(LinkCounters& after, const LinkCounters& before) {
  for (const auto counter : {&LinkCounters::rx_packets, &LinkCounters::rx_bytes, &LinkCounters::rx_errors,
                             &LinkCounters::rx_dropped, &LinkCounters::rx_missed, &LinkCounters::rx_fifo,
                             &LinkCounters::rx_crc, &LinkCounters::rx_nohandler, &LinkCounters::tx_packets,
                             &LinkCounters::tx_bytes, &LinkCounters::tx_errors, &LinkCounters::tx_dropped})
    subtract(after.*counter, before.*counter);
}

void subtract_nic(Nic& after, const Nic& before) {
  for (RxQueue& queue : after.rx_queues) {
    const auto* old =
        find_row(before.rx_queues, [&](const RxQueue& row) { return row.index == queue.index; });
    if (!old) continue;
    subtract(queue.packets, old->packets);
    subtract(queue.drops, old->drops);
  }
  for (TxQueue& queue : after.tx_queues) {
    const auto* old =
        find_row(before.tx_queues, [&](const TxQueue& row) { return row.index == queue.index; });
    if (old) subtract(queue.packets, old->packets);
  }
  for (Vector& vector : after.vectors) {
    const auto* old = find_row(
        before.vectors, [&](const Vector& row) { return row.irq == vector.irq && row.name == vector.name; });
    if (!old) continue;
    const size_t both = std::min(vector.by_cpu.size(), old->by_cpu.size());
    for (size_t cpu = 0; cpu < both; ++cpu) subtract_32(vector.by_cpu[cpu], old->by_cpu[cpu]);
  }
  subtract_link(after.link, before.link);
  if (after.statistics && before.statistics) {
    subtract_map(*after.statistics.value, *before.statistics,
                 [](uint64_t& value, uint64_t old) { subtract(value, old); });
  }
  for (Qdisc& qdisc : after.qdiscs) {
    const auto* old = find_row(before.qdiscs, [&](const Qdisc& row) {
      return row.kind == qdisc.kind && row.handle == qdisc.handle && row.parent == qdisc.parent;
    });
    if (!old) continue;
    subtract(qdisc.packets, old->packets);
    subtract_32(qdisc.drops, old->drops);
    subtract_32(qdisc.overlimits, old->overlimits);
  }
}

void subtract_cpu(HostCpu& after, const HostCpu& before) {
  if (after.softnet && before.softnet) {
    subtract_32(after.softnet->processed, before.softnet->processed);
    subtract_32(after.softnet->dropped, before.softnet->dropped);
    subtract_32(after.softnet->time_squeeze, before.softnet->time_squeeze);
    subtract_32(after.softnet->received_rps, before.softnet->received_rps);
    subtract_32(after.softnet->flow_limit, before.softnet->flow_limit);
  }
  subtract_map(after.softirqs, before.softirqs,
               [](uint64_t& value, uint64_t old) { subtract_32(value, old); });
  if (after.times && before.times) {
    for (const auto time : {&CpuTimes::user, &CpuTimes::nice, &CpuTimes::system, &CpuTimes::idle,
                            &CpuTimes::iowait, &CpuTimes::irq, &CpuTimes::softirq, &CpuTimes::steal})
      subtract_time((*after.times).*time, (*before.times).*time);
  }
  subtract(after.ksoftirqd_ticks, before.ksoftirqd_ticks);
}

}  // namespace

HostState window(const HostState& before, const HostState& after, double seconds) {
  HostState state = after;
  state.seconds = seconds;
  for (Nic& nic : state.nics) {
    // A device that was made anew has a new ifindex, a renamed one keeps it.
    const auto* old = find_row(before.nics, [&](const Nic& row) { return row.ifindex == nic.ifindex; });
    if (old) subtract_nic(nic, *old);
  }
  for (HostCpu& cpu : state.cpus) {
    const auto* old = find_row(before.cpus, [&](const HostCpu& row) { return row.id == cpu.id; });
    if (old) subtract_cpu(cpu, *old);
  }
  for (UdpSocket& socket : state.udp) {
    const auto* old = find_row(before.udp, [&](const UdpSocket& row) {
      return row.inode == socket.inode && row.ipv6 == socket.ipv6 && row.port == socket.port;
    });
    if (old) subtract(socket.drops, old->drops);
  }
  std::erase_if(state.udp,
                [](const UdpSocket& socket) { return socket.drops == 0 && socket.queued_bytes == 0; });
  for (auto& [name, value] : state.protocols) {
    const auto old = before.protocols.find(name);
    if (old != before.protocols.end() && !is_protocol_gauge(name)) subtract(value, old->second);
  }
  return state;
}

}  // namespace nettoll
