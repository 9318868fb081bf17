// SPDX-License-Identifier: Apache-2.0
// Functions in call chains, as a person reads them.
#pragma once

#include <string>

#include "model/function.h"

namespace nettoll {

/// A function in a call chain: "ip_rcv"; with its module where it is no part of the kernel itself,
/// "veth_xmit [veth]"; code without a name with where it is, "[unknown] (/usr/bin/app)".
std::string frame_label(const Symbol& symbol);

}  // namespace nettoll
