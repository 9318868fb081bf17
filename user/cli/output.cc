// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/printable.h"

namespace nettoll {

Status print_out(std::string_view text) {
  errno = 0;
  // Flushed here: at exit nobody would look at the result.
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
  return system_error("cannot write to standard output", errno,
                      errno == ENOSPC ? "free some space, or write to another disk" : "");
}

bool prints_to_terminal() {
  const char* type = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && type && *type && std::string_view(type) != "dumb";
}

std::optional<size_t> terminal_columns() {
  winsize now = {};
  if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) != 0 || now.ws_col == 0)
    return std::nullopt;
  return now.ws_col;
}

void say(std::string_view text) {
  // One write, so that lines of processes that share a terminal or a log do not mix.
  const std::string line = fmt::format("nettoll: {}\n", printable_text(text));
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace nettoll
