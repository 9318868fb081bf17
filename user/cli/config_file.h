// SPDX-License-Identifier: Apache-2.0
// A configuration file: options of a command as TOML.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace nettoll {

/// One key of the file.
struct ConfigItem {
  std::string key;                  ///< the option's name without dashes, such as "web.listen-address"
  std::vector<std::string> values;  ///< as typed after the option; several for an array
  size_t line = 0;

  bool operator==(const ConfigItem&) const = default;
};

/// The keys of `text` in the order of their lines. A table's name goes before its keys, so that [web] with
/// listen-address is the same as web.listen-address. Usage errors name `name`, the line and the key.
Result<std::vector<ConfigItem>> parse_config_file(const std::string& text, const std::string& name);

}  // namespace nettoll
