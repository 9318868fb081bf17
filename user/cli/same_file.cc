// SPDX-License-Identifier: Apache-2.0
#include "cli/same_file.h"

#include <filesystem>
#include <system_error>

namespace nettoll {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  const bool a_there = fs::exists(a, error);
  const bool b_there = fs::exists(b, error);
  if (a_there && b_there) return fs::equivalent(a, b, error) && !error;
  if (a_there || b_there) return false;
  const auto folder_of = [](const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
  };
  const fs::path one(a);
  const fs::path other(b);
  return one.filename() == other.filename() && fs::equivalent(folder_of(one), folder_of(other), error) &&
         !error;
}

Status check_output(const NamedFile& output, const std::vector<NamedFile>& others) {
  if (output.path.empty()) return {};
  for (const NamedFile& other : others) {
    if (other.path.empty() || !same_file(output.path, other.path)) continue;
    return usage_error(
        fmt::format("{} {} is also {}, which it would replace", output.role, output.path, other.role),
        "name another file with " + output.role);
  }
  return {};
}

}  // namespace nettoll
