// SPDX-License-Identifier: Apache-2.0
#include "cli/reader_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ReaderWarnings, TellOfLossesAndOfWhatTheReaderNoted) {
  Profile profile;
  EXPECT_THAT(reader_warnings(profile), IsEmpty());
  profile.session.notes = {"reading ended at byte 5"};
  profile.losses = {{LossKind::ring_full, "cycles", 1200}, {LossKind::throttled, "cycles", 0}};
  EXPECT_THAT(reader_warnings(profile), ElementsAre("lost: ring_full 1,200 (cycles)"));
  profile.foreign.emplace();
  EXPECT_THAT(reader_warnings(profile),
              ElementsAre("lost: ring_full 1,200 (cycles)", "reading ended at byte 5"));
}

}  // namespace
}  // namespace nettoll
