// SPDX-License-Identifier: Apache-2.0
// The protocol that is asked for, as the kernel side has it.
#pragma once

#include <arpa/inet.h>

#include "bpf/shared.h"
#include "model/drop_sample.h"

namespace nettoll {

static_assert(kMostVlanTags == NT_VLAN_TAGS && kMostExtensionHeaders == NT_IPV6_EXTENSIONS);

/// Sets nt_protocol of a program. The skeleton's struct is another type with the same fields.
template <typename Filter>
void set_protocol_filter(const ProtocolFilter& from, Filter& to) {
  if (!from.transports.empty()) {
    to.kind = NT_PROTOCOL_TRANSPORT;
    to.transport[0] = from.transports.front();
    to.transport[1] = from.transports.back();
  } else if (from.ethertype) {
    to.kind = NT_PROTOCOL_ETHERTYPE;
    to.ethertype = htons(*from.ethertype);
  }
}

}  // namespace nettoll
