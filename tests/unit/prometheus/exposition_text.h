// SPDX-License-Identifier: Apache-2.0
// Reads the text exposition format as far as the tests need it.
#pragma once

#include <map>
#include <sstream>
#include <string>

namespace nettoll::exporter {

/// Values by series as written, such as `nettoll_path_packets_total{path="rx"}`. A series that stands twice
/// has the key "duplicate".
inline std::map<std::string, double> parse_exposition(const std::string& text) {
  std::map<std::string, double> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t space = line.rfind(' ');
    const bool fresh = values.emplace(line.substr(0, space), std::stod(line.substr(space + 1))).second;
    if (!fresh) values["duplicate"] = 1;
  }
  return values;
}

}  // namespace nettoll::exporter
