// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/frame_name.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

std::string unnamed(const char* module) {
  return frame_name({kUnknownName, module, SymbolKind::user});
}

TEST(FrameName, IsTheFunctions) {
  EXPECT_EQ(frame_name({"ip_rcv", kVmlinux, SymbolKind::kernel}), "ip_rcv");
  EXPECT_EQ(frame_name({kUserName, "", SymbolKind::user}), kUserName);
}

TEST(FrameName, OfCodeWithoutOneIsItsModule) {
  EXPECT_EQ(unnamed("/lib/x86_64-linux-gnu/libc.so.6"), "[libc.so.6]");
  EXPECT_EQ(unnamed("vmlinux"), "[vmlinux]");
  EXPECT_EQ(unnamed("[vdso]"), "[vdso]");
  EXPECT_EQ(unnamed("//anon"), "[anon]");
}

TEST(FrameName, IsUnknownWithoutAModule) {
  EXPECT_EQ(unnamed(""), kUnknownName);
  EXPECT_EQ(unnamed("/opt/"), kUnknownName);
}

}  // namespace
}  // namespace nettoll
