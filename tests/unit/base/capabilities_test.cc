// SPDX-License-Identifier: Apache-2.0
#include "base/capabilities.h"

#include <gtest/gtest.h>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

using Names = std::vector<std::string>;

TEST(Capabilities, ReadsTheEffectiveMask) {
  EXPECT_EQ(
      *effective_capabilities("Name:\tx\nCapPrm:\t00000000000000ff\nCapEff:\t000001fffeffffff\nCapBnd:\t0\n"),
      0x1fffeffffffu);
  EXPECT_FALSE(effective_capabilities("Name:\tx\n"));
  EXPECT_FALSE(effective_capabilities("CapEff:\tzz\n"));
  EXPECT_FALSE(effective_capabilities("CapEff:"));
}

TEST(Capabilities, NamesWhatTracingLacks) {
  const uint64_t admin = 1ull << 21, perfmon = 1ull << 38, bpf = 1ull << 39;
  EXPECT_EQ(missing_for_tracing(admin), Names{});
  EXPECT_EQ(missing_for_tracing(perfmon | bpf), Names{});
  EXPECT_EQ(missing_for_tracing(bpf), Names{"CAP_PERFMON"});
  EXPECT_EQ(missing_for_tracing(0), (Names{"CAP_BPF", "CAP_PERFMON"}));
}

TEST(Capabilities, TheErrorSaysWhatToDo) {
  FakeRoot root;
  root.write("/proc/self/status", "CapEff:\t0000000000000000\n");
  const auto ok = check_tracing_rights(KernelFs(root.path()));
  ASSERT_FALSE(ok);
  EXPECT_EQ(ok.error().kind, ErrorKind::failure);
  EXPECT_EQ(ok.error().text(),
            "tracing the kernel needs CAP_BPF and CAP_PERFMON, which this process lacks; run it with sudo");
}

}  // namespace
}  // namespace nettoll
