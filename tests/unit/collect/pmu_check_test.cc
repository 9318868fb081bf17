// SPDX-License-Identifier: Apache-2.0
#include "collect/pmu_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using State = PmuVerdict::State;

TEST(JudgePmu, LetsMachinesPassAndNonsenseFail) {
  constexpr uint64_t n = 4'000'000;
  const struct {
    const char* what;
    std::optional<uint64_t> cycles, instructions;
    State state;
  } cases[] = {
      {"a usual CPU", n, 2 * n + 300, State::trusted},
      {"two turns a cycle", n / 2, 2 * n, State::trusted},
      {"an emulator", 300 * n, 2 * n, State::trusted},
      {"cycles alone", n, {}, State::trusted},
      {"instructions alone", {}, 2 * n, State::trusted},
      {"nothing to judge by", {}, {}, State::unknown},
      {"hundreds for millions", n, 312, State::lies},
      {"no instructions", n, 0, State::lies},
      {"no cycles", 0, 2 * n, State::lies},
      {"neither", 0, 0, State::lies},
      {"few cycles", n / 100, {}, State::lies},
      {"too many instructions", n, 101 * n, State::lies},
      {"all bits set", UINT64_MAX, 2 * n, State::lies},
  };
  for (const auto& c : cases) {
    const auto verdict = judge_pmu({n, c.cycles, c.instructions});
    EXPECT_EQ(verdict.state, c.state) << c.what;
    EXPECT_EQ(verdict.reason.empty(), c.state != State::lies) << c.what;
  }
  EXPECT_THAT(judge_pmu({n, n, 312}).reason,
              testing::HasSubstr("312 instructions for a loop of 4000000 turns"));
}

TEST(JudgePmu, InstructionsMayLieAlone) {
  constexpr uint64_t n = 4'000'000;
  for (const uint64_t count : {n / 2, n, n + n / 2 - 1, 17 * n}) {
    const auto verdict = judge_pmu({n, 2 * n, count});
    EXPECT_EQ(verdict.state, State::trusted) << count;
    EXPECT_THAT(verdict.instructions, testing::HasSubstr(std::to_string(count) + " instructions"));
  }
  EXPECT_EQ(judge_pmu({n, 2 * n, 2 * n}).instructions, "");
  EXPECT_EQ(judge_pmu({n, 2 * n, 312}).instructions, "") << "the whole PMU is refused";
}

TEST(ScaledCount, NeedsAQuarterOfTheTime) {
  EXPECT_EQ(scaled_count(100, 1000, 1000), 100u);
  EXPECT_EQ(scaled_count(100, 1000, 500), 200u);
  EXPECT_EQ(scaled_count(100, 1000, 250), 400u);
  EXPECT_FALSE(scaled_count(100, 1000, 249));
  EXPECT_FALSE(scaled_count(0, 1000, 0));
  EXPECT_FALSE(scaled_count(0, 0, 0));
  EXPECT_EQ(scaled_count(0, 1000, 1000), 0u);
}

TEST(CountLoop, GivesNoCountWhereTheEventCannotBeOpened) {
  EventTarget nowhere;
  nowhere.pmu = "cpu_none";
  nowhere.type = 65000;
  nowhere.cpus = CpuSet{};
  const auto counts = count_loop(nowhere);
  EXPECT_FALSE(counts.cycles);
  EXPECT_FALSE(counts.instructions);
  EXPECT_EQ(judge_pmu(counts).state, State::unknown);
}

}  // namespace
}  // namespace nettoll
