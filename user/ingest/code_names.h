// SPDX-License-Identifier: Apache-2.0
// Where names of addresses come from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ingest/address_spaces.h"
#include "ingest/capture_facts.h"
#include "model/foreign.h"
#include "model/function.h"

namespace nettoll {

/// A name, or why there is none.
using CodeName = std::variant<Symbol, UnnamedCause>;

/// Symbols for a capture. Ingest asks once for each address; who implements it knows kallsyms and ELF.
class CodeNames {
 public:
  virtual ~CodeNames() = default;

  /// Told once, before anything is asked. Gives notes for a reader: which symbols serve, and what is wrong
  /// with them.
  virtual std::vector<std::string> prepare(const CaptureFacts& facts) = 0;
  /// The function at an address of the captured kernel. `module` is the module that was mapped there, or ""
  /// where none was.
  virtual CodeName kernel(uint64_t address, std::string_view module) = 0;
  /// The function at a place of a file that a process had mapped.
  virtual CodeName user(const MappedFile& file, uint64_t file_offset) = 0;
  /// Asked at the end: notes for a reader on what was found of what was asked for.
  virtual std::vector<std::string> remarks() const { return {}; }
};

}  // namespace nettoll
