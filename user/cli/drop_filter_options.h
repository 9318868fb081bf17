// SPDX-License-Identifier: Apache-2.0
// Which drops are meant: --reason, --dev, --netns, --proto.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "model/drop_reasons.h"
#include "model/drop_sample.h"
#include "model/raw_batch.h"

namespace nettoll {

struct DropFilterOptions {
  std::vector<std::string> reasons;
  std::optional<std::string> device;
  std::optional<std::string> netns;
  std::optional<std::string> protocol;
};

/// The reasons of those names, with or without SKB_DROP_REASON_ and "subsystem:", letters compared without
/// case; or numbers. Usage errors: a name that this kernel lacks, with the near ones; too many.
Result<std::vector<uint32_t>> parse_drop_reasons(const std::vector<std::string>& names,
                                                 const DropReasonNames& known);

/// Sets the protocol of a filter: none, ip, ipv4, ip6, ipv6, arp, tcp, udp, icmp, or an EtherType such as
/// 0x88cc.
Status parse_drop_protocol(const std::string& name, DropFilter& filter);

/// All of it. Usage errors also: a device that the namespace lacks. A device without a namespace is one of
/// ours.
Result<DropFilter> drop_filter(const DropFilterOptions& options, const DropReasonNames& known,
                               bool has_reasons, const KernelFs& fs);

/// Whether counted drops match but for the protocol, which the kernel side has chosen by.
bool matches(const DropFilter& filter, const RawDrops& drops);

}  // namespace nettoll
