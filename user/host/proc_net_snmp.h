// SPDX-License-Identifier: Apache-2.0
// The counters of protocols: /proc/net/snmp, netstat (net/ipv4/proc.c) and snmp6 (net/ipv6/proc.c).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace nettoll {

using ProtocolCounters = std::map<std::string, uint64_t>;

/// snmp and netstat: pairs of lines, names then values, as "Udp.RcvbufErrors" and "TcpExt.ListenDrops".
/// Values below zero (Tcp.MaxConn: no limit) are left out. Fails on lines that are no pair and on values that
/// are no numbers.
Result<ProtocolCounters> parse_snmp(std::string_view text);

/// snmp6: a name and a value a line. The protocol's name ends with its 6: "Udp6.RcvbufErrors".
Result<ProtocolCounters> parse_snmp6(std::string_view text);

/// Whether it is no counter but a state or setting, such as "Tcp.CurrEstab".
bool is_protocol_gauge(std::string_view name);

}  // namespace nettoll
