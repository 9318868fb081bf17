// SPDX-License-Identifier: Apache-2.0
#include "symbolize/module_list.h"

namespace nettoll {

std::string module_fingerprint(std::string_view proc_modules) {
  std::string print;
  while (!proc_modules.empty()) {
    const size_t end = proc_modules.find('\n');
    std::string_view line = proc_modules.substr(0, end);
    proc_modules.remove_prefix(end == std::string_view::npos ? proc_modules.size() : end + 1);
    for (int column = 0; !line.empty() && column < 6; ++column) {
      const size_t space = line.find(' ');
      if (column == 0 || column >= 4) print.append(line.substr(0, space)).append(" ");
      line.remove_prefix(space == std::string_view::npos ? line.size() : space + 1);
    }
    print += '\n';
  }
  return print;
}

}  // namespace nettoll
