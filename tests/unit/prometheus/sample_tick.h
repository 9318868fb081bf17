// SPDX-License-Identifier: Apache-2.0
// One tick written by hand: two events, three functions, two CPUs.
#pragma once

#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll::exporter {

struct Tick {
  Profile profile;
  CostTable costs;
};

inline Estimate estimate(double value, uint64_t samples) {
  return {value, samples};
}

inline FunctionCost sampled_function(std::string name, Path path, uint32_t event, Estimate self,
                                     Estimate inclusive) {
  FunctionCost function;
  function.symbol = {std::move(name), kVmlinux, SymbolKind::kernel};
  function.cells = {{path, event, self, inclusive}};
  return function;
}

/// Event 0 is cpu-clock, event 1 is cycles; "instructions" is missing.
inline Tick sample_tick() {
  Tick tick;
  Session& session = tick.profile.session;
  session.host = "host";
  session.kernel = "6.1.0";
  session.arch = "x86_64";
  session.version = "0.1.0";
  session.set = "core";
  session.events = {{"cpu-clock", EventUnit::nanoseconds, false, true, 99, 0},
                    {"cycles", EventUnit::count, true, false, 99, 0}};
  session.missing_events = {{"instructions", "the PMU lacks it"}};
  session.functions = {
      {"net_rx_action", kVmlinux, Method::tracepoint, CountState::proxied, "softirq_entry", "", true, 0},
      {"ip_rcv", kVmlinux, Method::samples, CountState::sampled, "", "", false, 0},
      {"tcp_v4_rcv", kVmlinux, Method::samples, CountState::sampled, "", "", false, 0}};
  session.hooks_per_packet = 2.5;
  session.cpu_limit = 2;
  tick.profile.wall_start_ns = 1'700'000'000'000'000'000;
  tick.profile.duration_ns = 1'000'000'000;

  FunctionCost counted;
  counted.symbol = {"net_rx_action", kVmlinux, SymbolKind::kernel};
  counted.calls = 40;
  counted.method = Method::tracepoint;
  counted.cells = {{Path::rx, 0, estimate(1e8, 10), estimate(3e8, 30)},
                   {Path::other, 0, estimate(1e7, 1), estimate(2e7, 2)},
                   {Path::own, 0, estimate(5e6, 1), estimate(5e6, 1)},
                   {Path::rx, 1, estimate(1000, 4), estimate(5000, 20)}};
  FunctionCost inside = sampled_function("memcpy", Path::rx, 0, estimate(4e7, 4), estimate(4e7, 4));
  inside.cells.push_back({Path::other, 0, estimate(9e8, 90), estimate(9e8, 90)});
  FunctionCost outside = sampled_function("vfs_read", Path::other, 0, estimate(7e7, 7), estimate(7e7, 7));
  FunctionCost own = sampled_function(kOwnCostName, Path::rx, 0, estimate(1e6, 1), estimate(1e6, 1));
  own.symbol = {kOwnCostName, "", SymbolKind::own};
  tick.costs.functions = {counted, inside, outside, own};

  tick.costs.paths = {{Path::rx, 100, 150, {estimate(5e8, 50), estimate(8000, 32)}},
                      {Path::other, {}, {}, {estimate(1e9, 100), estimate(0, 0)}},
                      {Path::own, {}, {}, {estimate(2e6, 2), estimate(0, 0)}}};
  tick.costs.events = {{0, 2e9, 152, 3e7, 1.0, 0.0}, {1, 9000, 36, 0, 0.5, 80.0}};
  std::vector<Estimate> by_path(kPathCount);
  by_path[static_cast<size_t>(Path::rx)] = estimate(5e8, 50);
  tick.costs.cpus = {{0, 0, 1e9, 76, by_path}, {0, 1, 9000, 36, {}}, {1, 1, 0, 0, {}}};
  // CPU 1 never had a counter for cycles.
  tick.profile.counts = {
      {0, 0, 1'000'000'000, 100, 100, 0.0}, {1, 0, 9000, 100, 50, 80.0}, {1, 1, 0, 100, 0, {}}};

  tick.profile.packets = {{Path::rx, 0, 60, 90}, {Path::rx, 1, 40, 60}};
  tick.profile.napi = {{{1, 2}, "eth0", 0, 8, 100, 1}, {{9, 2}, "eth0", 0, 2, 5, 0}};
  tick.profile.softirqs = {{3, 0, 7, 250'000'000}};
  tick.profile.drops = {{"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv4", "eth0", 1, 3},
                        {"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv4", "eth0", 9, 4}};
  // Noise: a message of AF_UNIX, and two rows of sent packets.
  tick.profile.drops.push_back({"NOT_SPECIFIED", "core", "unix_stream_connect", kVmlinux, "none", "", 1, 11});
  for (const char* device : {"eth0", "eth1"})
    tick.profile.drops.push_back(
        {"NOT_SPECIFIED", "core", "napi_consume", "virtio_net", "ipv4", device, 1, 10, "dev_kfree_skb_any"});
  tick.profile.queues = {{{1, 2}, "eth0", 0, 30}, {{9, 2}, "eth0", 0, 3}, {{1, 2}, "eth0", -1, 2}};
  tick.profile.losses = {{LossKind::ring_full, "cycles", 2},
                         {LossKind::missed_run, "kfree_skb", 1},
                         {LossKind::drop_table, "kfree_skb", 5}};
  return tick;
}

}  // namespace nettoll::exporter
