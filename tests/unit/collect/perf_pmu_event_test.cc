// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_pmu_event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/collect/fake_pmu.h"

namespace nettoll {
namespace {

using testing::HasSubstr;

TEST(PlaceBits, FollowsTheFormatFile) {
  const struct {
    const char* format;
    uint64_t value;
    uint64_t config, config1, config2;
  } cases[] = {
      {"config:0-7", 0xab, 0xab, 0, 0},
      {"config:8-15", 0xab, 0xab00, 0, 0},
      {"config:18", 1, 1 << 18, 0, 0},
      {"config:0-7,32-35", 0xfab, 0xf000000ab, 0, 0},
      {"config1:0-63", UINT64_MAX, 0, UINT64_MAX, 0},
      {"config2:4-5", 3, 0, 0, 0x30},
  };
  for (const auto& c : cases) {
    EventTarget target;
    ASSERT_TRUE(place_bits(c.format, c.value, target)) << c.format;
    EXPECT_EQ(target.config, c.config) << c.format;
    EXPECT_EQ(target.config1, c.config1) << c.format;
    EXPECT_EQ(target.config2, c.config2) << c.format;
  }
}

TEST(PlaceBits, KeepsOtherBitsAndOverwritesItsOwn) {
  EventTarget target;
  target.config = 0xffff;
  ASSERT_TRUE(place_bits("config:4-7", 0x2, target));
  EXPECT_EQ(target.config, 0xff2fu);
}

TEST(PlaceBits, RefusesTooLargeValuesAndNonsense) {
  EventTarget target;
  for (const char* format : {"config:0-7", "", "config", "config:", "config9:0-7", "config:7-0",
                             "config:0-64", "config:a", "config:0-7,x"}) {
    EXPECT_FALSE(place_bits(format, 0x100, target)) << format;
  }
  EXPECT_EQ(target, EventTarget{});
}

TEST(PmuTerms, ReadsTermsNamesAndConfigs) {
  FakeRoot root;
  write_cpu_pmu(root, "cpu", 4);
  const KernelFs fs(root.path());
  const struct {
    const char* terms;
    uint64_t config, config1;
  } cases[] = {
      {"event=0x3c,umask=0x01", 0x13c, 0}, {"event=60,umask=1", 0x13c, 0},
      {"event=0x3c,edge", 0x4003c, 0},     {"mem-loads", 0x1cd, 0},
      {"mem-loads,umask=2", 0x2cd, 0},     {"config=0x1b7,offcore_rsp=0x10003", 0x1b7, 0x10003},
      {"config=1,config1=2", 1, 2},        {"", 0, 0},
  };
  for (const auto& c : cases) {
    bool cpu_pmu = false;
    const auto target = parse_pmu_terms("cpu", c.terms, fs, cpu_pmu);
    ASSERT_TRUE(target) << c.terms << ": " << target.error().text();
    EXPECT_EQ(target->type, 4u);
    EXPECT_EQ(target->config, c.config) << c.terms;
    EXPECT_EQ(target->config1, c.config1) << c.terms;
    EXPECT_TRUE(cpu_pmu);
    EXPECT_FALSE(target->cpus);
  }
}

TEST(PmuTerms, ErrorsNameWhatThereIs) {
  FakeRoot root;
  write_cpu_pmu(root, "cpu", 4);
  root.write(std::string(kDevices) + "uncore_imc/type", "20\n");
  root.write(std::string(kDevices) + "uncore_imc/cpumask", "0\n");
  const KernelFs fs(root.path());
  const struct {
    const char* pmu;
    const char* terms;
    const char* says;
  } cases[] = {
      {"gpu", "event=1", "no PMU 'gpu'; it has cpu, uncore_imc"},
      {"", "event=1", "no PMU ''"},
      {"../cpu", "event=1", "no PMU '../cpu'"},
      {"cpu", "evnt=1", "'evnt'; its terms are edge, event"},
      {"cpu", "nothing", "its events are mem-loads, slots"},
      {"cpu", "../type", "'../type'"},
      {"cpu", "event=0x100", "0x100 does not fit into config:0-7"},
      {"cpu", "event=fish", "'fish' of term event"},
      {"cpu", "event=", "'' of term event"},
      {"cpu", "event=1,,umask=1", "empty term"},
      {"cpu", "mem-loads=1", "'mem-loads'"},
      {"uncore_imc", "event=1", "whole socket"},
  };
  for (const auto& c : cases) {
    bool cpu_pmu = false;
    const auto target = parse_pmu_terms(c.pmu, c.terms, fs, cpu_pmu);
    ASSERT_FALSE(target) << c.pmu << '/' << c.terms;
    EXPECT_EQ(target.error().kind, ErrorKind::usage);
    EXPECT_THAT(target.error().text(), HasSubstr(c.says));
  }
}

TEST(CpuPmus, AreToldFromTheOthers) {
  FakeRoot root;
  const KernelFs fs(root.path());
  EXPECT_TRUE(find_cpu_pmus(fs).empty());
  root.write(std::string(kDevices) + "software/type", "1\n");
  root.write(std::string(kDevices) + "msr/type", "8\n");
  EXPECT_TRUE(find_cpu_pmus(fs).empty());

  write_cpu_pmu(root, "cpu_core", 4, "0-3\n");
  write_cpu_pmu(root, "cpu_atom", 10, "4-7\n");
  write_cpu_pmu(root, "cpu_lowpower", 11, "\n");
  const auto pmus = find_cpu_pmus(fs);
  EXPECT_EQ(pmus, (std::vector<CpuPmu>{{"cpu_atom", 10, CpuSet{{4, 5, 6, 7}}},
                                       {"cpu_core", 4, CpuSet{{0, 1, 2, 3}}}}));
  EXPECT_TRUE(is_hybrid(pmus));
  EXPECT_FALSE(is_hybrid({{"armv8_cortex_a53", 9, CpuSet{{0}}}, {"armv8_cortex_a72", 10, CpuSet{{1}}}}));
  EXPECT_FALSE(is_hybrid({{"cpu", 4, {}}}));
}

}  // namespace
}  // namespace nettoll
