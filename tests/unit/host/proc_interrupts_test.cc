// SPDX-License-Identifier: Apache-2.0
#include "host/proc_interrupts.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(ProcInterrupts, CountsStandUnderTheCpuOfTheHeader) {
  const auto table = parse_interrupts(
      "            CPU0       CPU2       CPU5\n"
      "   8:          1          0          0   IO-APIC   8-edge      rtc0\n"
      " 128:    1710005          7    2216316   PCI-MSI 524288-edge      enp1s0\n"
      " NMI:          9          9          9   Non-maskable interrupts\n"
      " ERR:          0\n"
      " MIS:          3\n");
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table->skipped, 0u);
  ASSERT_EQ(table->rows.size(), 2u);
  EXPECT_EQ(table->rows.at(128).by_cpu, (std::vector<uint64_t>{1710005, 0, 7, 0, 0, 2216316}));
  EXPECT_EQ(table->rows.at(128).name, "enp1s0");
}

TEST(ProcInterrupts, NamesAreWhatStandsBehindTheLastGap) {
  const struct {
    const char* rest;
    const char* name;
  } cases[] = {
      {"IO-APIC-edge      timer", "timer"},
      {"IR-PCI-MSI 524289-edge      eth0-TxRx-0", "eth0-TxRx-0"},
      {"PCI-MSIX-0000:00:03.0   1-edge      virtio2-input.0", "virtio2-input.0"},
      {"   GICv3  27 Level     arch_timer", "arch_timer"},
      {"IR-IO-APIC  16-fasteoi   ehci_hcd:usb2, eth0", "ehci_hcd:usb2, eth0"},
      {"PCI-MSI 98304-edge      mlx5_comp7@pci:0000:3b:00.0", "mlx5_comp7@pci:0000:3b:00.0"},
      {"IR-PCI-MSI 524288-edge", ""},
      {"IR-PCI-MSI 524288-edge    ", ""},
      {"IR-IO-APIC  12-edge", ""},
      {"GICv3  27", ""},
      {"", ""},
  };
  for (const auto& c : cases) {
    const auto table = parse_interrupts(std::string("  CPU0\n 24:   5  ") + c.rest + "\n");
    ASSERT_TRUE(table) << c.rest;
    ASSERT_TRUE(table->rows.contains(24)) << c.rest;
    EXPECT_EQ(table->rows.at(24).name, c.name) << c.rest;
  }
}

TEST(ProcInterrupts, BadRowsAreSkipped) {
  const char* const rows[] = {
      " 24:   5   IO-APIC   8-edge      eth0\n",                      // a count is missing
      " 24:   5   18446744073709551616   IO-APIC   8-edge   eth0\n",  // does not fit
      " 24:   5   -1   IO-APIC   8-edge   eth0\n",                    //
      " 24    5    6   IO-APIC   8-edge   eth0\n",                    // no colon
      " 4294967296:   5   6   IO-APIC   8-edge   eth0\n",             //
      " 24:\n",                                                       //
  };
  for (const char* row : rows) {
    const auto table = parse_interrupts(std::string("  CPU0  CPU1\n 23:  1  2  A  1-edge  x\n") + row);
    ASSERT_TRUE(table) << row;
    EXPECT_EQ(table->rows.size(), 1u) << row;
    EXPECT_EQ(table->skipped, 1u) << row;
  }
  EXPECT_EQ(parse_interrupts(" CPU0\n 1: 1 A 1-edge  x\n 1: 2 A 1-edge  y\n")->skipped, 1u);
}

TEST(ProcInterrupts, NeedsAHeader) {
  for (const char* text :
       {"", "\n", " 24:  5  IO-APIC  8-edge  eth0\n", " CPU0 CPUx\n", " CPU-1\n", " CPU65536\n"})
    EXPECT_FALSE(parse_interrupts(text)) << text;
  EXPECT_TRUE(parse_interrupts("  CPU0")->rows.empty());
}

}  // namespace
}  // namespace nettoll
