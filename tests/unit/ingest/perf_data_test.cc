// SPDX-License-Identifier: Apache-2.0
#include "ingest/perf_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "base/gzip.h"
#include "unit/ingest/perf_file.h"
#include "unit/ingest/test_names.h"

namespace nettoll {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr uint64_t kKernelAddress = 0xffffffff81000100;

PerfDataCapture read(const std::vector<uint8_t>& bytes, const IngestOptions& options = {},
                     TestNames* names = nullptr) {
  TestNames own;
  const auto source = bytes_of(bytes);
  auto capture = read_perf_data(*source, options, names ? *names : own);
  EXPECT_TRUE(capture.has_value()) << (capture ? "" : capture.error().text());
  return capture ? std::move(*capture) : PerfDataCapture{};
}

std::string error_of(const std::vector<uint8_t>& bytes) {
  TestNames names;
  const auto source = bytes_of(bytes);
  const auto capture = read_perf_data(*source, {}, names);
  return capture ? "none" : capture.error().text();
}

class BothOrders : public testing::TestWithParam<std::endian> {};
INSTANTIATE_TEST_SUITE_P(PerfData, BothOrders, testing::Values(std::endian::little, std::endian::big));

PerfFile small(std::endian order) {
  PerfFile file(order);
  file.event({}).mmap(7, 0x1000, 0x1000, 0x200, "/bin/a", 10);
  file.sample(7, 0x1010, 20).sample(7, 0x1010, 30).sample(7, kKernelAddress, 40, perf::kModeKernel, 1);
  return file;
}

TEST_P(BothOrders, FileSumsSamplesByEventCpuAndStack) {
  const PerfFile file = small(GetParam());
  TestNames names;
  const auto capture = read(file.file({{perf::kHostname, file.text_feature("box")},
                                       {perf::kOsRelease, file.text_feature("6.1.0")}}),
                            {}, &names);
  EXPECT_THAT(rows_of(capture.profile),
              ElementsAre("cpu-clock 0 2 2000 /bin/a@210", "cpu-clock 1 1 1000 kffffffff81000100"));
  EXPECT_EQ(capture.profile.session.host, "box");
  EXPECT_EQ(names.told.release, "6.1.0");
  EXPECT_EQ(capture.profile.duration_ns, 20u);
  EXPECT_EQ(capture.records[perf::kSample], 3u);
  EXPECT_EQ(capture.records[perf::kMmap], 1u);
  EXPECT_EQ(capture.profile.session.cpu_limit, 2u);
  ASSERT_TRUE(capture.profile.foreign);
  EXPECT_TRUE(capture.profile.foreign->cpus_known);
  EXPECT_THAT(capture.profile.session.notes, IsEmpty());
}

TEST_P(BothOrders, PipeIsTheSame) {
  EXPECT_THAT(rows_of(read(small(GetParam()).pipe()).profile),
              ElementsAre("cpu-clock 0 2 2000 /bin/a@210", "cpu-clock 1 1 1000 kffffffff81000100"));
}

TEST_P(BothOrders, CallChainsChangeTheirMode) {
  PerfFile file(GetParam());
  TestAttr attr;
  attr.sample_type |= perf::kCallchain | perf::kPeriod;
  file.event(attr).mmap(7, 0x1000, 0x1000, 0, "/bin/a", 10);
  Bytes body = file.body();
  body.u64(kKernelAddress).u32(7).u32(7).u64(20).u32(0).u32(0).u64(5).u64(6);
  body.u64(perf::kContextKernel).u64(kKernelAddress).u64(kKernelAddress + 0x21);
  body.u64(perf::kContextUser).u64(0x1100).u64(0x1201);
  file.record(perf::kSample, perf::kModeKernel, body);
  // Frames where the CPU was are looked up as they are, return addresses one byte earlier.
  EXPECT_THAT(rows_of(read(file.file()).profile),
              ElementsAre("cpu-clock 0 1 5 kffffffff81000100;kffffffff81000120;/bin/a@100;/bin/a@200"));
}

TEST(PerfData, AFrameThatWasInterruptedIsWhereTheCpuWas) {
  PerfFile file;
  TestAttr attr;
  attr.sample_type = perf::kIp | perf::kCallchain;
  attr.flags = 0;
  file.event(attr);
  Bytes body = file.body();
  body.u64(kKernelAddress).u64(5).u64(perf::kContextKernel).u64(kKernelAddress);
  body.u64(TestNames::kInterruptEntry + 1).u64(kKernelAddress + 0x40).u64(kKernelAddress + 0x51);
  file.record(perf::kSample, perf::kModeKernel, body);
  // The first instruction of a function was interrupted: the byte before is of another one.
  EXPECT_THAT(rows_of(read(file.file()).profile),
              ElementsAre("cpu-clock 0 1 1000 kffffffff81000100;asm_sysvec_apic_timer_interrupt;"
                          "kffffffff81000140;kffffffff81000150"));
}

TEST(PerfData, APreciseAddressComesBeforeTheChain) {
  PerfFile file;
  TestAttr attr;
  attr.sample_type = perf::kIp | perf::kCallchain;
  attr.flags = 0;
  file.event(attr);
  Bytes body = file.body();
  body.u64(kKernelAddress)
      .u64(3)
      .u64(perf::kContextKernel)
      .u64(kKernelAddress + 8)
      .u64(kKernelAddress + 0x21);
  file.record(perf::kSample, perf::kModeKernel, body);
  EXPECT_THAT(rows_of(read(file.file()).profile),
              ElementsAre("cpu-clock 0 1 1000 kffffffff81000100;kffffffff81000108;kffffffff81000120"));
}

TEST(PerfData, TimeNotTheOrderOfRecordsDecidesWhatWasMapped) {
  PerfFile file;
  file.event({});
  file.sample(7, 0x1010, 30).sample(7, 0x1010, 10);
  file.mmap(7, 0x1000, 0x1000, 0, "/bin/new", 20).mmap(7, 0x1000, 0x1000, 0, "/bin/old", 5);
  EXPECT_THAT(rows_of(read(file.file()).profile),
              ElementsAre("cpu-clock 0 1 1000 /bin/new@10", "cpu-clock 0 1 1000 /bin/old@10"));
}

TEST(PerfData, ChildrenHaveTheirParentsMappingsAndExecCoversThem) {
  PerfFile file;
  file.event({}).mmap(7, 0x1000, 0x1000, 0, "/bin/sh", 5).fork(8, 7, 10);
  file.sample(8, 0x1010, 11).comm(8, "ls", 20, true).mmap(8, 0x1000, 0x1000, 0, "/bin/ls", 21);
  file.sample(8, 0x1010, 22).sample(7, 0x1010, 23);
  EXPECT_THAT(rows_of(read(file.file()).profile),
              ElementsAre("cpu-clock 0 2 2000 /bin/sh@10", "cpu-clock 0 1 1000 /bin/ls@10"));
}

TEST(PerfData, EventsAreFoundByIdWhereverItStands) {
  for (const uint64_t id_bit : {perf::kIdentifier, perf::kId}) {
    PerfFile file;
    TestAttr cycles;
    cycles.type = perf::kHardware;
    cycles.sample_type = perf::kIp | id_bit;
    cycles.flags = 0;
    TestAttr misses = cycles;
    misses.config = 3;
    file.event(cycles, {11, 12}).event(misses, {21});
    for (const uint64_t id : {12u, 21u, 99u}) {
      Bytes body = file.body();
      if (id_bit == perf::kIdentifier) body.u64(id);
      body.u64(kKernelAddress);
      if (id_bit == perf::kId) body.u64(id);
      file.record(perf::kSample, perf::kModeKernel, body);
    }
    const auto capture = read(file.file());
    EXPECT_THAT(rows_of(capture.profile),
                ElementsAre("cycles 0 1 1000 kffffffff81000100", "cache-misses 0 1 1000 kffffffff81000100"));
    EXPECT_EQ(capture.no_event, 1u);
    EXPECT_FALSE(capture.profile.foreign->cpus_known);
    EXPECT_THAT(capture.profile.losses, ElementsAre(Loss{LossKind::unmatched_sample, "all events", 1}));
  }
}

TEST_P(BothOrders, EventsWithoutANameHaveTheirPmus) {
  PerfFile file(GetParam());
  TestAttr attr;
  attr.type = perf::kHardware;
  attr.config = uint64_t{10} << 32;
  file.event(attr).sample(7, kKernelAddress, 40, perf::kModeKernel);
  Bytes pmus(GetParam());
  pmus.u32(2);
  for (const auto& [type, name] : {std::pair{4u, "cpu_core"}, {10u, "cpu_atom"}})
    pmus.u32(type).u32(64).raw(name).raw(std::string(64 - std::string_view(name).size(), '\0'));
  const auto whole = pmus.get();
  EXPECT_EQ(read(file.file({{perf::kPmuMappings, whole}})).profile.session.events[0].name,
            "cpu_atom/cycles/");
  // A list that is cut short gives the names that are whole.
  const std::vector<uint8_t> cut(whole.begin(), whole.end() - 1);
  EXPECT_EQ(read(file.file({{perf::kPmuMappings, cut}})).profile.session.events[0].name, "pmu10/cycles/");
}

TEST_P(BothOrders, BuildIdsAreOfTheHeadAndOfMappings) {
  PerfFile file(GetParam());
  file.event({}).mmap(7, 0x1000, 0x1000, 0, "/bin/a", 10);
  // A mapping with an id of 20 bytes in the room of device and inode.
  Bytes mapping(GetParam());
  mapping.u32(7).u32(7).u64(0x4000).u64(0x1000).u64(0).u32(0).raw(std::string(20, '\xbb')).u32(0).u32(0);
  const uint8_t size = 20;
  mapping.text("/lib/b").u32(7).u32(7).u64(11).u32(0).u32(0);
  auto bytes = mapping.get();
  bytes[32] = size;
  file.record(perf::kMmap2, perf::kModeUser | perf::kMiscMmapBuildId, Bytes(GetParam()).raw(bytes));
  file.sample(7, 0x1010, 20).sample(7, 0x4010, 30).sample(7, kKernelAddress, 40, perf::kModeKernel);
  Bytes head(GetParam());
  for (const auto& [path, id] :
       {std::pair{"[kernel.kallsyms]", '\x0c'}, {"/bin/a", '\xaa'}, {"/bin/x", '\x01'}})
    head.u32(0)
        .u16(0)
        .u16(8 + 4 + 24 + 24)
        .u32(7)
        .raw(std::string(20, id))
        .u32(0)
        .raw(path)
        .raw(std::string(24 - std::string_view(path).size(), '\0'));
  const auto profile = read(file.file({{perf::kBuildId, head.get()}})).profile;
  const auto id = [](const char* byte) {
    std::string hex;
    for (int i = 0; i < 20; ++i) hex += byte;
    return hex;
  };
  EXPECT_THAT(profile.build_ids,
              ElementsAre(ModuleBuildId{"/bin/a", id("aa")}, ModuleBuildId{"/lib/b", id("bb")},
                          ModuleBuildId{kVmlinux, id("0c")}));
}

TEST(PerfData, SamplesOfAGroupCarryWhatEachEventCounted) {
  PerfFile file;
  TestAttr attr;
  attr.type = perf::kHardware;
  attr.config = 0;
  attr.sample_type = perf::kIdentifier | perf::kIp | perf::kReadValues;
  attr.read_format = perf::kReadGroup | perf::kReadId | perf::kTotalTimeEnabled;
  attr.flags = 0;
  TestAttr second = attr;
  second.config = 1;
  file.event(attr, {1}).event(second, {2});
  const auto sample = [&](uint64_t cycles, uint64_t instructions) {
    Bytes body = file.body();
    body.u64(1).u64(kKernelAddress).u64(2).u64(77).u64(cycles).u64(1).u64(instructions).u64(2);
    file.record(perf::kSample, perf::kModeKernel, body);
  };
  sample(100, 40);
  sample(250, 40);
  EXPECT_THAT(rows_of(read(file.file()).profile),
              ElementsAre("cycles 0 2 250 kffffffff81000100", "instructions 0 1 40 kffffffff81000100"));
}

TEST(PerfData, WhatAGroupCountedForALeftOutSampleIsNotTheNextOnes) {
  PerfFile file;
  TestAttr attr;
  attr.type = perf::kHardware;
  attr.config = 0;
  attr.sample_type = perf::kIdentifier | perf::kIp | perf::kTime | perf::kReadValues;
  attr.read_format = perf::kReadGroup | perf::kReadId;
  attr.flags = 0;
  file.event(attr, {1});
  const auto sample = [&](uint64_t time, uint64_t cycles) {
    Bytes body = file.body();
    body.u64(1).u64(kKernelAddress).u64(time).u64(1).u64(cycles).u64(1);
    file.record(perf::kSample, perf::kModeKernel, body);
  };
  sample(10, 100);
  sample(20, 250);
  sample(30, 260);
  IngestOptions late;
  late.times = {20, 30};
  EXPECT_THAT(rows_of(read(file.file(), late).profile), ElementsAre("cycles 0 2 160 kffffffff81000100"));
}

TEST(PerfData, BitsBehindWhatIsNeededNeedNotBeKnown) {
  PerfFile file;
  TestAttr attr;
  attr.size = 160;
  attr.sample_type |= uint64_t{1} << 40;
  file.event(attr);
  Bytes body = file.body();
  body.u64(kKernelAddress).u32(7).u32(7).u64(20).u32(0).u32(0).u64(0xdeadbeef);
  file.record(perf::kSample, perf::kModeKernel, body);
  EXPECT_THAT(rows_of(read(file.file()).profile), ElementsAre("cpu-clock 0 1 1000 kffffffff81000100"));
}

TEST(PerfData, AnUnknownFormatBeforeWhatIsNeededIsCountedNotGuessed) {
  PerfFile file;
  TestAttr attr;
  attr.sample_type = perf::kIp | perf::kReadValues | perf::kCallchain;
  attr.read_format = 1 << 7;
  file.event(attr);
  Bytes body = file.body();
  body.u64(kKernelAddress).u64(1).u64(0);
  file.record(perf::kSample, perf::kModeKernel, body);
  const auto capture = read(file.file());
  EXPECT_EQ(capture.unknown_layout, 1u);
  EXPECT_EQ(capture.samples, 0u);
  EXPECT_THAT(capture.profile.session.notes, Contains(HasSubstr("1 samples could not be laid out")));
}

TEST(PerfData, ACallChainLongerThanItsRecordIsNoSample) {
  PerfFile file;
  TestAttr attr;
  attr.sample_type = perf::kIp | perf::kCallchain;
  file.event(attr);
  for (const uint64_t frames : {uint64_t{1} << 40, UINT64_MAX, uint64_t{2}}) {
    Bytes body = file.body();
    body.u64(kKernelAddress).u64(frames).u64(kKernelAddress);
    file.record(perf::kSample, perf::kModeKernel, body);
  }
  EXPECT_EQ(read(file.file()).short_samples, 3u);
}

TEST(PerfData, LossesAreCountedByEvent) {
  PerfFile file;
  TestAttr attr;
  attr.sample_type |= perf::kIdentifier;
  file.event(attr, {5});
  Bytes lost = file.body();
  lost.u64(5).u64(30).u32(7).u32(7).u64(1).u32(0).u32(0).u64(5);
  Bytes lost_samples = file.body();
  lost_samples.u64(4).u32(7).u32(7).u64(1).u32(0).u32(0).u64(5);
  Bytes throttle = file.body();
  throttle.u64(9).u64(5).u64(5).u32(7).u32(7).u64(1).u32(0).u32(0).u64(5);
  file.record(perf::kLost, 0, lost)
      .record(perf::kLostSamples, 0, lost_samples)
      .record(perf::kThrottle, 0, throttle);
  EXPECT_THAT(read(file.file()).profile.losses,
              UnorderedElementsAre(Loss{LossKind::ring_full, "all events", 30},
                                   Loss{LossKind::ring_full, "cpu-clock", 4},
                                   Loss{LossKind::throttled, "cpu-clock", 1}));
}

TEST(PerfData, WithoutTimesTheOrderOfRecordsStandsForIt) {
  PerfFile file;
  TestAttr attr;
  attr.sample_type = perf::kIp | perf::kTid;
  attr.flags = 0;
  file.event(attr);
  const auto map = [&](std::string_view path) {
    Bytes body = file.body();
    body.u32(7).u32(7).u64(0x1000).u64(0x1000).u64(0).text(path);
    file.record(perf::kMmap, perf::kModeUser, body);
  };
  const auto sample = [&] {
    Bytes body = file.body();
    body.u64(0x1010).u32(7).u32(7);
    file.record(perf::kSample, perf::kModeUser, body);
  };
  map("/bin/a");
  sample();
  map("/bin/b");
  sample();
  EXPECT_THAT(rows_of(read(file.file()).profile),
              ElementsAre("cpu-clock 0 1 1000 /bin/a@10", "cpu-clock 0 1 1000 /bin/b@10"));
}

TEST(PerfData, ModulesAndBpfProgramsAreToldByWhatWasMapped) {
  PerfFile file;
  file.event({});
  file.mmap(kKernelPid, 0xffffffff81000000, 0x1000000, 0xffffffff81000000, "[kernel.kallsyms]_text", 0,
            perf::kModeKernel);
  file.mmap(kKernelPid, 0xffffffffc0000000, 0x5000, 0, "/lib/modules/6.1/kernel/net/nf-nat.ko.xz", 0,
            perf::kModeKernel);
  Bytes program = file.body();
  program.u64(0xffffffffc0100000).u32(0x80).u16(1).u16(0).text("bpf_prog_6deef7357e7b4530_x");
  program.u32(0).u32(0).u64(5).u32(0).u32(0);
  file.record(perf::kKsymbol, 0, program);
  file.sample(0, 0xffffffffc0000010, 10, perf::kModeKernel)
      .sample(0, 0xffffffffc0100010, 10, perf::kModeKernel);
  TestNames names;
  const Profile profile = read(file.file(), {}, &names).profile;
  ASSERT_EQ(profile.symbols.size(), 2u);
  EXPECT_EQ(profile.symbols[0], (Symbol{"kffffffffc0000010", "nf_nat", SymbolKind::kernel}));
  EXPECT_EQ(profile.symbols[1], (Symbol{"bpf_prog_6deef7357e7b4530_x", "bpf", SymbolKind::bpf}));
  ASSERT_TRUE(names.told.reference);
  EXPECT_EQ(names.told.reference->name, "_text");
  EXPECT_EQ(names.told.reference->address, 0xffffffff81000000);
}

TEST(PerfData, WhatHasNoNameIsCountedByCause) {
  PerfFile file;
  TestAttr attr;
  attr.sample_type |= perf::kCallchain;
  file.event(attr).mmap(7, 0x1000, 0x1000, 0, "/bin/a", 5).mmap(7, 0x8000, 0x1000, 0, "//anon", 5);
  const auto sample = [&](uint32_t pid, std::vector<uint64_t> frames) {
    Bytes body = file.body();
    body.u64(frames[0])
        .u32(pid)
        .u32(pid)
        .u64(20)
        .u32(0)
        .u32(0)
        .u64(frames.size() + 1)
        .u64(perf::kContextUser);
    for (const uint64_t frame : frames) body.u64(frame);
    file.record(perf::kSample, perf::kModeUser, body);
  };
  sample(7, {0x1010, 0x99999});  // a caller where nothing was mapped
  sample(7, {0x8010, 0x1010});
  sample(9, {0x1010, 0x1010});  // a process without any mapping
  EXPECT_THAT(read(file.file()).profile.foreign->unnamed,
              ElementsAre(Unnamed{UnnamedCause::no_mapping, 1, 1}, Unnamed{UnnamedCause::broken_chain, 0, 1},
                          Unnamed{UnnamedCause::generated, 1, 0}));
}

TEST(PerfData, FiltersLeaveSamplesOut) {
  PerfFile file;
  file.event({}).mmap(7, 0x1000, 0x1000, 0, "/bin/a", 1).comm(7, "before", 1).comm(7, "after", 15);
  file.sample(7, 0x1010, 10, perf::kModeUser, 0).sample(7, 0x1020, 20, perf::kModeUser, 1);
  IngestOptions by_comm;
  by_comm.comm = "after";
  EXPECT_THAT(rows_of(read(file.file(), by_comm).profile), ElementsAre("cpu-clock 1 1 1000 /bin/a@20"));
  IngestOptions by_cpu;
  by_cpu.cpus = {0};
  const auto capture = read(file.file(), by_cpu);
  EXPECT_THAT(rows_of(capture.profile), ElementsAre("cpu-clock 0 1 1000 /bin/a@10"));
  EXPECT_EQ(capture.filtered, 1u);
  EXPECT_EQ(capture.profile.left_out, 1u);
  IngestOptions by_time;
  by_time.times = {15, 30};
  EXPECT_THAT(rows_of(read(file.file(), by_time).profile), ElementsAre("cpu-clock 1 1 1000 /bin/a@20"));
}

TEST(PerfData, NamesOfThreadsAreSummedWhereThatIsAskedFor) {
  PerfFile file;
  file.event({}).mmap(7, 0x1000, 0x1000, 0, "/bin/a", 1).comm(7, "before", 1).comm(7, "after", 15);
  file.sample(7, 0x1010, 10).sample(7, 0x1020, 20).sample(7, 0x1020, 21).sample(0, 0x1020, 30);
  IngestOptions options;
  EXPECT_TRUE(read(file.file(), options).profile.foreign->comms.empty());
  options.sum_comms = true;
  const Profile profile = read(file.file(), options).profile;
  EXPECT_THAT(profile.foreign->comms,
              ElementsAre(CommSamples{"before", 0, 1, 1000}, CommSamples{"after", 0, 2, 2000},
                          CommSamples{"swapper", 0, 1, 1000}));
  EXPECT_EQ(profile.foreign->first_ns, 10u);
}

TEST(PerfData, ATruncatedFileIsReadUpToThere) {
  const PerfFile file = small(std::endian::little);
  std::vector<uint8_t> bytes = file.file();
  bytes.resize(bytes.size() - 20);
  const auto capture = read(bytes);
  EXPECT_THAT(rows_of(capture.profile), ElementsAre("cpu-clock 0 2 2000 /bin/a@210"));
  EXPECT_THAT(capture.profile.session.notes,
              Contains(HasSubstr("it ends inside a record; what follows is lost")));
  EXPECT_EQ(capture.profile.foreign->ending, Ending::cut);
  EXPECT_EQ(read(file.file()).profile.foreign->ending, Ending::whole);
}

/// The checksum of a packed file stands behind what is read of it; also where reading broke off before.
TEST(PerfData, DamageOfAPackedFileIsFoundWhereverReadingEnds) {
  const std::vector<uint8_t> bytes = small(std::endian::little).file();
  const auto ending_of = [](std::vector<uint8_t> packed) {
    const auto source = unpacked(bytes_of(packed));
    TestNames names;
    return read_perf_data(**source, {}, names)->profile.foreign->ending;
  };
  const auto packed = gzip({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  ASSERT_TRUE(packed.has_value());
  const std::vector<uint8_t> sound(packed->begin(), packed->end());
  EXPECT_EQ(ending_of(sound), Ending::whole);
  std::vector<uint8_t> wrong_sum = sound;
  wrong_sum[wrong_sum.size() - 8] ^= 1;  // of the CRC
  EXPECT_EQ(ending_of(wrong_sum), Ending::damaged);
  std::vector<uint8_t> cut = sound;
  cut.resize(cut.size() - 8);
  EXPECT_EQ(ending_of(cut), Ending::cut);
}

/// A small file that unpacks to far more than it may take is read as far as it may.
TEST(PerfData, MemoryIsInProportionToTheStoredFile) {
  PerfFile file;
  file.event({});
  for (uint64_t i = 0; i < 300'000; ++i) file.sample(7, kKernelAddress + i * 16, i, perf::kModeKernel);
  const std::vector<uint8_t> bytes = file.file();
  std::vector<uint8_t> packed(ZSTD_compressBound(bytes.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3));
  ASSERT_LT(packed.size() * 4, bytes.size());
  const auto source = unpacked(bytes_of(packed));
  TestNames names;
  const auto capture = read_perf_data(**source, {}, names);
  ASSERT_TRUE(capture.has_value());
  EXPECT_GT(capture->samples, 10'000u);
  EXPECT_LT(capture->samples, 300'000u);
  EXPECT_THAT(capture->profile.session.notes, Contains(HasSubstr("takes more memory than a capture of")));
  // As it is, the same takes what is in proportion.
  EXPECT_EQ(read(bytes).samples, 300'000u);
}

TEST(PerfData, WhatCannotBeReadSaysWhy) {
  const std::vector<uint8_t> whole = small(std::endian::little).file();
  EXPECT_THAT(error_of({whole.begin(), whole.begin() + 12}), HasSubstr("cut short inside its head"));
  EXPECT_THAT(error_of({whole.begin(), whole.begin() + 60}), HasSubstr("cut short inside its head"));
  EXPECT_THAT(error_of(PerfFile().file()), HasSubstr("describes no event"));
  std::vector<uint8_t> odd = whole;
  odd[8] = 99;
  EXPECT_THAT(error_of(odd), HasSubstr("a form that is not known"));
}

}  // namespace
}  // namespace nettoll
