// SPDX-License-Identifier: Apache-2.0
#include "ingest/perf_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/ingest.h"
#include "unit/ingest/test_names.h"

namespace nettoll {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result<Profile> try_read(std::string_view text, const IngestOptions& options = {}) {
  const auto source = bytes_of({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  return read_perf_script(*source, options);
}

Profile read(std::string_view text, const IngestOptions& options = {}) {
  auto profile = try_read(text, options);
  EXPECT_TRUE(profile.has_value()) << (profile ? "" : profile.error().text());
  return profile ? std::move(*profile) : Profile{};
}

TEST(PerfScript, FramesInLinesOfTheirOwn) {
  const Profile profile = read(
      "a 1 [000] 1.000000: 10 cycles:\n"
      "\tffffffff81000010 ip_rcv+0x10 ([kernel.kallsyms])\n"
      "\tffffffffc0000010 nf_hook+0x1 (/lib/modules/6.1/kernel/net/nf-x.ko.xz)\n"
      "\t            1234 main (/bin/a)\n"
      "\n"
      "a 1 [001] 2.000000: 20 cycles:\n"
      "\tffffffff81000099 ip_rcv+0x99 ([kernel.kallsyms])\n"
      "\tffffffffc0000010 nf_hook+0x1 (/lib/modules/6.1/kernel/net/nf-x.ko.xz)\n"
      "\t            1234 main (/bin/a)\n"
      "\n");
  EXPECT_THAT(rows_of(profile),
              ElementsAre("cycles 0 1 10 ip_rcv;nf_hook;main", "cycles 1 1 20 ip_rcv;nf_hook;main"));
  EXPECT_EQ(profile.stacks.size(), 1u);
  EXPECT_EQ(profile.symbols[0], (Symbol{"ip_rcv", kVmlinux, SymbolKind::kernel}));
  EXPECT_EQ(profile.symbols[1], (Symbol{"nf_hook", "nf_x", SymbolKind::kernel}));
  EXPECT_EQ(profile.symbols[2], (Symbol{"main", "/bin/a", SymbolKind::user}));
  EXPECT_EQ(profile.duration_ns, 1'000'000'000u);
  EXPECT_THAT(profile.session.notes, IsEmpty());
}

TEST(PerfScript, TellsWhereItEndsInsideASample) {
  const std::string whole =
      "a 1 [000] 1.000000: 10 cycles:\n"
      "\tffffffff81000010 ip_rcv+0x10 ([kernel.kallsyms])\n"
      "\t            1234 main (/bin/a)\n"
      "\n"
      "b 1 [001] 2.000000: 20 cycles:\n"
      "\tffffffff81000099 ip_rcv+0x99 ([kernel.kallsyms])\n"
      "\t            1234 main (/bin/a)\n"
      "\n";
  EXPECT_THAT(read(whole).session.notes, IsEmpty());
  EXPECT_EQ(read(whole).foreign->ending, Ending::whole);
  const size_t second = whole.find("b 1");
  const size_t frames = whole.find('\n', second) + 1;
  for (size_t size = second; size < whole.size(); ++size) {
    for (const std::optional<std::string>& comm : {std::optional<std::string>(), {"a"}}) {
      // A head without frames is whole where it is not known that its event has any.
      const bool between = size == second || (size == frames && comm);
      const Profile cut = read(std::string_view(whole).substr(0, size), {comm, {}, {}});
      EXPECT_EQ(cut.foreign->ending, between ? Ending::whole : Ending::cut) << size;
      EXPECT_EQ(cut.session.notes.empty(), between) << size;
    }
  }
  const Profile cut = read(std::string_view(whole).substr(0, whole.size() - 1));
  EXPECT_THAT(cut.session.notes,
              ElementsAre("the text ends inside a sample: what stood behind it is not in these numbers"));
}

TEST(PerfScript, SkipsTheFramesOfSamplesThatAreNotWanted) {
  const Profile profile = read(
      "a 1 [000] 1.000000: 10 cycles:\n"
      "\tffffffff81000010 ip_rcv+0x10 ([kernel.kallsyms])\n"
      "\n"
      "b 1 [000] 2.000000: 10 cycles:\n"
      "        ffffffff81000010 ip_rcv+0x10 ([kernel.kallsyms])\n"
      "\n",
      {"b", {}, {}});
  EXPECT_THAT(rows_of(profile), ElementsAre("cycles 0 1 10 ip_rcv"));
  EXPECT_THAT(profile.session.notes, IsEmpty());
}

TEST(PerfScript, AStackHasNoMoreFramesThanAnyThatAKernelWrites) {
  std::string text = "a 1 [000] 1.0: 5 cycles:\n";
  for (int i = 0; i < 9000; ++i) text += "\t10 f\n";
  text += "\n";
  const Profile profile = read(text);
  ASSERT_EQ(profile.samples.size(), 1u);
  EXPECT_EQ(profile.samples[0].period, 5u);
  EXPECT_EQ(profile.stacks[profile.samples[0].stack].size(), 8192u);
  EXPECT_THAT(profile.session.notes,
              ElementsAre("808 callers further out than frame 8192 of their sample are left out"));
}

TEST(PerfScript, OneLineASample) {
  const Profile profile = read(
      "            perf  9622 [000]    89.502343:    5     cycles:          769eaa68 [unknown] "
      "(/lib/libc.so)\n"
      "         swapper     0 [000]    89.502700:    7     cycles:  ffffffff81000010 idle "
      "([kernel.kallsyms])\n");
  EXPECT_THAT(rows_of(profile), ElementsAre("cycles 0 1 5 [unknown]", "cycles 0 1 7 idle"));
  EXPECT_THAT(profile.foreign->unnamed, ElementsAre(Unnamed{UnnamedCause::stripped, 1, 0}));
}

TEST(PerfScript, FieldsOfTracepointsAreNoFrames) {
  const Profile profile = read(
      "a 1 [000] 1.0: net:netif_rx: dev=lo len=60\n"
      "\tffffffff81000010 netif_rx ([kernel.kallsyms])\n"
      "\n"
      "a 1 [000] 1.5: net:netif_rx: dev=lo len=61\n");
  EXPECT_THAT(rows_of(profile), ElementsAre("net:netif_rx 0 1 1 netif_rx", "net:netif_rx 0 1 1 "));
  EXPECT_THAT(profile.session.notes, ElementsAre(HasSubstr("2 samples do not say their period")));
}

TEST(PerfScript, OtherRecordsAreCountedNotRead) {
  const Profile profile = read(
      "a 1 0.000000: PERF_RECORD_NAMESPACES 1/1 - nr_namespaces: 7\n"
      "\t\t[0/net: 3/0xf00000a0, 1/uts: 3/0xeffffffe]\n"
      "PERF_RECORD_FINISHED_ROUND\n"
      "a 1 1.000000: PERF_RECORD_LOST lost 9\n"
      "a 1 1.500000: 4 cycles: \n"
      "\tffffffff81000010 f ([kernel.kallsyms])\n"
      "what is this\n");
  EXPECT_THAT(rows_of(profile), ElementsAre("cycles 0 1 4 f"));
  EXPECT_THAT(profile.losses, ElementsAre(Loss{LossKind::ring_full, "all events", 9}));
  EXPECT_THAT(profile.session.notes, Contains("3 records between the samples are no samples"));
  EXPECT_THAT(profile.session.notes, Contains(HasSubstr("1 lines are neither samples nor frames")));
  EXPECT_FALSE(profile.foreign->cpus_known);
}

TEST(PerfScript, AFixedPeriodOfTheHeaderIsTheWeight) {
  const Profile profile = read(
      "# event : name = cycles, { sample_period, sample_freq } = 500, sample_type = IP\n"
      "a 1 [000] 1.0: cycles: \n\tffffffff81000010 f ([kernel.kallsyms])\n");
  EXPECT_THAT(rows_of(profile), ElementsAre("cycles 0 1 500 f"));
}

TEST(PerfScript, FiltersLeaveSamplesOut) {
  const std::string_view text =
      "a b 1 [000] 1.0: 5 cycles:\n\t10 f (/x)\n\nc 2 [001] 2.0: 7 cycles:\n\t10 f (/x)\n";
  IngestOptions comm;
  comm.comm = "a b";
  EXPECT_THAT(rows_of(read(text, comm)), ElementsAre("cycles 0 1 5 f"));
  EXPECT_EQ(read(text, comm).left_out, 1u);
  IngestOptions cpu;
  cpu.cpus = {1};
  EXPECT_THAT(rows_of(read(text, cpu)), ElementsAre("cycles 1 1 7 f"));
  IngestOptions time;
  time.times = {1'500'000'000, 2'000'000'000};
  EXPECT_THAT(rows_of(read(text, time)), ElementsAre("cycles 1 1 7 f"));
}

TEST(PerfScript, NamesOfThreadsAreSummedWhereThatIsAskedFor) {
  const std::string_view text =
      "a b 1 [000] 1.0: 5 cycles:\n\t10 f (/x)\n\nc 2 [001] 2.0: 7 cycles:\n\t10 f (/x)\n"
      "\na b 1 [000] 3.0: 5 cycles:\n\t10 f (/x)\n";
  IngestOptions options;
  options.sum_comms = true;
  const Profile profile = read(text, options);
  EXPECT_THAT(profile.foreign->comms, ElementsAre(CommSamples{"a b", 0, 2, 10}, CommSamples{"c", 0, 1, 7}));
  EXPECT_EQ(profile.foreign->first_ns, 1'000'000'000u);
  EXPECT_TRUE(read(text, {}).foreign->comms.empty());
}

TEST(PerfScript, RefusesWhatItCannotRead) {
  EXPECT_THAT(try_read("just some text\nof another kind\n").error().text(), HasSubstr("without any sample"));
  EXPECT_THAT(try_read(". ... raw event: size 88 bytes\n").error().text(), HasSubstr("perf script -D"));
  EXPECT_THAT(try_read("cc1plus cpu-clock: \n\t16e0a3 memset (/lib/libc.so)\n\n").error().text(),
              HasSubstr("does not say the threads of its samples"));
}

TEST(PerfScript, APeriodWithoutAThreadIsThePeriod) {
  const Profile profile = read("cc1plus    2004008 cpu-clock: \n\t16e0a3 memset\n\n");
  EXPECT_THAT(rows_of(profile), ElementsAre("cpu-clock 0 1 2004008 memset"));
  EXPECT_EQ(profile.session.events[0].unit, EventUnit::nanoseconds);
}

TEST(PerfScript, KnowsWhichEventsHaveCallChains) {
  const Profile profile = read(
      "a 1 1.0: 1 cycles:\n\t10 f\n\t20 main\n\n"
      "a 1 1.1: 1 cycles:\n\t10 f\n\n"
      "a 1 1.2: 1 faults:\n\t10 f\n\n");
  EXPECT_TRUE(profile.session.events[0].chains);
  EXPECT_FALSE(profile.session.events[1].chains);
}

TEST(Ingest, TellsKindsByContent) {
  const auto kind = [](std::string_view text) {
    const auto source = bytes_of({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
    return kind_of(*source);
  };
  EXPECT_EQ(*kind("NETTOLL 1 20\n"), CaptureKind::recording);
  EXPECT_EQ(*kind("NETT"), CaptureKind::recording);
  EXPECT_EQ(*kind("PERFILE2\x68"), CaptureKind::perf_data);
  EXPECT_EQ(*kind("2ELIFREP\x68"), CaptureKind::perf_data);
  EXPECT_EQ(*kind("PERFFILE\x68"), CaptureKind::perf_data);
  EXPECT_EQ(*kind("# ========\n"), CaptureKind::perf_script);
  EXPECT_THAT(kind(std::string_view("\x7f"
                                    "ELF\0\0",
                                    6))
                  .error()
                  .text(),
              HasSubstr("is no capture"));
  EXPECT_THAT(kind("").error().text(), HasSubstr("is empty"));
}

}  // namespace
}  // namespace nettoll
