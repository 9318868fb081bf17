// SPDX-License-Identifier: Apache-2.0
// What one reading of this host takes, as `serve` does it for each window of diagnosis: CPU time and time,
// best and median of a few rounds, with the number of devices. Not a test. For more devices: in a network
// namespace of its own with a /sys of its own, after
//   for i in $(seq 500); do echo "link add type veth"; done | ip -batch -
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/cpu_time.h"
#include "cli/host_watch.h"

namespace nettoll {
namespace {

constexpr int kRounds = 9;

void print(const char* what, std::vector<double> milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  fmt::print("{:<10} best {:8.2f} ms   median {:8.2f} ms\n", what, milliseconds.front(),
             milliseconds[milliseconds.size() / 2]);
}

int run() {
  auto host = HostReader::open(KernelFs());
  if (!host) {
    fmt::print(stderr, "{}\n", host.error().text());
    return 1;
  }
  using Milliseconds = std::chrono::duration<double, std::milli>;
  std::vector<double> cpu, wall;
  size_t devices = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto cpu_before = thread_cpu_time();
    const auto before = std::chrono::steady_clock::now();
    const auto window = host->next();
    if (!window) return 1;
    devices = window->nics.size();
    cpu.push_back(Milliseconds(thread_cpu_time() - cpu_before).count());
    wall.push_back(Milliseconds(std::chrono::steady_clock::now() - before).count());
  }
  fmt::print("{} devices\n", devices);
  print("CPU time", cpu);
  print("time", wall);
  return 0;
}

}  // namespace
}  // namespace nettoll

int main() {
  return nettoll::run();
}
