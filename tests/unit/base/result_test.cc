// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(SystemError, NamesTheErrorAndKeepsItsNumber) {
  const Error error = system_error("cannot attach", EPERM, "run as root");
  EXPECT_EQ(error.text(), "cannot attach: Operation not permitted; run as root");
  EXPECT_EQ(error.code, EPERM);
}

TEST(SystemError, NamesWhatTheKernelKeepsToItself) {
  EXPECT_EQ(system_error("cannot attach", 524).message, "cannot attach: Operation is not supported");
}

}  // namespace
}  // namespace nettoll
