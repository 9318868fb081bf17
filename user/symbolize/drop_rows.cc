// SPDX-License-Identifier: Apache-2.0
#include "symbolize/drop_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "symbolize/drop_names.h"

namespace nettoll {
namespace {

auto identity(const Drops& drop) {
  return std::tie(drop.reason, drop.subsystem, drop.function, drop.module, drop.protocol, drop.device,
                  drop.netns, drop.helper, drop.transmitting);
}

}  // namespace

Drops name_drop(const RawDrops& drop, const Symbol& where, const DropReasonNames& names, bool has_reasons) {
  Drops named;
  if (has_reasons) {
    named.reason = drop_reason_name(names, drop.reason);
    named.subsystem = drop_subsystem_name(names, drop.reason);
  } else {
    named.reason = kUnclassified;
  }
  const bool known = where.kind != SymbolKind::unknown;
  named.function = known ? where.name : fmt::format("{:#x}", drop.location);
  named.module = where.module;
  named.protocol = protocol_name(drop.protocol);
  named.device = drop.device;
  named.netns = drop.id.netns;
  named.packets = drop.packets;
  named.helper = drop.helper;
  named.transmitting = drop.transmitting;
  return named;
}

std::vector<Drops> merge_drops(std::vector<Drops> drops) {
  std::sort(drops.begin(), drops.end(),
            [](const Drops& a, const Drops& b) { return identity(a) < identity(b); });
  size_t kept = 0;
  for (size_t i = 0; i < drops.size(); ++i) {
    if (kept > 0 && identity(drops[kept - 1]) == identity(drops[i])) {
      drops[kept - 1].packets += drops[i].packets;
    } else {
      if (kept != i) drops[kept] = std::move(drops[i]);
      ++kept;
    }
  }
  drops.resize(kept);
  return drops;
}

}  // namespace nettoll
