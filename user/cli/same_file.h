// SPDX-License-Identifier: Apache-2.0
// Outputs that would replace another file of the same command line.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace nettoll {

/// Whether both paths lead to one file: by device and inode where both are there, else where both would be
/// made under one name in one folder. Paths that lead nowhere are no files.
bool same_file(const std::string& a, const std::string& b);

/// A file that the command line names.
struct NamedFile {
  std::string role;  ///< as a person calls it: "the input", "--kallsyms"
  std::string path;  ///< "" for none
};

/// Fails with a usage error where `output`, which is about to be replaced, is one of `others`.
Status check_output(const NamedFile& output, const std::vector<NamedFile>& others);

}  // namespace nettoll
