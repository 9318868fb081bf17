// SPDX-License-Identifier: Apache-2.0
#include "diagnose/driver_counters.h"

#include <algorithm>
#include <cctype>

namespace nettoll {
namespace {

struct Row {
  std::string_view name;  ///< without the number of a queue
  DriverCounter kind;
};

// clang-format off
constexpr Row kRows[] = {
    {"rx_missed_errors", DriverCounter::ring_full},       // igb, ixgbe, e1000e
    {"rx_missed", DriverCounter::ring_full},              // r8169, atlantic
    {"rx_no_buffer_count", DriverCounter::ring_full},     // e1000e, igb: met no buffer, and waited in the FIFO
    {"rx_fifo_errors", DriverCounter::ring_full},         // ixgbe, be2net
    {"rx_over_errors", DriverCounter::ring_full},         // e1000e
    {"rx_out_of_buffer", DriverCounter::ring_full},       // mlx5
    {"rx_discards_phy", DriverCounter::ring_full},        // mlx5: no room in the port's buffer
    {"port.rx_discards", DriverCounter::ring_full},       // i40e
    {"rx_dropped.nic", DriverCounter::ring_full},         // ice
    {"rx_no_dma_resources", DriverCounter::ring_full},    // ixgbe
    {"rx_queue_drop_packet_count", DriverCounter::ring_full},  // igb
    {"rx_drops", DriverCounter::dropped},                 // virtio_net by queue, gve
    {"rx_drop_no_bufs", DriverCounter::ring_full},        // be2net
    {"rx_dropped", DriverCounter::dropped},               // i40e, gve
    {"rx_alloc_failed", DriverCounter::no_memory},        // igb
    {"alloc_rx_buff_failed", DriverCounter::no_memory},   // ixgbe, e1000
    {"rx_alloc_fail", DriverCounter::no_memory},          // i40e
    {"rx_refill", DriverCounter::no_memory},              // ena
    {"rx_refil_partial", DriverCounter::no_memory},       // ena, spelt so
    {"rx_page_alloc_fail", DriverCounter::no_memory},     // ena
    {"rx_buff_alloc_err", DriverCounter::no_memory},      // mlx5
    {"rx_crc_errors", DriverCounter::bad_frame},          // most
    {"rx_crc_errors_phy", DriverCounter::bad_frame},      // mlx5
    {"rx_length_errors", DriverCounter::bad_frame},
    {"rx_frame_errors", DriverCounter::bad_frame},
    {"tx_dropped", DriverCounter::transmit},
    {"tx_queue_dropped", DriverCounter::transmit},        // mlx5
    {"tx_errors", DriverCounter::transmit},
};
// clang-format on

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The name without the number of a queue: "rx_queue_3_drops" and "rx3_drops" are "rx_drops",
/// "queue_0_rx_refill" is "rx_refill".
std::string without_queue(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    if (!std::isdigit(static_cast<unsigned char>(name[i]))) {
      out += name[i];
      continue;
    }
    while (i + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[i + 1]))) ++i;
    if (!out.empty() && (out.back() == '_' || out.back() == '-')) out.pop_back();
  }
  for (const std::string_view word : {"queue_", "_queue"}) {
    const size_t at = out.find(word);
    if (at != std::string::npos) out.erase(at, word.size());
  }
  return out;
}

DriverCounter of_plain(std::string_view name) {
  if (contains(name, "xdp")) {
    for (const std::string_view bad : {"err", "exception", "abort", "invalid", "fail", "full"}) {
      if (contains(name, bad)) return DriverCounter::xdp_failure;
    }
    return contains(name, "drop") ? DriverCounter::xdp_drop : DriverCounter::other;
  }
  for (const auto& row : kRows) {
    if (row.name == name) return row.kind;
  }
  return DriverCounter::other;
}

}  // namespace

bool is_queue_counter(std::string_view name) {
  return std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); });
}

DriverCounter driver_counter(std::string_view name) {
  const DriverCounter whole = of_plain(name);
  if (whole != DriverCounter::other || !is_queue_counter(name)) return whole;
  return of_plain(without_queue(name));
}

std::vector<DriverLoss> driver_losses(const Nic& nic, DriverCounter kind) {
  if (!nic.statistics) return {};
  std::vector<DriverLoss> totals;
  std::map<std::string, uint64_t> queues;  // by the name without the queue
  for (const auto& [name, value] : *nic.statistics) {
    if (value == 0 || driver_counter(name) != kind) continue;
    if (is_queue_counter(name)) {
      queues[without_queue(name)] += value;
    } else {
      totals.push_back({name, value});
    }
  }
  for (const auto& [name, value] : queues) {
    const bool has_total = std::any_of(totals.begin(), totals.end(),
                                       [&](const DriverLoss& total) { return total.name == name; });
    if (!has_total) totals.push_back({name, value});
  }
  return totals;
}

uint64_t driver_loss(const Nic& nic, DriverCounter kind) {
  uint64_t most = 0;
  for (const auto& loss : driver_losses(nic, kind)) most = std::max(most, loss.packets);
  return most;
}

uint64_t ring_losses(const Nic& nic) {
  uint64_t dropped = 0;
  if (nic.statistics) {
    dropped = driver_loss(nic, DriverCounter::dropped);
  } else {
    for (const auto& queue : nic.rx_queues) dropped += queue.drops.value_or(0);
  }
  const uint64_t xdp =
      driver_loss(nic, DriverCounter::xdp_drop) + driver_loss(nic, DriverCounter::xdp_failure);
  dropped -= std::min(dropped, xdp);
  return std::max(
      {driver_loss(nic, DriverCounter::ring_full), nic.link.rx_missed, nic.link.rx_fifo, dropped});
}

}  // namespace nettoll
