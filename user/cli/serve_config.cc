// SPDX-License-Identifier: Apache-2.0
#include "cli/serve_config.h"

#include <algorithm>

#include "base/near_names.h"
#include "base/settings_file.h"
#include "cli/usage.h"

namespace nettoll {
namespace {

/// A parser that knows the options of serve and nothing else, and what it fills.
struct Parser {
  Parser() { add_serve_options(app, options); }

  /// `arguments` as on a command line.
  Status parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
    try {
      app.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
      return usage_error(describe(app, error).message);
    }
    const auto settings = serve_settings(options);
    return settings ? Status() : Status(settings.error());
  }

  /// The option that a key names; null where none does, or one that has no meaning in a file.
  CLI::Option* find(const std::string& key) {
    auto* option = app.get_option_no_throw("--" + key);
    return option && option->get_configurable() ? option : nullptr;
  }

  std::vector<std::string> keys() {
    std::vector<std::string> keys;
    for (const auto* option : app.get_options()) {
      for (const auto& name : option->get_lnames()) {
        if (find(name)) keys.push_back(name);
      }
    }
    return keys;
  }

  CLI::App app{"", "serve"};
  ServeOptions options;
};

std::vector<std::string> arguments_of(const ConfigItem& item) {
  std::vector<std::string> arguments;
  for (const auto& value : item.values) arguments.push_back(fmt::format("--{}={}", item.key, value));
  return arguments;
}

/// Each key by itself, so that what is wrong has a line.
Status check_item(const ConfigItem& item, const std::string& name) {
  const std::string where = fmt::format("{}, line {}", name, item.line);
  Parser alone;
  if (!alone.find(item.key))
    return usage_error(fmt::format("{}: there is no option {}", where, item.key),
                       did_you_mean(item.key, alone.keys(), "nettoll serve --help lists the options"));
  if (const auto ok = alone.parse(arguments_of(item)); !ok)
    return usage_error(fmt::format("{}: {}: {}", where, item.key, ok.error().message), ok.error().remedy);
  return {};
}

/// Whether the command line says otherwise.
bool overruled(const CLI::Option& option) {
  if (option.count() > 0) return true;
  const auto excluded = option.get_excludes();
  return std::any_of(excluded.begin(), excluded.end(),
                     [](const CLI::Option* other) { return other->count() > 0; });
}

}  // namespace

std::vector<std::string> typed_options(const CLI::App& command) {
  Parser known;
  std::vector<std::string> typed;
  for (const auto* option : command.get_options()) {
    const auto& names = option->get_lnames();
    if (names.empty() || !known.find(names.front())) continue;
    for (const auto& value : option->results()) typed.push_back(fmt::format("--{}={}", names.front(), value));
  }
  return typed;
}

Result<ServeOptions> join_options(const std::vector<std::string>& typed, const std::vector<ConfigItem>& items,
                                  const std::string& name) {
  Parser command_line;
  if (const auto ok = command_line.parse(typed); !ok) return ok.error();
  std::vector<std::string> all = typed;
  for (const auto& item : items) {
    if (auto ok = check_item(item, name); !ok) return ok.error();
    if (overruled(*command_line.find(item.key))) continue;
    for (auto& argument : arguments_of(item)) all.push_back(std::move(argument));
  }
  Parser joined;
  if (const auto ok = joined.parse(all); !ok)
    return usage_error(fmt::format("{}: {}", name, ok.error().message), ok.error().remedy);
  return std::move(joined.options);
}

Result<ServeOptions> load_options(const std::vector<std::string>& typed, const std::string& path) {
  if (path.empty()) return join_options(typed, {}, "");
  const auto text = read_settings_file(path);
  if (!text) return usage_error("--config: " + text.error().message, text.error().remedy);
  const auto items = parse_config_file(*text, path);
  if (!items) return items.error();
  return join_options(typed, *items, path);
}

Result<ServeSetup> load_setup(const std::vector<std::string>& typed, const std::string& path) {
  ServeSetup setup;
  auto options = load_options(typed, path);
  if (!options) return options.error();
  setup.options = std::move(*options);
  auto settings = serve_settings(setup.options);
  if (!settings) return settings.error();
  setup.settings = std::move(*settings);
  auto access = exporter::load_web_access(setup.options.web_config);
  if (!access) return access.error();
  setup.access = std::move(*access);
  return setup;
}

std::vector<std::string> changes_for_restart(const ServeOptions& running, const ServeOptions& wanted) {
  std::vector<std::string> changed;
  const auto compare = [&](const char* name, const auto& a, const auto& b) {
    if (a != b) changed.emplace_back(name);
  };
  compare("web.listen-address", running.address, wanted.address);
  compare("max-functions", running.max_functions, wanted.max_functions);
  const TraceOptions& was = running.trace;
  const TraceOptions& is = wanted.trace;
  compare("set", was.set, is.set);
  compare("function", was.functions, is.functions);
  compare("method", was.method, is.method);
  compare("queues", was.queues, is.queues);
  compare("event", was.events, is.events);
  compare("freq", was.frequency, is.frequency);
  compare("count", was.period, is.period);
  compare("cpu", was.cpus, is.cpus);
  return changed;
}

}  // namespace nettoll
