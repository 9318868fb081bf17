// SPDX-License-Identifier: Apache-2.0
#include "host/irq_affinity.h"

#include <gtest/gtest.h>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

TEST(IrqAffinity, ListsOrMasks) {
  FakeRoot root;
  root.write("/proc/irq/24/smp_affinity_list", "0-3\n");
  root.write("/proc/irq/24/smp_affinity", "f\n");
  root.write("/proc/irq/24/effective_affinity_list", "2\n");
  root.write("/proc/irq/25/smp_affinity", "00000001,00000000\n");
  root.write("/proc/irq/26/smp_affinity_list", "0-x\n");
  root.write("/proc/irq/26/effective_affinity_list", "\n");
  root.write("/proc/irq/26/effective_affinity", "0\n");
  const KernelFs fs(root.path());
  const IrqAffinity both = read_irq_affinity(fs, 24);
  EXPECT_EQ(both.allowed, (CpuSet{{0, 1, 2, 3}}));
  EXPECT_EQ(both.effective, (CpuSet{{2}}));
  EXPECT_EQ(read_irq_affinity(fs, 25).allowed, (CpuSet{{32}}));
  EXPECT_FALSE(read_irq_affinity(fs, 25).effective);
  EXPECT_FALSE(read_irq_affinity(fs, 26).allowed);
  EXPECT_FALSE(read_irq_affinity(fs, 26).effective);  // chips that do not tell it leave it empty
  EXPECT_FALSE(read_irq_affinity(fs, 27).allowed);
}

}  // namespace
}  // namespace nettoll
