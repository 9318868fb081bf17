// SPDX-License-Identifier: Apache-2.0
#include "collect/halving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace nettoll {
namespace {

struct Outcome {
  std::vector<int> attached, failed;
  int calls = 0;
};

/// Attaches 0..n-1 to a kernel that refuses parts as `refuse` says (an errno, or 0).
template <typename Refuse>
Outcome run(int n, const Refuse& refuse) {
  std::vector<int> items;
  for (int i = 0; i < n; ++i) items.push_back(i);
  Outcome outcome;
  attach_halving<int>(
      items,
      [&](std::span<const int> part) -> Status {
        ++outcome.calls;
        if (const int code = refuse(part)) return system_error("refused", code);
        outcome.attached.insert(outcome.attached.end(), part.begin(), part.end());
        return {};
      },
      [&](int item, const Error&) { outcome.failed.push_back(item); });
  return outcome;
}

TEST(Halving, TakesAllAtOnceWhereThatWorks) {
  const Outcome outcome = run(100, [](auto) { return 0; });
  EXPECT_EQ(outcome.calls, 1);
  EXPECT_EQ(outcome.attached.size(), 100u);
  EXPECT_EQ(run(0, [](auto) { return EINVAL; }).calls, 0);
}

TEST(Halving, LosesOnlyTheBadOnes) {
  const auto bad = [](std::span<const int> part) {
    return std::any_of(part.begin(), part.end(), [](int i) { return i == 3 || i == 64; }) ? EINVAL : 0;
  };
  const Outcome outcome = run(100, bad);
  EXPECT_EQ(outcome.failed, (std::vector{3, 64}));
  EXPECT_EQ(outcome.attached.size(), 98u);
  EXPECT_TRUE(std::is_sorted(outcome.attached.begin(), outcome.attached.end()));
  EXPECT_LE(outcome.calls, 2 * 2 * 8) << "two paths down a tree of 100";
}

TEST(Halving, SplitsWhatIsTooMuchAtOnce) {
  const Outcome outcome = run(100, [](std::span<const int> part) { return part.size() > 30 ? ENOMEM : 0; });
  EXPECT_TRUE(outcome.failed.empty());
  EXPECT_EQ(outcome.attached.size(), 100u);
}

TEST(Halving, DoesNotAskAgainWhereTheAnswerIsTheSame) {
  for (const int code : {EPERM, EACCES, EOPNOTSUPP, EMFILE}) {
    const Outcome outcome = run(100, [&](auto) { return code; });
    EXPECT_EQ(outcome.calls, 1) << code;
    EXPECT_EQ(outcome.failed.size(), 100u) << code;
  }
}

}  // namespace
}  // namespace nettoll
