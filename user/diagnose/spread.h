// SPDX-License-Identifier: Apache-2.0
// Why the receive load of a device is where it is: one cause for each of two questions.
//
// Which queues get the packets is decided by the device (channels, indirection table, hash); which CPUs serve
// these queues by the affinity of interrupts. The same hot CPU may come from either, and the remedy for one
// does nothing for the other. So each question has one answer, decided here, and rules put it in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnose/nic_facts.h"

namespace nettoll {

enum class QueueCause : uint8_t {
  unknown,           ///< see `why_queues`
  fine,              ///< spread, or nothing to spread
  idle,              ///< too little traffic, or one CPU
  single_queue,      ///< the device has one, and RPS is off
  too_few_channels,  ///< it could have more
  not_in_effect,     ///< one queue of several, because of the table or for a reason not known
  table_leaves_out,  ///< queues that the table never names
  table_uneven,      ///< and the load follows it
  addresses_only,    ///< the hash leaves ports out, and load gathers
  dominant_flow,     ///< one queue though table and hash would spread flows
};

enum class VectorCause : uint8_t {
  unknown,
  fine,
  idle,
  one_cpu,   ///< all busy vectors on one CPU
  collide,   ///< two on one CPU while another has none
  off_node,  ///< on CPUs far from the device
};

struct Spread {
  QueueCause queues = QueueCause::unknown;
  std::string why_queues;  ///< for unknown and idle
  VectorCause vectors = VectorCause::unknown;
  std::string why_vectors;
};

inline bool is_found(QueueCause cause) {
  return cause > QueueCause::idle;
}
inline bool is_found(VectorCause cause) {
  return cause > VectorCause::idle;
}

/// `near` are the CPUs of the device's node, or all.
Spread spread_of(const NicFacts& nic, const std::vector<CpuFacts>& cpus, const CpuSet& near);

/// CPUs that serve at least two busy vectors.
std::vector<uint32_t> crowded_cpus(const NicFacts& nic);
/// CPUs of `near` that serve no busy vector, whole or in part.
std::vector<uint32_t> spare_cpus(const NicFacts& nic, const CpuSet& near);
/// Part of the load on CPUs of other nodes; empty where a node is not known or there is one alone.
std::optional<double> off_node_part(const NicFacts& nic, const std::vector<CpuFacts>& cpus);
/// Queues in use that the indirection table never names; none where there is no table.
std::vector<uint32_t> left_out_queues(const NicFacts& nic);
/// The largest number of buckets of a queue in multiples of the mean over the queues that the table names.
double table_peak(const NicFacts& nic);
/// The queue that the table sends nearly everything to, and which part; empty where it names several, and
/// where there is no table.
std::optional<QueueLoad> table_queue(const NicFacts& nic);

}  // namespace nettoll
