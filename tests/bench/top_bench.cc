// SPDX-License-Identifier: Apache-2.0
// How long the screen of `nettoll top` takes to make on a simulated host of 256 CPUs with 500 functions, 200
// kinds of drops and 50 findings: a frame of each pane, an answer to a key, and what a refresh adds to it.
// Prints the best and the median of a few rounds; not a test.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include "fakes/top_data.h"
#include "model/profile_sum.h"
#include "tui/screen.h"

namespace nettoll::tui {
namespace {

constexpr int kRounds = 25;

/// CPU time of this process, which a busy host changes less than it changes the clock on the wall.
double cpu_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void measure(const char* what, const std::function<void()>& work) {
  std::vector<double> ms;
  for (int round = 0; round < kRounds; ++round) {
    const double start = cpu_ms();
    work();
    ms.push_back(cpu_ms() - start);
  }
  std::sort(ms.begin(), ms.end());
  fmt::print("{:<36} best {:7.3f} ms   median {:7.3f} ms of CPU time\n", what, ms.front(), ms[ms.size() / 2]);
}

void run() {
  const TopData data = random_refresh(1, {});
  const char* names[kPaneCount] = {"functions", "paths", "CPUs", "drops", "findings"};
  for (const Size size : {Size{24, 80}, Size{100, 300}}) {
    for (size_t pane = 0; pane < kPaneCount; ++pane) {
      TopState state;
      state.pane = static_cast<Pane>(pane);
      measure(fmt::format("frame of {} at {}x{}", names[pane], size.columns, size.rows).c_str(),
              [&] { (void)render(state, &data, size); });
    }
  }
  TopState state;
  measure("key", [&] { state = apply(state, {Key::Kind::down}, shown(state, &data, {24, 80})); });
  measure("join of a refresh", [&] { (void)correlate(data.profile); });
  ProfileSum sum;
  measure("window kept to be judged", [&] { sum.add(data.profile); });
}

}  // namespace
}  // namespace nettoll::tui

int main() {
  nettoll::tui::run();
  return EXIT_SUCCESS;
}
