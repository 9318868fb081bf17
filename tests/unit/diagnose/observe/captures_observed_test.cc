// SPDX-License-Identifier: Apache-2.0
// Captures of real hosts, where they are at hand: what an engineer sees in them, and nothing that is not
// there.
#include <gmock/gmock.h>

#include <filesystem>

#include "ingest/ingest.h"
#include "unit/diagnose/observe/observed.h"
#include "unit/ingest/test_names.h"

namespace nettoll {
namespace {

using ::testing::UnorderedElementsAreArray;

std::filesystem::path folder(const char* name) {
  return std::filesystem::path(NETTOLL_SOURCE_DIR) / "../shared/captures" / name;
}

std::optional<Diagnosis> observed(const std::filesystem::path& path) {
  auto source = open_capture(path);
  if (!source) return std::nullopt;
  const auto kind = kind_of(**source);
  if (!kind || *kind == CaptureKind::recording) return std::nullopt;
  TestNames names;
  const auto profile = read_foreign(**source, *kind, {}, names);
  if (!profile) return std::nullopt;
  return observe(*profile);
}

struct Known {
  const char* file;
  std::vector<std::string> ids;
};

TEST(CapturesObserved, Texts) {
  if (!std::filesystem::exists(folder("perf-script"))) GTEST_SKIP() << "no " << folder("perf-script");
  for (const auto& [file, expected] : {
           Known{"guest-6.18-cpu-clock-g.txt", {"samples_thin"}},
           // Hits of tracepoints are no time: that many are at kfree_skb says nothing of its cost.
           Known{"guest-6.18-kfree_skb-napi-netif-tracepoints-g.txt", {}},
           Known{"flamegraph-example-perf-stacks.txt", {"samples_thin"}},
           // On Xen interrupts are enabled by a hypercall, where a third of the clock's samples stand. 22% in
           // copies to and from programs are an error bar too little above the limit.
           Known{"flamegraph-perf-iperf-stacks-pidtid-01.txt", {"samples_thin", "timer_blind"}},
           Known{"speedscope-forks.linux-perf.txt", {"chains_garbled"}},
           Known{"perf6.1-throttle-3.8.txt", {"chains_missing", "samples_thin"}},
           Known{"flamegraph-perf-java-faults-01.txt", {}},
       }) {
    const auto diagnosis = observed(folder("perf-script") / file);
    ASSERT_TRUE(diagnosis) << file;
    EXPECT_THAT(ids(*diagnosis), UnorderedElementsAreArray(expected)) << file;
  }
}

TEST(CapturesObserved, PerfData) {
  if (!std::filesystem::exists(folder("perf-data"))) GTEST_SKIP() << "no " << folder("perf-data");
  for (const auto& [file, expected] : {
           Known{"pdc-with-callchain.perf.data", {}},
           Known{"pdc-single-event-single-process.perf.data", {"chains_missing"}},
           Known{"quipper-perf.data.callgraph-3.8", {}},
           Known{"quipper-perf.data.callgraph_and_branch-3.4", {"samples_thin"}},
           Known{"quipper-perf.data.throttle-3.8", {"chains_missing", "samples_lost"}},
           Known{"quipper-perf.data.lost_samples-4.4", {"chains_missing", "samples_lost", "samples_thin"}},
       }) {
    const auto diagnosis = observed(folder("perf-data") / file);
    ASSERT_TRUE(diagnosis) << file;
    EXPECT_THAT(ids(*diagnosis), UnorderedElementsAreArray(expected)) << file;
  }
}

}  // namespace
}  // namespace nettoll
