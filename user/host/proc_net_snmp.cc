// SPDX-License-Identifier: Apache-2.0
#include "host/proc_net_snmp.h"

#include <algorithm>
#include <vector>

#include "host/text.h"

namespace nettoll {

Result<ProtocolCounters> parse_snmp(std::string_view text) {
  ProtocolCounters counters;
  while (!text.empty()) {
    const std::vector<std::string_view> names = words_of(take_line(text));
    if (names.empty()) continue;
    const std::vector<std::string_view> values = words_of(take_line(text));
    if (!names[0].ends_with(':') || values.size() != names.size() || values[0] != names[0])
      return failure(fmt::format("the lines of '{}' are no pair of names and values", names[0]));
    const std::string protocol(names[0].substr(0, names[0].size() - 1));
    for (size_t i = 1; i < names.size(); ++i) {
      const bool negative = values[i].starts_with('-');
      const auto value = number_of(negative ? values[i].substr(1) : values[i]);
      if (!value) return failure(fmt::format("{}.{} is '{}', no number", protocol, names[i], values[i]));
      if (!negative) counters[fmt::format("{}.{}", protocol, names[i])] = *value;
    }
  }
  return counters;
}

Result<ProtocolCounters> parse_snmp6(std::string_view text) {
  ProtocolCounters counters;
  while (!text.empty()) {
    const std::vector<std::string_view> words = words_of(take_line(text));
    if (words.empty()) continue;
    const size_t six = words[0].find('6');
    const auto value = words.size() == 2 ? number_of(words[1]) : std::nullopt;
    if (six == std::string_view::npos || !value)
      return failure(fmt::format("the line of '{}' is no name and value", words[0]));
    counters[fmt::format("{}.{}", words[0].substr(0, six + 1), words[0].substr(six + 1))] = *value;
  }
  return counters;
}

bool is_protocol_gauge(std::string_view name) {
  constexpr std::string_view kGauges[] = {"Ip.Forwarding", "Ip.DefaultTTL", "Tcp.RtoAlgorithm", "Tcp.RtoMin",
                                          "Tcp.RtoMax",    "Tcp.MaxConn",   "Tcp.CurrEstab"};
  return std::find(std::begin(kGauges), std::end(kGauges), name) != std::end(kGauges);
}

}  // namespace nettoll
