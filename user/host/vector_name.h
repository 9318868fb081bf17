// SPDX-License-Identifier: Apache-2.0
// What a driver's name for an interrupt says.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/host_state.h"

namespace nettoll {

struct VectorMeaning {
  Vector::Role role = Vector::Role::unknown;
  std::optional<uint32_t> queue;
  bool operator==(const VectorMeaning&) const = default;
};

/// Reads a name of /proc/interrupts, such as "eth0-TxRx-3", "virtio3-input.2" or
/// "mlx5_comp7@pci:0000:3b:00.0". Where several handlers share the interrupt, what the first says whose name
/// is clear. `device` is the name of the network device.
VectorMeaning meaning_of_vector(std::string_view name, std::string_view device);

/// Whether a handler in `name` is called after `device`: "eth0", "eth0-rx-1", "i40e-eth0-TxRx-0"; not
/// "eth01".
bool names_device(std::string_view name, std::string_view device);

}  // namespace nettoll
