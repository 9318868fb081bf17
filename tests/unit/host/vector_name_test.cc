// SPDX-License-Identifier: Apache-2.0
#include "host/vector_name.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

using Role = Vector::Role;

TEST(VectorName, Meaning) {
  const struct {
    const char* name;
    const char* device;
    Role role;
    std::optional<uint32_t> queue;
  } cases[] = {
      {"eth0-TxRx-3", "eth0", Role::both, 3},
      {"i40e-eth0-TxRx-0", "eth0", Role::both, 0},
      {"ice-enp59s0f0np0-TxRx-17", "enp59s0f0np0", Role::both, 17},
      {"hns3-0000:7d:00.0-TxRx-3", "eth1", Role::both, 3},
      {"eth0-rxtx-0", "eth0", Role::both, 0},
      {"ens3-Tx-Rx-1", "ens3", Role::both, 1},
      {"mlx5_comp7@pci:0000:3b:00.0", "enp59s0f0np0", Role::both, 7},
      {"mana_q2@pci:7870:00:00.0", "eth0", Role::both, 2},
      {"eth0-fp-4", "eth0", Role::both, 4},
      {"eth2-3", "eth2", Role::both, 3},
      {"eth2-q3", "eth2", Role::both, 3},
      {"eth2-3", "ens1", Role::unknown, std::nullopt},
      {"eth0-rx-2", "eth0", Role::rx, 2},
      {"eth0-tx-2", "eth0", Role::tx, 2},
      {"eth0:rx-1", "eth0", Role::rx, 1},
      {"eth0-Rx3", "eth0", Role::rx, 3},
      {"eth0-rx", "eth0", Role::rx, std::nullopt},
      {"virtio3-input.2", "eth0", Role::rx, 2},
      {"virtio3-output.12", "eth0", Role::tx, 12},
      {"virtio3-virtqueues", "eth0", Role::both, std::nullopt},
      {"virtio3-config", "eth0", Role::other, std::nullopt},
      {"eth0-q3-rx", "eth0", Role::rx, 3},
      {"eth0-q3-tx", "eth0", Role::tx, 3},
      {"mlx5_async0@pci:0000:3b:00.0", "eth0", Role::other, std::nullopt},
      {"mlx5_pages_eq@pci:0000:3b:00.0", "eth0", Role::other, std::nullopt},
      {"mlx4-async@pci:0000:03:00.0", "eth0", Role::other, std::nullopt},
      {"i40e-0000:3b:00.0:misc", "eth0", Role::other, std::nullopt},
      {"ena-mgmnt@pci:0000:00:05.0", "ens5", Role::other, std::nullopt},
      {"eth0-event-8", "eth0", Role::other, std::nullopt},
      {"enp1s0", "enp1s0", Role::unknown, std::nullopt},
      {"eth0", "eth0", Role::unknown, std::nullopt},
      {"eth0", "lan", Role::unknown, std::nullopt},
      {"rx-0", "rx-0", Role::unknown, std::nullopt},
      {"tg3x", "eth0", Role::unknown, std::nullopt},
      {"vortex-0", "eth0", Role::unknown, std::nullopt},
      {"gve-ntfy-blk3@pci:0000:00:04.0", "ens4", Role::unknown, std::nullopt},
      {"mlx4-3@0000:03:00.0", "eth0", Role::unknown, std::nullopt},
      {"eth0-rx-4294967296", "eth0", Role::rx, std::nullopt},
      {"ehci_hcd:usb2, eth0-TxRx-1", "eth0", Role::both, 1},
      {"", "eth0", Role::unknown, std::nullopt},
      {"@", "eth0", Role::unknown, std::nullopt},
      {"7", "eth0", Role::unknown, std::nullopt},
  };
  for (const auto& c : cases) {
    const VectorMeaning meaning = meaning_of_vector(c.name, c.device);
    EXPECT_EQ(static_cast<int>(meaning.role), static_cast<int>(c.role)) << c.name << " of " << c.device;
    EXPECT_EQ(meaning.queue, c.queue) << c.name << " of " << c.device;
  }
}

TEST(VectorName, NamesADevice) {
  const struct {
    const char* name;
    const char* device;
    bool names;
  } cases[] = {
      {"eth0", "eth0", true},
      {"eth0-rx-1", "eth0", true},
      {"i40e-eth0-TxRx-0", "eth0", true},
      {"ehci_hcd:usb2, eth0", "eth0", true},
      {"eth01", "eth0", false},
      {"xeth0", "eth0", false},
      {"veth0-eth0", "eth0", true},
      {"eth1-rx-0", "eth0", false},
      {"virtio3", "virtio3", true},
      {"virtio31", "virtio3", false},
      {"eth0", "", false},
      {"", "eth0", false},
  };
  for (const auto& c : cases)
    EXPECT_EQ(names_device(c.name, c.device), c.names) << c.name << " of " << c.device;
}

}  // namespace
}  // namespace nettoll
