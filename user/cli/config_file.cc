// SPDX-License-Identifier: Apache-2.0
#include "cli/config_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>

namespace nettoll {
namespace {

Error at_line(const std::string& name, size_t line, const std::string& message, std::string remedy) {
  return usage_error(fmt::format("{}, line {}: {}", name, line, message), std::move(remedy));
}

/// As it would be typed; nothing where no option can have it.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return std::nullopt;
}

Result<ConfigItem> item_of(const std::string& key, size_t line, const toml::node& node,
                           const std::string& name) {
  ConfigItem item{key, {}, line};
  const auto add = [&](const toml::node& one) {
    auto text = text_of(one);
    if (text) item.values.push_back(std::move(*text));
    return text.has_value();
  };
  const auto* list = node.as_array();
  if (list ? std::all_of(list->begin(), list->end(), add) : add(node)) return item;
  return at_line(name, line,
                 fmt::format("{} is neither text, a whole number, true or false, nor a list of these", key),
                 "put it in quotes");
}

Status add_table(const toml::table& table, const std::string& prefix, const std::string& name,
                 std::vector<ConfigItem>& items) {
  for (const auto& [key, node] : table) {
    const std::string full = prefix + std::string(key.str());
    if (const auto* inner = node.as_table()) {
      if (auto ok = add_table(*inner, full + ".", name, items); !ok) return ok;
      continue;
    }
    auto item = item_of(full, key.source().begin.line, node, name);
    if (!item) return item.error();
    items.push_back(std::move(*item));
  }
  return {};
}

}  // namespace

Result<std::vector<ConfigItem>> parse_config_file(const std::string& text, const std::string& name) {
  std::vector<ConfigItem> items;
  try {
    const toml::table root = toml::parse(text, name);
    if (auto ok = add_table(root, "", name, items); !ok) return ok.error();
  } catch (const toml::parse_error& error) {
    return at_line(name, error.source().begin.line, std::string(error.description()),
                   "write it as TOML: key = \"value\"");
  }
  std::sort(items.begin(), items.end(), [](const ConfigItem& a, const ConfigItem& b) {
    return std::pair(a.line, a.key) < std::pair(b.line, b.key);
  });
  return items;
}

}  // namespace nettoll
