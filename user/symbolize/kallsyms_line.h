// SPDX-License-Identifier: Apache-2.0
// One line of /proc/kallsyms.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace nettoll {

/// "<hex address> <type> <name>[\t[<module>]]" (s_show in kernel/kallsyms.c).
struct KallsymsLine {
  uint64_t address = 0;
  char type = 0;            ///< as nm(1) prints it; upper case is global
  std::string_view name;    ///< as printed
  std::string_view module;  ///< without its brackets, "" for vmlinux
};

/// Takes a line apart; nothing where it is none. `line` has no line end.
std::optional<KallsymsLine> parse_kallsyms_line(std::string_view line);

/// What a line is good for.
enum class LineUse : uint8_t {
  function,  ///< can be executed
  padding,   ///< can be executed, but is the space before a function
  bound,     ///< data: a function before it ends here at the latest
  none,      ///< says nothing about addresses of code
};

/// Text and weak text are functions. Absolute symbols are none: on x86 before 6.15 those are offsets into
/// per-CPU areas, which start at 0.
LineUse use_of(const KallsymsLine& line);

}  // namespace nettoll
