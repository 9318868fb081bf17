// SPDX-License-Identifier: Apache-2.0
// The configuration file of serve: joined with the command line, and again when it is read anew.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/config_file.h"
#include "cli/serve_options.h"
#include "exporters/prometheus/web_access.h"

namespace nettoll {

/// What was typed of `command`'s options, each as "--name=value".
std::vector<std::string> typed_options(const CLI::App& command);

/// The options of the command line and of the file's `items`. What was typed goes before: a key of the file
/// that was typed too, or that excludes what was, is passed over. Usage errors name `name`, line and key.
Result<ServeOptions> join_options(const std::vector<std::string>& typed, const std::vector<ConfigItem>& items,
                                  const std::string& name);

/// The same with the file read; a file that cannot be is a usage error. `path` may be empty: no file.
Result<ServeOptions> load_options(const std::vector<std::string>& typed, const std::string& path);

/// All that serve goes by, from the command line and the files.
struct ServeSetup {
  ServeOptions options;
  ServeSettings settings;
  std::shared_ptr<const exporter::WebAccess> access;
};

/// Reads the configuration file, where `path` names one, and the web configuration, where that is asked for.
/// All errors are usage errors.
Result<ServeSetup> load_setup(const std::vector<std::string>& typed, const std::string& path);

/// The options, without dashes, that differ and take effect at a start only.
std::vector<std::string> changes_for_restart(const ServeOptions& running, const ServeOptions& wanted);

}  // namespace nettoll
