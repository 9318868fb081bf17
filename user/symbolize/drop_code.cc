// SPDX-License-Identifier: Apache-2.0
#include "symbolize/drop_code.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "symbolize/symbol_names.h"

namespace nettoll {
namespace {

/// Functions that call a driver's ndo_start_xmit.
constexpr std::array<std::string_view, 4> kTransmit = {"dev_hard_start_xmit", "__dev_direct_xmit",
                                                       "dev_direct_xmit", "netpoll_start_xmit"};

/// No helper comes near: more means that its end is not known.
constexpr uint64_t kLongest = 16384;

bool transmits(std::string_view name) {
  return std::find(kTransmit.begin(), kTransmit.end(), name) != kTransmit.end();
}

}  // namespace

DropCode find_drop_code(const KernelSymbols& symbols) {
  DropCode code;
  // Functions that wait for their end, all at one address.
  std::vector<std::pair<std::vector<CodeRange>*, CodeRange>> open;
  symbols.for_each_function([&](const Hit& hit) {
    if (!open.empty() && hit.start > open.front().second.begin) {
      for (auto& [list, range] : open) {
        range.end = std::min(hit.start, range.begin + kLongest);
        // Aliases are one piece of code.
        if (list->empty() || list->back().begin != range.begin) list->push_back(std::move(range));
      }
      open.clear();
    }
    if (hit.kind != SymbolKind::kernel || hit.module != kVmlinux) return;
    const std::string_view name = base_name(hit.name);
    auto* list = is_free_helper(name) ? &code.helpers : transmits(name) ? &code.transmit : nullptr;
    if (list) open.push_back({list, {std::string(name), hit.start, 0}});
  });
  for (auto& [list, range] : open) {
    range.end = range.begin + kLongest;
    list->push_back(std::move(range));
  }
  return code;
}

}  // namespace nettoll
