// SPDX-License-Identifier: Apache-2.0
// How long one live tick of a large host takes to join: 256 CPUs, 500 functions, 5 events, 126,000 sample
// rows (99 Hz for a second on each CPU and event) on 50,000 stacks of 25 frames. Run it from the release
// preset. CPU time, so that
// other work on the machine does not count; the smallest is the one to compare.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string_view>
#include <vector>

#include "correlate/correlate.h"
#include "model/profile.h"

namespace nettoll {
namespace {

constexpr uint32_t kCpus = 256;
constexpr uint32_t kFunctions = 500;
constexpr uint32_t kEvents = 5;
constexpr uint32_t kRows = 126'000;
constexpr uint32_t kStacks = 50'000;
constexpr uint32_t kFrames = 25;

/// Every stack ends in one of the entry points, as kernel stacks do.
constexpr std::string_view kEntries[] = {"net_rx_action", "__dev_queue_xmit", "udp_sendmsg",
                                         "tcp_recvmsg",   "tcp_write_timer",  "do_idle"};

Profile synthetic_profile() {
  std::mt19937 random(1);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  Profile profile;
  profile.session.cpu_limit = profile.session.cpus_online = kCpus;
  profile.duration_ns = 1'000'000'000;
  for (const char* name : {"cycles", "instructions", "cache-misses", "branch-misses", "cpu-clock"}) {
    profile.session.events.emplace_back();
    profile.session.events.back().name = name;
  }
  for (uint32_t i = 0; i < kFunctions; ++i) {
    const std::string name =
        i < std::size(kEntries) ? std::string(kEntries[i]) : fmt::format("function_{}", i);
    profile.symbols.push_back({name, i % 7 ? kVmlinux : "nf_tables"});
    CountedFunction function;
    function.name = name;
    function.module = profile.symbols.back().module;
    function.method = Method::fentry;
    function.state = CountState::counted;
    function.denominator = true;
    profile.session.functions.push_back(function);
    profile.calls.push_back({i, std::vector<uint64_t>(kCpus, 1000), 0});
  }
  std::vector<uint32_t> stack(kFrames);
  for (uint32_t i = 0; i < kStacks; ++i) {
    for (auto& frame : stack) frame = below(kFunctions - 6) + 6;
    stack[kFrames - 2] = below(std::size(kEntries));
    profile.stacks.add(stack);
  }
  for (uint32_t i = 0; i < kRows; ++i) {
    const uint32_t event = i % kEvents;
    const uint32_t cpu = i / kEvents % kCpus;
    profile.samples.push_back({event, cpu, below(kStacks), 1, 1'000'000 + below(1000)});
  }
  for (uint32_t event = 0; event < kEvents; ++event) {
    for (uint32_t cpu = 0; cpu < kCpus; ++cpu) {
      profile.counts.push_back({event, cpu, 100'000'000, 1'000'000'000, 800'000'000, 1e6});
      if (event == 0) profile.packets.push_back({Path::rx, cpu, 100'000, 100'000});
    }
  }
  return profile;
}

void run(int rounds) {
  const Profile profile = synthetic_profile();
  std::vector<double> times_ms;
  Carry carry;
  for (int i = 0; i < rounds; ++i) {
    const std::clock_t start = std::clock();
    const CostTable table = correlate(profile, &carry);
    times_ms.push_back(1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    if (table.functions.size() != kFunctions) std::abort();
  }
  std::sort(times_ms.begin(), times_ms.end());
  fmt::print("correlate: {} rows, {} stacks of {} frames, {} CPUs, {} events, {} functions\n", kRows, kStacks,
             kFrames, kCpus, kEvents, kFunctions);
  fmt::print("CPU time: min {:.2f} ms, median {:.2f} ms, max {:.2f} ms of {} rounds\n", times_ms.front(),
             times_ms[times_ms.size() / 2], times_ms.back(), rounds);
}

}  // namespace
}  // namespace nettoll

int main() {
  nettoll::run(15);
  return 0;
}
