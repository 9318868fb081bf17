// SPDX-License-Identifier: Apache-2.0
#include "host/nic_vectors.h"

#include <gtest/gtest.h>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

Nic nic_named(const std::string& name, uint32_t ifindex) {
  Nic nic;
  nic.name = name;
  nic.ifindex = ifindex;
  nic.physical = true;
  return nic;
}

InterruptTable interrupts(std::initializer_list<std::pair<uint32_t, const char*>> rows) {
  InterruptTable table;
  for (const auto& [irq, name] : rows) table.rows[irq] = {name, {irq, 0}};
  return table;
}

std::vector<uint32_t> irqs(const Nic& nic) {
  std::vector<uint32_t> numbers;
  for (const Vector& vector : nic.vectors) numbers.push_back(vector.irq);
  return numbers;
}

class NicVectors : public ::testing::Test {
 protected:
  /// A device on the bus, and the network device over it.
  void put(const std::string& name, const std::string& path, const std::string& bus) {
    root_.write("/sys/devices/" + path + "/power", "");
    root_.link("/sys/devices/" + path + "/subsystem", "../../../bus/" + bus);
    root_.link("/sys/class/net/" + name + "/device", "../../../devices/" + path);
  }
  FakeRoot root_;
  KernelFs fs_{root_.path()};
};

TEST_F(NicVectors, OfThePciFunctionWhateverTheirNames) {
  put("enp1s0", "pci0/0000:01:00.0", "pci");
  for (const char* irq : {"128", "129", "130"})
    root_.write("/sys/devices/pci0/0000:01:00.0/msi_irqs/" + std::string(irq), "msix\n");
  root_.write("/sys/devices/pci0/msi_irqs/30", "msi\n");
  root_.write("/proc/irq/128/smp_affinity_list", "0-3\n");
  root_.write("/proc/irq/128/effective_affinity_list", "3\n");
  std::vector<Nic> nics = {nic_named("enp1s0", 2)};
  add_vectors(
      fs_, interrupts({{30, "pcieport"}, {128, "enp1s0"}, {129, "old-TxRx-0"}, {130, ""}, {131, "enp1s0"}}),
      nics);
  ASSERT_EQ(irqs(nics[0]), (std::vector<uint32_t>{128, 129}));
  const Vector& first = nics[0].vectors[0];
  EXPECT_EQ(first.name, "enp1s0");
  EXPECT_EQ(first.role, Vector::Role::unknown);
  EXPECT_FALSE(first.queue);
  EXPECT_EQ(first.affinity, (CpuSet{{0, 1, 2, 3}}));
  EXPECT_EQ(first.effective_affinity, (CpuSet{{3}}));
  EXPECT_EQ(first.by_cpu, (std::vector<uint64_t>{128, 0}));
  EXPECT_EQ(nics[0].vectors[1].role, Vector::Role::both);
}

TEST_F(NicVectors, OfTheFunctionBelowVirtio) {
  put("eth0", "pci0/0000:00:03.0/virtio2", "virtio");
  for (const char* irq : {"37", "38", "39"})
    root_.write("/sys/devices/pci0/0000:00:03.0/msi_irqs/" + std::string(irq), "msix\n");
  std::vector<Nic> nics = {nic_named("eth0", 2)};
  add_vectors(fs_, interrupts({{37, "virtio2-config"}, {38, "virtio2-input.0"}, {39, "virtio2-output.0"}}),
              nics);
  ASSERT_EQ(irqs(nics[0]), (std::vector<uint32_t>{37, 38, 39}));
  EXPECT_EQ(nics[0].vectors[1].role, Vector::Role::rx);
  EXPECT_EQ(nics[0].vectors[1].queue, 0u);
}

TEST_F(NicVectors, ByNameWithoutMsi) {
  put("eth0", "pci0/0000:00:04.0", "pci");
  root_.write("/sys/devices/pci0/msi_irqs/30", "msi\n");  // the bridge's
  put("eth1", "platform0/virtio7", "virtio");
  std::vector<Nic> nics = {nic_named("eth0", 2), nic_named("eth1", 3)};
  add_vectors(
      fs_, interrupts({{11, "ehci_hcd:usb2, eth0"}, {12, "virtio7"}, {13, "eth01"}, {30, "pcieport"}}), nics);
  EXPECT_EQ(irqs(nics[0]), (std::vector<uint32_t>{11}));
  EXPECT_EQ(irqs(nics[1]), (std::vector<uint32_t>{12}));
}

TEST_F(NicVectors, PortsOfOneFunctionAreToldApart) {
  put("eth0", "pci0/0000:05:00.0", "pci");
  root_.link("/sys/class/net/eth1/device", "../../../devices/pci0/0000:05:00.0");
  put("lan", "pci0/0000:06:00.0", "pci");
  for (const char* irq : {"40", "41", "42"})
    root_.write("/sys/devices/pci0/0000:05:00.0/msi_irqs/" + std::string(irq), "msix\n");
  // `lan` was eth0 when its driver named this.
  root_.write("/sys/devices/pci0/0000:06:00.0/msi_irqs/50", "msix\n");
  std::vector<Nic> nics = {nic_named("eth0", 2), nic_named("eth1", 3), nic_named("lan", 4)};
  add_vectors(
      fs_,
      interrupts({{40, "mlx4-async@pci:0000:05:00.0"}, {41, "eth0-0"}, {42, "eth1-0"}, {50, "eth0-rx-0"}}),
      nics);
  EXPECT_EQ(irqs(nics[0]), (std::vector<uint32_t>{40, 41}));
  EXPECT_EQ(irqs(nics[1]), (std::vector<uint32_t>{40, 42}));
  EXPECT_EQ(irqs(nics[2]), (std::vector<uint32_t>{50}));
}

TEST_F(NicVectors, KernelDevicesHaveNone) {
  std::vector<Nic> nics = {nic_named("eth0", 2)};
  nics[0].physical = false;
  add_vectors(fs_, interrupts({{40, "eth0"}}), nics);
  EXPECT_TRUE(nics[0].vectors.empty());
}

}  // namespace
}  // namespace nettoll
