// SPDX-License-Identifier: Apache-2.0
#include "symbolize/module_list.h"

#include <map>

namespace nettoll {
namespace {

constexpr std::string_view kUnknown = "0";

/// The next line, without its end; takes it off the text.
std::string_view next_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string_view name_in(std::string_view line) {
  return line.substr(0, line.find(' '));
}

/// What follows the last space.
std::string_view identity_in(std::string_view line) {
  return line.substr(line.rfind(' ') + 1);
}

}  // namespace

std::string module_fingerprint(std::string_view proc_modules) {
  return module_fingerprint(proc_modules, nullptr);
}

std::string module_fingerprint(std::string_view proc_modules, const ModuleIdentity& identity) {
  std::string print;
  while (!proc_modules.empty()) {
    std::string_view line = next_line(proc_modules);
    const std::string_view name = name_in(line);
    for (int column = 0; !line.empty() && column < 6; ++column) {
      const size_t space = line.find(' ');
      if (column == 0 || column >= 4) print.append(line.substr(0, space)).append(" ");
      line.remove_prefix(space == std::string_view::npos ? line.size() : space + 1);
    }
    if (identity) print += std::to_string(identity(name));
    print += '\n';
  }
  return print;
}

std::vector<std::string> arrived_modules(std::string_view before, std::string_view after) {
  std::map<std::string_view, std::string_view> known;
  while (!before.empty()) {
    const std::string_view line = next_line(before);
    known[name_in(line)] = identity_in(line);
  }
  std::vector<std::string> arrived;
  while (!after.empty()) {
    const std::string_view line = next_line(after);
    const auto was = known.find(name_in(line));
    const std::string_view is = identity_in(line);
    const bool stayed =
        was != known.end() && (was->second == is || was->second == kUnknown || is == kUnknown);
    if (!stayed) arrived.emplace_back(name_in(line));
  }
  return arrived;
}

}  // namespace nettoll
