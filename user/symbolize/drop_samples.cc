// SPDX-License-Identifier: Apache-2.0
#include "symbolize/drop_samples.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "model/exact_frame.h"
#include "symbolize/address_namer.h"
#include "symbolize/drop_rows.h"
#include "symbolize/packet_headers.h"

namespace nettoll {
namespace {

Symbol readable(const std::optional<Hit>& hit) {
  return hit ? readable_symbol(*hit) : Symbol{kUnknownName, "", SymbolKind::unknown};
}

/// The symbol of a return address: a call may be the last thing in a function.
Symbol caller_of(uint64_t address, const KernelSymbols& symbols) {
  return readable(symbols.find(address - 1));
}

/// The symbol of a location that the kernel gave: some functions give themselves in place of a return
/// address.
Symbol symbol_of_location(uint64_t location, const KernelSymbols& symbols) {
  const auto hit = symbols.find(location);
  return hit && hit->start == location ? readable(hit) : caller_of(location, symbols);
}

bool is_softirq(const Symbol& symbol) {
  constexpr std::array<std::string_view, 5> kEntries = {"handle_softirqs", "__do_softirq", "do_softirq",
                                                        "net_rx_action", "net_tx_action"};
  return std::find(kEntries.begin(), kEntries.end(), symbol.name) != kEntries.end();
}

}  // namespace

DropSample name_drop_sample(RawDropSample raw, const DropSampleNames& names) {
  DropSample sample;
  DropOrigin origin = find_drop_origin(raw.location, raw.stack, names.code);
  RawDrops drop;
  drop.reason = raw.reason;
  drop.location = origin.location;
  drop.protocol = raw.protocol;
  drop.id = raw.id;
  drop.device = raw.device;
  drop.packets = 1;
  drop.helper = std::move(origin.helper);
  drop.transmitting = origin.transmitting;
  const bool looked_through = origin.location != raw.location;
  const Symbol where = looked_through ? caller_of(origin.location, names.symbols)
                                      : symbol_of_location(raw.location, names.symbols);
  sample.drop = name_drop(drop, where, names.reasons, names.has_reasons);
  for (const uint64_t address : stack_from_location(raw.location, raw.stack)) {
    const bool exact = !sample.stack.empty() && frame_below_is_exact(sample.stack.back());
    sample.stack.push_back(exact ? readable(names.symbols.find(address)) : caller_of(address, names.symbols));
  }
  sample.in_softirq = std::any_of(sample.stack.begin(), sample.stack.end(), is_softirq);
  sample.headers = parse_packet(raw.bytes, raw.begin, raw.network_offset, raw.network_protocol);
  sample.flow = flow_text(sample.headers);
  if (sample.headers.transport) sample.transport = transport_name(*sample.headers.transport);
  if (sample.headers.tcp_flags) sample.tcp_flags = tcp_flags_text(*sample.headers.tcp_flags);
  sample.raw = std::move(raw);
  return sample;
}

}  // namespace nettoll
