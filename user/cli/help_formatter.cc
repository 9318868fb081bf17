// SPDX-License-Identifier: Apache-2.0
#include "cli/help_formatter.h"

#include <fmt/format.h>

namespace nettoll {

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
  // CLI11 ends a line more than there is, and another where it prints the text.
  text.erase(text.find_last_not_of('\n') + 1);
  return text + "\n";
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_type_size() == 0 || option->get_type_name().empty()) return {};
  const bool many =
      option->get_positional() && option->get_expected_max() >= CLI::detail::expected_max_vector_size;
  return fmt::format(" {}{}", option->get_type_name(), many ? " ..." : "");
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  const std::string& value = option->get_default_str();
  return value.empty() ? option->get_description() : fmt::format("{} [{}]", option->get_description(), value);
}

}  // namespace nettoll
