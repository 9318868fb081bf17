// SPDX-License-Identifier: Apache-2.0
#include "diagnose/qdisc_losses.h"

#include <algorithm>
#include <string_view>

namespace nettoll {
namespace {

/// Kernels nest them less deep; keeps odd input from going round.
constexpr int kDeepest = 8;

/// "8001" of "8001:1". The kernel's own mq has handle 0, and its children say ":1".
std::string_view major_of(std::string_view handle) {
  const std::string_view major = handle.substr(0, handle.find(':'));
  return major.empty() ? "0" : major;
}

bool is_root(const Qdisc& qdisc) {
  return qdisc.parent == "root";
}

bool is_queue(const Qdisc& qdisc) {
  return qdisc.kind != "clsact" && qdisc.kind != "ingress";
}

/// Handle 0 is shared by all that nobody gave one, and of these the root alone has children.
bool is_below(const Qdisc& child, const Qdisc& parent) {
  const std::string_view major = major_of(parent.handle);
  return &child != &parent && is_queue(child) && !is_root(child) && major_of(child.parent) == major &&
         (major != "0" || is_root(parent));
}

uint64_t dropped_below(const Nic& nic, const Qdisc& parent, int depth) {
  if (depth == kDeepest) return 0;
  uint64_t sum = 0;
  for (const Qdisc& child : nic.qdiscs) {
    if (is_below(child, parent)) sum += std::max(child.drops, dropped_below(nic, child, depth + 1));
  }
  return sum;
}

}  // namespace

std::vector<QdiscLoss> qdisc_losses(const Nic& nic) {
  std::vector<QdiscLoss> losses;
  for (const Qdisc& qdisc : nic.qdiscs) {
    if (!is_queue(qdisc)) continue;
    const uint64_t below = dropped_below(nic, qdisc, 0);
    if (qdisc.drops > below) losses.push_back({&qdisc, qdisc.drops - below});
  }
  return losses;
}

}  // namespace nettoll
