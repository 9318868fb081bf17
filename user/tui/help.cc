// SPDX-License-Identifier: Apache-2.0
#include "tui/help.h"

namespace nettoll::tui {

std::vector<std::string> help_lines() {
  return {
      "Keys",
      "",
      "  1 to 5, Tab, Shift-Tab   functions, paths, CPUs, drops, findings",
      "  arrows, j k, PgUp PgDn   move; Home g and End G: first and last row",
      "  Enter                    all about the row; on a path: its functions",
      "  Esc, q                   back",
      "  /                        show rows with this text; Enter keeps, Esc clears it",
      "  s > and S <              sort by the next or previous column",
      "  r                        reverse the order",
      "  e                        next of the events that are sampled",
      "  p, space                 stand still; counting goes on",
      "  + and -                  refresh less or more often",
      "  i                        window, events, what is missing and what was lost",
      "  h, ?                     this page",
      "  Ctrl-L                   draw the screen anew",
      "  q                        quit",
      "",
      "Numbers are of the time since the refresh before, findings of the last",
      "5 seconds or more. Longer intervals (+) have more samples and less error.",
      "  -      not measured        ~    from fewer than 16 samples: error over 25%",
      "  self%  part of the event in the function itself; all%, network%: in the path",
      "  incl%  with all that it called         err   standard error of self%",
      "  /packet, /call   inclusive cost by packets of its path and by calls",
      "  +      after a path: a tenth or more of it was in others",
      "  full/s polls that used up their budget",
      "  /ki    per thousand instructions",
  };
}

std::vector<KeyHint> key_hints() {
  return {{"q", "quit"}, {"h", "help"},  {"Tab", "pane"}, {"Enter", "detail"}, {"/", "filter"},
          {"s", "sort"}, {"e", "event"}, {"p", "pause"},  {"r", "reverse"},    {"i", "info"}};
}

std::vector<KeyHint> overlay_hints(bool scrolls) {
  if (!scrolls) return {{"q", "back"}, {"p", "pause"}};
  return {{"q", "back"}, {"j", "down"}, {"k", "up"}, {"p", "pause"}};
}

}  // namespace nettoll::tui
