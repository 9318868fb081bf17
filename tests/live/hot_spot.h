// SPDX-License-Identifier: Apache-2.0
// A known hot spot: a packet filter of many rules, none of which matches, in the receive path of one
// namespace.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "live/netns.h"

namespace nettoll::live {

/// Which of the kernel's packet filters walks the rules.
enum class HotSpotKind { iptables, nftables };

/// The kernel functions a hot spot makes hot, hottest first.
///
/// Measured by cpu-clock samples with 500 rules on Linux 6.18: of the time under net_rx_action, ipt_do_table
/// takes 72% by itself (ip_packet_match() is inlined into it), nft_do_chain 66% (payload and compare
/// expressions have fast paths inside it); without the rules neither appears. Rules without a source address
/// would move the time into udp_mt, the module's match.
const std::vector<std::string>& hot_functions(HotSpotKind kind);

/// Rules in the INPUT hook of a namespace, gone with the object. The namespace must outlive it.
class HotSpot {
 public:
  /// Adds `rules` rules. 1,000 make a packet a few times as dear as it is without. An error names the tool
  /// that is missing.
  static Result<HotSpot> add(const NetNs& ns, HotSpotKind kind, unsigned rules = 1000);

  HotSpot(HotSpot&& other) noexcept : ns_(std::exchange(other.ns_, nullptr)), kind_(other.kind_) {}
  HotSpot& operator=(HotSpot&&) = delete;
  HotSpot(const HotSpot&) = delete;
  HotSpot& operator=(const HotSpot&) = delete;
  ~HotSpot();

  HotSpotKind kind() const { return kind_; }
  /// Takes the rules away before the object ends.
  Status remove();

 private:
  HotSpot(const NetNs& ns, HotSpotKind kind) : ns_(&ns), kind_(kind) {}
  const NetNs* ns_;
  HotSpotKind kind_;
};

/// The first kind that works here, tried in a namespace of its own; an error names what each lacks.
Result<HotSpotKind> usable_hot_spot();

}  // namespace nettoll::live
