// SPDX-License-Identifier: Apache-2.0
#include "symbolize/host_build_ids.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>

#include "symbolize/kernel_match.h"

namespace nettoll {

std::vector<ModuleBuildId> host_build_ids(const std::vector<Symbol>& symbols, const KernelFs& fs) {
  std::set<std::string_view> modules;
  for (const Symbol& symbol : symbols) {
    if (symbol.kind == SymbolKind::kernel && !symbol.module.empty()) modules.insert(symbol.module);
  }
  std::vector<ModuleBuildId> ids;
  for (const std::string_view module : modules) {
    const auto notes =
        fs.read(module == kVmlinux ? "/sys/kernel/notes"
                                   : fmt::format("/sys/module/{}/notes/.note.gnu.build-id", module));
    if (!notes) continue;
    if (std::string id = build_id_of_notes(*notes); !id.empty())
      ids.push_back({std::string(module), std::move(id)});
  }
  return ids;
}

}  // namespace nettoll
