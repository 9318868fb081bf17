// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_data_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "collect/perf_attr.h"
#include "fakes/fake_root.h"
#include "ingest/byte_source.h"
#include "ingest/perf_data.h"
#include "unit/collect/record_builder.h"
#include "unit/ingest/test_names.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr uint64_t kText = 0xffffffff81000000;
constexpr auto kKernelMark = static_cast<uint64_t>(PERF_CONTEXT_KERNEL);

PerfDataEvent event(const std::string& name, uint64_t config) {
  EventSpec spec;
  spec.name = name;
  return {name, make_attr(spec, {"", PERF_TYPE_SOFTWARE, config, 0, 0, {}}, {{99, 0}, 127, 0}, {})};
}

PerfDataHost host() {
  PerfDataHost host;
  host.host = "box";
  host.release = "6.1.0";
  host.arch = "x86_64";
  host.version = "nettoll 1";
  host.command = {"nettoll", "record"};
  host.cpu_limit = 4;
  host.cpus_online = 2;
  host.wall_ns = 5000;
  host.monotonic_ns = 1000;
  host.kernel = {"_text", kText, 0x1000000};
  host.kernel_build_id = "00112233445566778899aabbccddeeff00112233";
  host.modules = {{"veth", 0xffffffffc0100000, 0xa000}};
  host.bpf = {{"bpf_prog_a", 0xffffffffc0200000, 0x100}};
  return host;
}

class PerfDataFileTest : public testing::Test {
 protected:
  PerfDataFileTest() { root_.write("/proc/10/task/11/comm", "sender\n"); }

  std::string path() const { return root_.path() + "/perf.data"; }
  PerfDataFile create() const {
    auto file = PerfDataFile::create(path(), KernelFs(root_.path()));
    EXPECT_TRUE(file);
    return std::move(*file);
  }
  PerfDataCapture read(const IngestOptions& options = {}) {
    auto source = open_capture(path());
    EXPECT_TRUE(source);
    auto capture = read_perf_data(**source, options, names_);
    EXPECT_TRUE(capture) << capture.error().text();
    return std::move(*capture);
  }

  FakeRoot root_;
  TestNames names_;
};

TEST_F(PerfDataFileTest, ReadsBackAsItWas) {
  PerfDataFile file = create();
  file.begin({event("cpu-clock", PERF_COUNT_SW_CPU_CLOCK), event("faults", PERF_COUNT_SW_PAGE_FAULTS)},
             host());
  // The ids in the rings are the kernel's; two openings of one event have two.
  file.on_record(0, 3, sample(901, kText + 16, {kKernelMark, kText + 16, kText + 33}));
  file.on_record(0, 3, sample(902, kText + 16, {kKernelMark, kText + 16, kText + 33}));
  file.on_round();
  file.on_record(
      1, 3, sample(77, 0xffffffffc0100010, {kKernelMark, 0xffffffffc0100010}, PERF_RECORD_MISC_KERNEL, 9));
  file.on_record(1, 3, sample(77, 0xffffffffc0200010, {}, PERF_RECORD_MISC_KERNEL, 1));
  file.on_record(1, 3, record(PERF_RECORD_LOST, 0, with_sample_id({77, 6}, 77)));
  file.on_record(0, 3, record(PERF_RECORD_THROTTLE, 0, with_sample_id({700, 902, 902}, 902)));
  file.on_round();
  ASSERT_TRUE(file.finish());
  EXPECT_EQ(file.samples(), 4u);

  const PerfDataCapture capture = read();
  EXPECT_THAT(rows_of(capture.profile),
              ElementsAre("cpu-clock 3 2 10 kffffffff81000010;kffffffff81000020",
                          "faults 3 1 9 kffffffffc0100010", "faults 3 1 1 bpf_prog_a"));
  EXPECT_EQ(capture.profile.symbols[capture.profile.stacks[1][0]].module, "veth");
  // The id in a loss is that of the event which wrote next, so readers do not tell whose samples these were.
  EXPECT_THAT(capture.lost, UnorderedElementsAre(std::pair(std::optional<uint32_t>(), 6u)));
  EXPECT_THAT(capture.throttled, UnorderedElementsAre(std::pair(std::optional<uint32_t>(0), 1u)));
  EXPECT_EQ(capture.no_event, 0u);
  EXPECT_EQ(capture.records[perf::kComm], 1u);
  EXPECT_EQ(capture.records[perf::kFinishedRound], 2u);
  EXPECT_TRUE(capture.profile.session.notes.empty());

  EXPECT_EQ(names_.told.host, "box");
  EXPECT_EQ(names_.told.release, "6.1.0");
  EXPECT_EQ(names_.told.arch, "x86_64");
  EXPECT_EQ(names_.told.perf_version, "nettoll 1");
  EXPECT_EQ(names_.told.command, "nettoll record");
  EXPECT_EQ(names_.told.cpus_available, 4u);
  EXPECT_EQ(names_.told.cpus_online, 2u);
  EXPECT_EQ(names_.told.kernel_build_id, "00112233445566778899aabbccddeeff00112233");
  ASSERT_TRUE(names_.told.reference);
  EXPECT_EQ(names_.told.reference->name, "_text");
  EXPECT_EQ(names_.told.reference->address, kText);
  // 777, the samples' time, is 223 ns before the moment that both clocks are known of.
  EXPECT_EQ(capture.profile.wall_start_ns, 4777u);
}

TEST_F(PerfDataFileTest, AThreadHasTheNameOfItsTime) {
  constexpr size_t kTime = 4;  // the word of the time, in samples and behind a name of eight bytes
  Words renamed = record(PERF_RECORD_COMM, 0, with_sample_id({pair(10, 11), 'x'}, 901));
  renamed[kTime] = 800;
  Words later = sample(901, kText, {});
  later[kTime] = 801;
  PerfDataFile file = create();
  file.begin({event("cpu-clock", PERF_COUNT_SW_CPU_CLOCK)}, host());
  file.on_record(0, 3, sample(901, kText, {}));
  file.on_record(0, 3, renamed);
  file.on_record(0, 3, later);
  ASSERT_TRUE(file.finish());
  IngestOptions options;
  options.sum_comms = true;
  EXPECT_THAT(read(options).profile.foreign->comms,
              UnorderedElementsAre(CommSamples{"sender", 0, 1, 5}, CommSamples{"x", 0, 1, 5}));
}

TEST_F(PerfDataFileTest, WithoutSamplesItIsSound) {
  PerfDataFile file = create();
  file.begin({event("cpu-clock", PERF_COUNT_SW_CPU_CLOCK)}, host());
  ASSERT_TRUE(file.finish());
  EXPECT_TRUE(read().profile.samples.empty());
}

TEST_F(PerfDataFileTest, AppearsAtTheEndAlone) {
  {
    PerfDataFile file = create();
    file.begin({event("cpu-clock", PERF_COUNT_SW_CPU_CLOCK)}, host());
    file.on_record(0, 0, sample(1, kText, {}));
  }
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(PerfDataFileTest, AFileThatMayNotGrowIsToldAtTheEnd) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{64 << 10, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  PerfDataFile file = create();
  file.begin({event("cpu-clock", PERF_COUNT_SW_CPU_CLOCK)}, host());
  for (int i = 0; i < 10'000; ++i) file.on_record(0, 0, sample(1, kText, {kKernelMark, kText}));
  const auto done = file.finish();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, EFBIG);
  EXPECT_NE(done.error().remedy, "");
  EXPECT_FALSE(std::filesystem::exists(path()));
}

}  // namespace
}  // namespace nettoll
