// SPDX-License-Identifier: Apache-2.0
#include "host/guarded_buffer.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(GuardedBuffer, TheKernelCannotWriteBeyondIt) {
  auto buffer = GuardedBuffer::make(5000);
  ASSERT_TRUE(buffer);
  ASSERT_GE(buffer->size(), 5000u);
  const UniqueFd zeros(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(zeros);
  char* const begin = static_cast<char*>(buffer->data());
  EXPECT_EQ(::read(zeros.get(), begin, buffer->size()), static_cast<ssize_t>(buffer->size()));
  EXPECT_EQ(::read(zeros.get(), begin + buffer->size(), 1), -1);
  EXPECT_EQ(errno, EFAULT);
}

}  // namespace
}  // namespace nettoll
