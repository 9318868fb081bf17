// SPDX-License-Identifier: Apache-2.0
// A folder that stands for a host's / in tests.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace nettoll {

/// A temporary folder that holds the files a test writes; gone with the object.
class FakeRoot {
 public:
  FakeRoot() {
    std::string name = (std::filesystem::temp_directory_path() / "nettoll-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  FakeRoot(const FakeRoot&) = delete;
  FakeRoot& operator=(const FakeRoot&) = delete;
  ~FakeRoot() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  /// Writes `text` to `name` (absolute, as the host has it), making its folders.
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path full = path_.string() + name;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full, std::ios::binary) << text;
  }
  /// Makes `name` a symbolic link to `target`, which is taken as it is: give a relative one.
  void link(const std::string& name, const std::string& target) const {
    const std::filesystem::path full = path_.string() + name;
    std::filesystem::create_directories(full.parent_path());
    std::filesystem::create_symlink(target, full);
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace nettoll
