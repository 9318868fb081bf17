// SPDX-License-Identifier: Apache-2.0
// Builds a KernelSymbols from pieces of text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "symbolize/kallsyms_line.h"
#include "symbolize/kernel_symbols.h"

namespace nettoll {

/// Takes /proc/kallsyms piece by piece, then makes the table. Where a function ends:
/// - at the next line of any kind, data included;
/// - for vmlinux, at the end of its section, _etext or _einittext, if it lies in one;
/// - at the latest after kLongestFunction bytes;
/// - after kLongestTail bytes if no function of the same module follows it: what comes then is other memory;
/// - after kPage bytes for a BPF trampoline and a page of a pseudo module ([__builtin__...]).
class KernelSymbolsBuilder {
 public:
  /// The largest function of a 6.18 kernel with 117,000 symbols has 21 KB; generated code of graphics drivers
  /// passes 64 KB.
  static constexpr uint64_t kLongestFunction = 128 << 10;
  /// Above the largest function seen, and what a BPF program of the classic limit, 4096 instructions of up
  /// to 8 bytes each, needs.
  static constexpr uint64_t kLongestTail = 32 << 10;
  static constexpr uint64_t kPage = 4096;

  /// Adds text; a line may begin in one piece and end in the next.
  void add(std::string_view text);
  /// The table. A last line without a line end was cut off and is skipped. The builder is used up.
  Result<KernelSymbols> finish();

 private:
  struct Entry {
    uint64_t address = 0;
    uint32_t name = 0;  ///< offset in the arena; not set in a bound
    uint16_t module = 0;
    LineUse use = LineUse::none;
    bool global = false;
  };
  struct Section {
    std::optional<uint64_t> start, end;
    bool holds(uint64_t address) const { return start && end && address >= *start && address < *end; }
  };

  void add_line(std::string_view line);
  bool note_section_end(const KallsymsLine& line);
  std::optional<uint16_t> module_id(const KallsymsLine& line);
  bool before(const Entry& a, const Entry& b) const;
  uint64_t end_of(size_t index, size_t next) const;
  bool code_at(size_t first) const;
  void drop_covered_padding();
  void fill_table();

  KernelSymbols table_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, uint16_t> module_ids_;
  uint16_t last_module_ = 0;    ///< of the last line: lines of a module follow each other
  uint64_t last_function_ = 0;  ///< address of the last function in order of lines, 0 for none
  uint16_t last_function_module_ = 0;
  std::string partial_line_;
  Section text_, init_text_;
  size_t zero_addresses_ = 0;
};

}  // namespace nettoll
