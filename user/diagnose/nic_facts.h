// SPDX-License-Identifier: Apache-2.0
// Where the packets of a device went: which queue, which vector, which CPU.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/cpu_facts.h"
#include "model/host_state.h"
#include "model/profile.h"

namespace nettoll {

/// Where the load by queue was read.
enum class LoadSource : uint8_t {
  none,
  driver,      ///< packets, from the driver's statistics
  traced,      ///< packets, from the queues that drivers record in skbs
  interrupts,  ///< interrupts of the queue's vector: fewer than packets where a queue is busy
};

/// "packets" or "interrupts".
const char* unit_of(LoadSource source);

struct QueueLoad {
  uint32_t queue = 0;
  double amount = 0;
  double part = 0;  ///< of the device
  std::optional<uint32_t>
      irq;  ///< of its vector where that does not say which queue it is; `queue` is then 0
};

/// A vector that serves a receive queue, or may do so where its name tells nothing.
struct Receiver {
  const Vector* vector = nullptr;
  double amount = 0;
  double part = 0;
  bool busy = false;            ///< takes part in the load
  std::optional<uint32_t> cpu;  ///< that served it in the window
};

/// The hash fields of the flows that this device may carry.
enum class HashFields : uint8_t { unknown, with_ports, addresses_only };

struct NicFacts {
  const Nic* nic = nullptr;
  double packets = 0;                  ///< received
  double rate = 0;                     ///< a second
  std::string idle;                    ///< why its traffic cannot be judged; empty where it can
  std::optional<uint32_t> queues;      ///< receive queues in use
  std::optional<uint32_t> max_queues;  ///< that it could have
  LoadSource source = LoadSource::none;
  std::vector<QueueLoad> load;  ///< by queue
  std::optional<QueueLoad> hottest;
  std::vector<Receiver> receivers;
  std::map<uint32_t, double> by_cpu;     ///< part of the load, by CPU that serves it
  std::optional<uint32_t> hot_cpu;       ///< the one with the most
  std::optional<double> heat;            ///< largest part of a serving CPU's time in receive work
  std::map<uint32_t, uint32_t> buckets;  ///< of the indirection table, by queue; empty where there is none
  HashFields hash = HashFields::unknown;
  std::vector<std::string> without_ports;  ///< protocols hashed on addresses alone
  bool rps_known = false;                  ///< for every receive queue
  CpuSet rps;                              ///< union of all masks

  const char* unit() const { return unit_of(source); }
  /// CPU of the vector of a queue.
  std::optional<uint32_t> cpu_of_queue(uint32_t queue) const;
  size_t busy_receivers() const;
};

NicFacts nic_facts(const Nic& nic, const HostState& window, const Profile* profile,
                   const std::vector<CpuFacts>& cpus);

}  // namespace nettoll
