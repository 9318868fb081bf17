// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_event_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include "unit/collect/fake_pmu.h"

namespace nettoll {
namespace {

using testing::HasSubstr;
using Names = std::vector<std::string>;

TEST(EventList, SplitsOutsideSlashes) {
  EXPECT_EQ(*split_event_list("cycles"), Names{"cycles"});
  EXPECT_EQ(*split_event_list("cycles, cs:k ,r1"), (Names{"cycles", "cs:k", "r1"}));
  EXPECT_EQ(*split_event_list("cpu/event=1,umask=2/k,cycles"), (Names{"cpu/event=1,umask=2/k", "cycles"}));
  for (const char* text : {"", ",", "a,,b", "a,", "cpu/event=1,umask=2", "{cycles,instructions}"}) {
    const auto list = split_event_list(text);
    ASSERT_FALSE(list) << text;
    EXPECT_EQ(list.error().kind, ErrorKind::usage);
  }
}

TEST(ParseEvent, GivesTypeConfigAndModifiers) {
  FakeRoot root;
  write_cpu_pmu(root, "cpu", 4);
  root.write(std::string(kDevices) + "ibs_op/type", "9\n");
  const KernelFs fs(root.path());
  const struct {
    const char* text;
    const char* name;
    EventKind kind;
    bool kernel_only;
    int precise;
    uint32_t type;
    uint64_t config;
  } cases[] = {
      {"cycles", "cycles", EventKind::cpu, true, 0, PERF_TYPE_HARDWARE, 0},
      {" cycles:k ", "cycles", EventKind::cpu, true, 0, PERF_TYPE_HARDWARE, 0},
      {"cycles:uk", "cycles:uk", EventKind::cpu, false, 0, PERF_TYPE_HARDWARE, 0},
      {"cycles:ku", "cycles:uk", EventKind::cpu, false, 0, PERF_TYPE_HARDWARE, 0},
      {"cycles:kpp", "cycles:pp", EventKind::cpu, true, 2, PERF_TYPE_HARDWARE, 0},
      {"LLC-load-misses", "LLC-load-misses", EventKind::cpu, true, 0, PERF_TYPE_HW_CACHE, 0x10002},
      {"cpu-clock", "cpu-clock", EventKind::clock, false, 0, PERF_TYPE_SOFTWARE, 0},
      {"cpu-clock:uk", "cpu-clock", EventKind::clock, false, 0, PERF_TYPE_SOFTWARE, 0},
      {"task-clock", "task-clock", EventKind::clock, false, 0, PERF_TYPE_SOFTWARE, 1},
      {"page-faults", "page-faults", EventKind::software, true, 0, PERF_TYPE_SOFTWARE, 2},
      {"page-faults:uk", "page-faults:uk", EventKind::software, false, 0, PERF_TYPE_SOFTWARE, 2},
      {"r01c4", "r01c4", EventKind::cpu, true, 0, PERF_TYPE_RAW, 0x1c4},
      {"r1A:uk", "r1A:uk", EventKind::cpu, false, 0, PERF_TYPE_RAW, 0x1a},
      {"cpu/event=0x3c,umask=1/", "cpu/event=0x3c,umask=1/", EventKind::cpu, true, 0, 4, 0x13c},
      {"cpu/event=0x3c/uk", "cpu/event=0x3c/uk", EventKind::cpu, false, 0, 4, 0x3c},
      {"cpu/event=0x3c/:uk", "cpu/event=0x3c/uk", EventKind::cpu, false, 0, 4, 0x3c},
      {"cpu/mem-loads/p", "cpu/mem-loads/p", EventKind::cpu, true, 1, 4, 0x1cd},
      {"mem-loads", "mem-loads", EventKind::cpu, true, 0, 4, 0x1cd},
      {"ibs_op/config=2/", "ibs_op/config=2/", EventKind::other, true, 0, 9, 2},
  };
  for (const auto& c : cases) {
    const auto spec = parse_event(c.text, fs);
    ASSERT_TRUE(spec) << c.text << ": " << spec.error().text();
    EXPECT_EQ(spec->name, c.name) << c.text;
    EXPECT_EQ(spec->kind, c.kind) << c.text;
    EXPECT_EQ(spec->kernel_only, c.kernel_only) << c.text;
    EXPECT_EQ(spec->precise, c.precise) << c.text;
    ASSERT_EQ(spec->targets.size(), 1u) << c.text;
    EXPECT_EQ(spec->targets[0].type, c.type) << c.text;
    EXPECT_EQ(spec->targets[0].config, c.config) << c.text;
    EXPECT_FALSE(spec->targets[0].cpus) << c.text;
  }
}

TEST(ParseEvent, OpensEachPmuOfAHybridCpuOnItsCpus) {
  FakeRoot root;
  write_cpu_pmu(root, "cpu_core", 4, "0-3\n");
  write_cpu_pmu(root, "cpu_atom", 10, "4-5\n");
  const KernelFs fs(root.path());

  const auto cycles = parse_event("cache-misses", fs);
  ASSERT_TRUE(cycles);
  ASSERT_EQ(cycles->targets.size(), 2u);
  const EventTarget& atom = cycles->targets[0];
  EXPECT_EQ(atom.pmu, "cpu_atom");
  EXPECT_EQ(atom.type, uint32_t{PERF_TYPE_HARDWARE});
  EXPECT_EQ(atom.config, 0xa00000003u);
  EXPECT_TRUE(atom.on(4));
  EXPECT_FALSE(atom.on(0));
  EXPECT_EQ(cycles->targets[1].config, 0x400000003u);
  EXPECT_TRUE(cycles->targets[1].on(0));

  const auto raw = parse_event("r3c", fs);
  ASSERT_TRUE(raw);
  ASSERT_EQ(raw->targets.size(), 2u);
  EXPECT_EQ(raw->targets[0].type, 10u);
  EXPECT_EQ(raw->targets[0].config, 0x3cu);

  const auto one = parse_event("cpu_atom/event=0x3c/", fs);
  ASSERT_TRUE(one);
  ASSERT_EQ(one->targets.size(), 1u);
  EXPECT_EQ(one->targets[0].cpus, (CpuSet{{4, 5}}));

  EXPECT_EQ(parse_event("mem-loads", fs)->targets.size(), 2u);
  EXPECT_EQ(parse_event("cpu-clock", fs)->targets.size(), 1u);
}

TEST(ParseEvent, RefusesWithTheReason) {
  FakeRoot root;
  write_cpu_pmu(root, "cpu", 4);
  const KernelFs fs(root.path());
  const struct {
    const char* text;
    const char* says;
  } cases[] = {
      {"", "empty"},
      {"cycle", "did you mean cycles"},
      {"cache-miss", "cache-misses"},
      {"misses", "cache-misses"},
      {"LLC-load-miss3s", "LLC-load-misses"},
      {"slot", "slots"},
      {"frobnicate-everything", "there is no event 'frobnicate-everything'; use a name of 'perf list'"},
      {"skb:kfree_skb", "tracepoint"},
      {"sched:sched_switch:k", "tracepoint"},
      {"mem:0x1234:rw", "breakpoint"},
      {"cycles:u", "user mode alone"},
      {"cycles:q", "modifier 'q'"},
      {"cycles:H", "modifier 'H'"},
      {"cycles:pppp", "modifier 'p'"},
      {"cycles:", "no modifier"},
      {"cpu-clock:k", "advances by time"},
      {"cpu-clock:p", "events of a PMU"},
      {"cs:p", "events of a PMU"},
      {"cpu/event=1", "second slash"},
      {"cpu/event=1/z", "modifier 'z'"},
      {"rxyz", "there is no event"},
      {"r", "there is no event"},
      {"r11112222333344445", "there is no event"},
  };
  for (const auto& c : cases) {
    const auto spec = parse_event(c.text, fs);
    ASSERT_FALSE(spec) << c.text;
    EXPECT_EQ(spec.error().kind, ErrorKind::usage) << c.text;
    EXPECT_THAT(spec.error().text(), HasSubstr(c.says)) << c.text;
  }
}

TEST(ParseEvent, NeedsNoPmuToKnowAName) {
  FakeRoot root;
  const auto spec = parse_event("cycles", KernelFs(root.path()));
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->targets.size(), 1u);
}

}  // namespace
}  // namespace nettoll
