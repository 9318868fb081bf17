// SPDX-License-Identifier: Apache-2.0
// How long one tick (the addition) and one scrape (render and compress) take on a simulated host of 256 CPUs
// with 500 functions and 5 events. Prints the best and the median of a few rounds; not a test.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "exporters/prometheus/snapshot.h"

namespace nettoll::exporter {
namespace {

constexpr uint32_t kCpus = 256;
constexpr uint32_t kFunctions = 500;
constexpr uint32_t kEvents = 5;
constexpr int kRounds = 15;

/// Differs by round, so that values have all their digits.
Profile profile(uint64_t round) {
  Profile p;
  p.session.version = "0.1.0";
  const char* names[kEvents] = {"cpu-clock", "cycles", "instructions", "cache-misses", "branch-misses"};
  for (uint32_t e = 0; e < kEvents; ++e) {
    p.session.events.push_back(
        {.name = names[e], .unit = e == 0 ? EventUnit::nanoseconds : EventUnit::count});
  }
  p.duration_ns = 1'000'000'000;
  for (uint32_t cpu = 0; cpu < kCpus; ++cpu) {
    for (uint32_t e = 0; e < kEvents; ++e)
      p.counts.push_back({e, cpu, 1'000'000 + round, 1'000'000, 999'999, 10.0});
    for (const Path path : {Path::rx, Path::tx}) p.packets.push_back({path, cpu, 1000 + round, 2000});
    for (uint32_t vector = 0; vector < 4; ++vector) p.softirqs.push_back({vector, cpu, 10, 12345 + round});
    p.napi.push_back({{1, 2}, "eth0", cpu, 10, 100 + round, 1});
  }
  return p;
}

CostTable costs(uint64_t round) {
  CostTable table;
  const double r = static_cast<double>(round) + 0.123456789;
  for (uint32_t f = 0; f < kFunctions; ++f) {
    FunctionCost function;
    function.symbol = {fmt::format("some_network_function_{}", f), kVmlinux, SymbolKind::kernel};
    function.calls = 1000 + round;
    function.method = Method::fentry;
    for (uint32_t e = 0; e < kEvents; ++e) {
      for (const Path path : {Path::rx, Path::tx, Path::send}) {
        function.cells.push_back({path, e, {12345.678 * r, 10}, {123456.789 * r, 100}});
      }
    }
    table.functions.push_back(std::move(function));
  }
  const std::vector<Estimate> all_events(kEvents, Estimate{987654.321 * r, 50});
  for (const Path path : kAllPaths) table.paths.push_back({path, 1000, 2000, all_events});
  for (uint32_t e = 0; e < kEvents; ++e) table.events.push_back({e, 1e9 * r, 10'000, 0, 0.99});
  const std::vector<Estimate> all_paths(kPathCount, Estimate{54321.987 * r, 20});
  for (uint32_t cpu = 0; cpu < kCpus; ++cpu) {
    for (uint32_t e = 0; e < kEvents; ++e) table.cpus.push_back({cpu, e, 1e6 * r, 40, all_paths});
  }
  return table;
}

/// CPU time of this process, which a busy host changes less than it changes the clock on the wall.
double cpu_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void report(const char* what, std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  fmt::print("{:<28} best {:7.2f} ms   median {:7.2f} ms of CPU time\n", what, ms.front(), ms[ms.size() / 2]);
}

void run() {
  const auto since = [](double start) { return cpu_ms() - start; };
  Exposition exposition({.version = "0.1.0", .interval = std::chrono::seconds(1)});
  std::vector<double> tick_ms;
  std::vector<double> scrape_ms;
  std::vector<double> cached_ms;
  std::shared_ptr<const Snapshot> last;
  for (int round = 0; round < kRounds; ++round) {
    const Profile p = profile(static_cast<uint64_t>(round));
    const CostTable c = costs(static_cast<uint64_t>(round));
    last.reset();
    auto start = cpu_ms();
    exposition.tick(p, c);
    tick_ms.push_back(since(start));
    start = cpu_ms();
    last = exposition.scrape();
    scrape_ms.push_back(since(start));
    start = cpu_ms();
    last = exposition.scrape();
    cached_ms.push_back(since(start));
  }
  report("tick: add", tick_ms);
  report("first scrape of a tick", scrape_ms);
  report("further scrapes", cached_ms);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("{} series, {} KB of text, {} KB compressed, peak resident {} MB\n",
             std::count(last->text.begin(), last->text.end(), '\n'), last->text.size() / 1024,
             last->gzip.size() / 1024, usage.ru_maxrss / 1024);
}

}  // namespace
}  // namespace nettoll::exporter

int main() {
  nettoll::exporter::run();
  return EXIT_SUCCESS;
}
