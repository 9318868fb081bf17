// SPDX-License-Identifier: Apache-2.0
// How --help looks.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace nettoll {

/// CLI11's, with options as "-F,--freq HZ" and defaults behind the description, as "[99]".
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace nettoll
