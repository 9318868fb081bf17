// SPDX-License-Identifier: Apache-2.0
// A profile in which every field holds something else than its default.
#pragma once

#include <array>

#include "model/profile.h"

namespace nettoll {

inline Session full_session() {
  Session s;
  s.host = "host-1";
  s.kernel = "6.12.9-amd64";
  s.arch = "x86_64";
  s.version = "0.1.0";
  s.set = "wide";
  s.events = {
      {.name = "cycles", .kernel_only = false, .frequency = 99, .chains = false},
      {.name = "cpu-clock", .unit = EventUnit::nanoseconds, .timer = true, .period = 10'101'010},
  };
  s.missing_events = {{"cache-misses", "this host has no PMU"}, {"r01c4", ""}};
  s.functions = {
      {"ip_rcv", "vmlinux", Method::fentry, CountState::counted, "", "", true, 1},
      {"tcp_rcv_established", "vmlinux", Method::tracepoint, CountState::proxied, "tcp:tcp_probe",
       "only \"fast\"", false, 0.3},
      {"veth_xmit", "veth", Method::kprobe_multi, CountState::counted, "", "", true, 1},
      {"nf_hook_slow", "vmlinux", Method::kprobe, CountState::counted, "", "", true, 2},
      {"skb_put", "vmlinux", Method::samples, CountState::sampled, "", "notrace", false, 0},
      {"ip_gone", "", Method::samples, CountState::absent, "", "inlined", false, 0},
  };
  s.cpu_limit = 6;
  s.cpus_online = 3;
  s.hooks_per_packet = 4.3;
  s.drop_reasons = false;
  s.notes = {"no PMU", "no BTF: \xc3\xa4"};
  return s;
}

inline Profile full_profile() {
  Profile p;
  p.session = full_session();
  p.wall_start_ns = 1'700'000'000'123'456'789;
  p.duration_ns = 10'000'000'001;
  p.symbols = {
      {"ip_rcv", kVmlinux, SymbolKind::kernel},
      {"veth_xmit", "veth", SymbolKind::kernel},
      {"bpf_prog_1", "bpf", SymbolKind::bpf},
      {kOwnCostName, "", SymbolKind::own},
      {kUserName, "", SymbolKind::user},
      {kUnknownName, "", SymbolKind::unknown},
      {std::string(300, 'n'), "veth", SymbolKind::kernel},
  };
  p.stacks.add(std::array<uint32_t, 3>{0, 1, 6});
  p.stacks.add(std::array<uint32_t, 1>{4});
  p.stacks.add(std::span<const uint32_t>{});
  p.stacks.add(std::array<uint32_t, 4>{2, 3, 5, 5});
  p.samples = {{0, 5, 0, 7, 70'000}, {1, 0, 3, 1, UINT64_MAX}, {1, 2, 1, UINT32_MAX, 1}};
  p.counts = {{0, 5, 123'456'789'012, 10'000'000'000, 2'500'000'000, 1.5e9}, {1, 0, 1, 2, 3, std::nullopt}};
  p.calls = {{0, {1, 0, UINT64_MAX, 0, 0, 4}, 2}, {5, {}, 0}, {2, {0, 9}, 0}};
  for (const Path path : kAllPaths) p.packets.push_back({path, 1, 1000 + static_cast<uint64_t>(path), 3000});
  p.napi = {{{4'026'531'840, 2}, "eth0", 3, 100, 6400, 99}, {{0, 0}, "backlog", 0, 1, 1, 0}};
  p.queues = {{{4'026'531'840, 2}, "eth0", 7, 123}, {{0, 1}, "lo", -1, 5}};
  p.softirqs = {{3, 5, 10, 20'000}, {77, 0, 1, 2}};
  p.drops = {
      {"NO_SOCKET", "core", "udp_rcv", "vmlinux", "ipv4", "eth0", 4'026'531'840, 17, "kfree_skb_list", true},
      {"unknown_131073", "mac80211", "0xffffffff81000000", "", "0x88cc", "", 0, 1}};
  p.exact = {{"net_rx_action",
              kVmlinux,
              Method::tracepoint,
              kExactTime,
              EventUnit::nanoseconds,
              10,
              1000,
              97,
              5123.25,
              12.5,
              4992,
              8064,
              70656,
              false,
              0,
              0.5,
              3,
              false,
              {1, 2, 3, 4, 0}},
             {"ip_rcv",
              "net",
              Method::fentry,
              "cycles",
              EventUnit::count,
              1,
              UINT64_MAX,
              1,
              0.5,
              0,
              7,
              8,
              9,
              true,
              321,
              1234.5,
              0,
              true,
              {0, 0, 0, 0, 5}}};
  p.build_ids = {{"net", "00ff"}, {kVmlinux, "6b7f2c"}};
  p.netns_names = {{4026532176, "blue"}, {4026531840, "systemd[1]"}};
  for (int kind = 0; kind <= static_cast<int>(LossKind::unmatched_sample); ++kind)
    p.losses.push_back({static_cast<LossKind>(kind), "cycles", 5u + static_cast<uint64_t>(kind)});
  return p;
}

}  // namespace nettoll
