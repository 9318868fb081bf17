// SPDX-License-Identifier: Apache-2.0
#include "collect/traceable_functions.h"

namespace nettoll {

TraceableFunctions TraceableFunctions::load(const KernelFs& fs) {
  TraceableFunctions functions;
  for (const char* file : {"/sys/kernel/tracing/available_filter_functions",
                           "/sys/kernel/debug/tracing/available_filter_functions"}) {
    std::unordered_set<std::string> names;
    std::string line;  // the start of one that the next piece goes on with
    const auto take_line = [&] {
      // "name" or "name [module]"
      names.insert(line.substr(0, line.find_first_of(" \t")));
      line.clear();
    };
    const auto read = fs.read_pieces(file, [&](std::string_view piece) {
      for (size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
        line += piece.substr(0, end);
        take_line();
        piece.remove_prefix(end + 1);
      }
      line += piece;
    });
    // An empty list is that of a kernel without ftrace, or of one where it is disabled for good.
    if (!read || names.empty()) continue;
    functions.names_ = std::move(names);
    break;
  }
  return functions;
}

}  // namespace nettoll
