// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor_checks.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(DoctorChecks, NameFewFunctionsAndCountMany) {
  EXPECT_EQ(list_uncounted({{"this kernel lacks it", {"a", "b"}}}), "a, b: this kernel lacks it");
  EXPECT_EQ(list_uncounted({{"inlined", {"a", "b", "c", "d"}},
                            {"no hooks, see nettoll doctor", {"e", "f", "g", "h", "i"}}}),
            "a, b, c, d: inlined; 5 (nettoll functions lists them): no hooks");
}

}  // namespace
}  // namespace nettoll
