// SPDX-License-Identifier: Apache-2.0
#include "tui/terminal_check.h"

#include <unistd.h>

#include <cstdlib>

// Its macros have common names ("tab", "lines"), so nothing else is in this file.
#include <curses.h>
#include <term.h>

namespace nettoll::tui {
namespace {

constexpr const char* kPlainInstead = "use -b for plain text";

Error unknown_type(const char* type) {
  if (!type || *type == '\0')
    return usage_error("TERM is not set", std::string("set it, or ") + kPlainInstead);
  return usage_error(fmt::format("the terminal type '{}' (TERM) is not known here", type),
                     fmt::format("set one that is, such as xterm or linux, or {}", kPlainInstead));
}

}  // namespace

Status check_terminal() {
  if (::isatty(STDOUT_FILENO) != 1) return usage_error("standard output is no terminal", kPlainInstead);
  if (::isatty(STDIN_FILENO) != 1) return usage_error("standard input is no terminal", kPlainInstead);
  const char* type = std::getenv("TERM");
  int found = 0;
  if (!type || *type == '\0' || ::setupterm(type, STDOUT_FILENO, &found) != OK || found != 1)
    return unknown_type(type);
  const char* move = ::tigetstr("cup");
  const bool moves = move && move != reinterpret_cast<const char*>(-1);
  ::del_curterm(cur_term);
  if (!moves)
    return usage_error(fmt::format("a terminal of type '{}' cannot move its cursor", type), kPlainInstead);
  return {};
}

}  // namespace nettoll::tui
