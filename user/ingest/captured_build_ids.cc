// SPDX-License-Identifier: Apache-2.0
#include "ingest/captured_build_ids.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "ingest/module_path.h"

namespace nettoll {
namespace {

/// As Symbol::module has it, of kernel code and of user code.
std::string kernel_module(std::string_view path) {
  return is_kernel_path(path) ? kVmlinux : module_of_path(path);
}

}  // namespace

std::vector<ModuleBuildId> captured_build_ids(const std::vector<FileBuildId>& files,
                                              const std::vector<Symbol>& symbols) {
  std::set<std::string_view> kernel, user;
  for (const Symbol& symbol : symbols) {
    if (symbol.module.empty() || symbol.kind == SymbolKind::bpf) continue;
    (symbol.kind == SymbolKind::kernel ? kernel : user).insert(symbol.module);
  }
  std::map<std::string, std::set<std::string>> found;
  for (const auto& [path, build_id] : files) {
    if (build_id.empty()) continue;
    if (std::string module = kernel_module(path); kernel.contains(module))
      found[std::move(module)].emplace(build_id);
    else if (user.contains(path))
      found[std::string(path)].emplace(build_id);
  }
  std::vector<ModuleBuildId> ids;
  for (const auto& [module, builds] : found) {
    if (builds.size() == 1) ids.push_back({module, *builds.begin()});
  }
  return ids;
}

}  // namespace nettoll
