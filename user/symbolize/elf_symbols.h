// SPDX-License-Identifier: Apache-2.0
// Functions of a program or library by place in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace nettoll {

/// The symbol tables of one ELF file: .symtab where it has one, else that of a file with its debug
/// information where that is installed (by build id, or beside it by name), else .dynsym.
class ElfSymbols {
 public:
  /// Reads `root` + `path`; debug files are looked for below `root` too.
  static Result<ElfSymbols> load(const std::string& root, const std::string& path);

  /// The demangled function that holds a byte of the file; nothing where no symbol covers it.
  std::optional<std::string> find(uint64_t file_offset) const;
  /// Lower-case hex; "" where the file has none.
  const std::string& build_id() const { return build_id_; }
  size_t size() const { return functions_.size(); }

 private:
  struct Function {
    uint64_t start;  ///< offset in the file
    uint64_t end;
    uint32_t name;  ///< offset in names_
    uint8_t rank;   ///< of names at one place the lowest is shown
  };
  friend class ElfReader;

  std::vector<Function> functions_;  ///< by start, one a start
  std::string names_;
  std::string build_id_;
};

}  // namespace nettoll
