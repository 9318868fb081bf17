// SPDX-License-Identifier: Apache-2.0
#include "cli/usage.h"

#include <cctype>
#include <charconv>

namespace nettoll {
namespace {

std::string describe_extra(const std::string& argument, bool in_command) {
  if (argument.starts_with('-')) return fmt::format("there is no option {}", argument);
  if (in_command) return fmt::format("'{}' is one argument too many", argument);
  return fmt::format("there is no command '{}'", argument);
}

}  // namespace

Error describe(const CLI::App& app, const CLI::ParseError& error) {
  const auto commands = app.get_subcommands();
  const std::string name = commands.empty() ? "nettoll" : "nettoll " + commands.front()->get_name();
  std::string message = error.what();
  const auto extra = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) && !extra.empty())
    message = describe_extra(extra.front(), !commands.empty());
  else if (message.size() > 1 && std::islower(static_cast<unsigned char>(message[1])))
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  return usage_error(std::move(message), fmt::format("{} --help lists {}", name,
                                                     commands.empty() ? "the commands" : "its options"));
}

CLI::Validator not_empty() {
  const auto check = [](const std::string& text) {
    return text.empty() ? "the value is empty, as that of an unset shell variable" : "";
  };
  return {check, "", "not empty"};
}

void refuse_empty_values(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    for (CLI::Option* option : command->get_options()) {
      if (option->nonpositional() && option->get_items_expected_min() > 0) option->check(not_empty());
    }
  }
}

Status check_arguments(CLI::App& app, int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return {};
    if (!word.starts_with("--") || word.find('=') != word.size() - 1) continue;
    const std::string name(word.substr(0, word.size() - 1));
    for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
      if (command->get_option_no_throw(name))
        return usage_error(fmt::format("{}: the value is empty, as that of an unset shell variable", name),
                           "give a value, or leave the option out");
    }
  }
  return {};
}

CLI::Validator percent() {
  const auto change = [](std::string& text) -> std::string {
    const size_t digits = text.ends_with('%') ? text.size() - 1 : text.size();
    double value = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + digits, value);
    // NaN is in no range.
    if (ec != std::errc() || end != text.data() + digits || !(value >= 0 && value <= 100))
      return fmt::format("'{}' is not a number of percent from 0 to 100", text);
    text.resize(digits);
    return {};
  };
  return {change, "", "percent"};
}

CLI::Validator whole_number(uint64_t least, uint64_t most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    uint64_t value = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = ec == std::errc() && end == text.data() + text.size();
    if (number && value >= least && value <= most) return {};
    const std::string range =
        most == UINT64_MAX ? fmt::format("from {} on", least) : fmt::format("from {} to {}", least, most);
    return fmt::format("'{}' is not a whole number {}", text, range);
  };
  return {check, "", "whole number"};
}

}  // namespace nettoll
