// SPDX-License-Identifier: Apache-2.0
#include "tui/terminal.h"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>

#include "tui/terminal_check.h"

// ncurses makes wide functions known on this word alone, and macros of its own of common words unless told
// not to.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <ncurses.h>

namespace nettoll::tui {
namespace {

/// By Style; pairs are numbered from 1.
struct Look {
  short color = -1;  ///< -1: the terminal's own
  attr_t with_color = A_NORMAL;
  attr_t without = A_NORMAL;
};

Look look_of(Style style) {
  switch (style) {
    case Style::normal:
      return {};
    case Style::strong:
      return {-1, A_BOLD, A_BOLD};
    case Style::dim:
      return {-1, A_DIM, A_DIM};
    case Style::heading:
      return {COLOR_CYAN, A_REVERSE, A_REVERSE};
    case Style::sort_column:
      return {COLOR_GREEN, A_REVERSE | A_BOLD, A_REVERSE | A_BOLD | A_UNDERLINE};
    case Style::selected:
      return {-1, A_REVERSE, A_REVERSE};
    case Style::tab:
      return {COLOR_CYAN, A_NORMAL, A_NORMAL};
    case Style::chosen_tab:
      return {COLOR_CYAN, A_REVERSE | A_BOLD, A_REVERSE | A_BOLD};
    case Style::key:
      return {COLOR_CYAN, A_REVERSE, A_REVERSE};
    case Style::warning:
      return {COLOR_YELLOW, A_NORMAL, A_BOLD};
    case Style::critical:
      return {COLOR_RED, A_BOLD, A_BOLD | A_UNDERLINE};
  }
  return {};
}

constexpr Style kLastStyle = Style::critical;

bool wants_color() {
  const char* no = std::getenv("NO_COLOR");
  return (!no || *no == '\0') && ::has_colors();
}

/// Lets ncurses write UTF-8, or tells that the locale cannot. A shell over ssh often has none set, and its
/// terminal takes UTF-8 nevertheless.
bool set_locale() {
  std::setlocale(LC_CTYPE, "");
  const char* codes = ::nl_langinfo(CODESET);
  if (std::strcmp(codes, "UTF-8") == 0) return true;
  const bool none = std::strcmp(codes, "ANSI_X3.4-1968") == 0;
  return none && std::setlocale(LC_CTYPE, "C.UTF-8");
}

/// For terminals of other character sets.
char32_t in_ascii(char32_t character) {
  if (character == U'…') return U'.';
  if (character == U'±') return U' ';
  return character < 0x7F ? character : U'?';
}

std::optional<Key> key_of(wint_t code, bool function_key) {
  using Kind = Key::Kind;
  const auto letter = [](char32_t character) { return Key{Kind::character, character}; };
  if (function_key) {
    switch (code) {
      case KEY_UP:
        return Key{Kind::up};
      case KEY_DOWN:
        return Key{Kind::down};
      case KEY_PPAGE:
        return Key{Kind::page_up};
      case KEY_NPAGE:
        return Key{Kind::page_down};
      case KEY_HOME:
        return Key{Kind::home};
      case KEY_END:
        return Key{Kind::end};
      case KEY_ENTER:
        return Key{Kind::enter};
      case KEY_BACKSPACE:
      case KEY_DC:
        return Key{Kind::backspace};
      case KEY_BTAB:
        return Key{Kind::back_tab};
      // As in htop.
      case KEY_F(1):
        return letter(U'h');
      case KEY_F(3):
      case KEY_F(4):
        return letter(U'/');
      case KEY_F(10):
        return letter(U'q');
      default:
        return std::nullopt;
    }
  }
  switch (code) {
    case '\t':
      return Key{Kind::tab};
    case '\r':
    case '\n':
      return Key{Kind::enter};
    case 0x1B:
      return Key{Kind::escape};
    case 0x08:
    case 0x7F:
      return Key{Kind::backspace};
    default:
      break;
  }
  if (code < 0x20) return std::nullopt;
  return letter(static_cast<char32_t>(code));
}

}  // namespace

struct Terminal::Screen {
  SCREEN* screen = nullptr;
  bool color = false;
  bool utf8 = false;

  Screen() = default;
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen() {
    if (!screen) return;
    ::endwin();
    ::delscreen(screen);
  }
};

Result<Terminal> Terminal::open() {
  if (auto ok = check_terminal(); !ok) return ok.error();
  auto screen = std::make_unique<Screen>();
  screen->utf8 = set_locale();
  screen->screen = ::newterm(nullptr, stdout, stdin);
  if (!screen->screen) return failure("the terminal cannot be set up", "use -b for plain text");
  ::cbreak();
  ::noecho();
  ::nonl();
  ::curs_set(0);
  ::intrflush(stdscr, FALSE);
  ::keypad(stdscr, TRUE);
  ::nodelay(stdscr, TRUE);
  // A key Escape that is alone is known after this many milliseconds; keys with longer codes come at once,
  // also over slow lines.
  ::set_escdelay(50);
  screen->color = wants_color();
  if (screen->color) {
    ::start_color();
    ::use_default_colors();
    for (short style = 0; style <= static_cast<short>(kLastStyle); ++style)
      ::init_pair(static_cast<short>(style + 1), look_of(static_cast<Style>(style)).color, -1);
  }
  return Terminal(std::move(screen));
}

Terminal::Terminal(std::unique_ptr<Screen> screen) : screen_(std::move(screen)) {}
Terminal::Terminal(Terminal&&) noexcept = default;
Terminal::~Terminal() = default;

int Terminal::fd() const {
  return STDIN_FILENO;
}

std::optional<Key> Terminal::next_key() {
  while (true) {
    wint_t code = 0;
    const int kind = ::wget_wch(stdscr, &code);
    if (kind == ERR) return std::nullopt;
    constexpr wint_t kControlL = 0x0C;
    if (kind == OK && code == kControlL) {
      forget();
      continue;
    }
    if (auto key = key_of(code, kind == KEY_CODE_YES)) return key;
  }
}

Size Terminal::size() const {
  return {::getmaxy(stdscr), ::getmaxx(stdscr)};
}

void Terminal::follow_size() {
  winsize now = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) != 0 || now.ws_row == 0 || now.ws_col == 0) return;
  if (::is_term_resized(now.ws_row, now.ws_col)) ::resizeterm(now.ws_row, now.ws_col);
}

void Terminal::paint(const Frame& frame) {
  const Size screen = size();
  ::werase(stdscr);
  for (int row = 0; row < std::min(frame.size().rows, screen.rows); ++row) {
    for (int column = 0; column < std::min(frame.size().columns, screen.columns); ++column) {
      const Cell& cell = frame.at(row, column);
      if (cell.character == U'\0') continue;
      const Look look = look_of(cell.style);
      const wchar_t text[] = {static_cast<wchar_t>(screen_->utf8 ? cell.character : in_ascii(cell.character)),
                              0};
      const auto pair = static_cast<short>(screen_->color ? static_cast<int>(cell.style) + 1 : 0);
      cchar_t character;
      if (::setcchar(&character, text, screen_->color ? look.with_color : look.without, pair, nullptr) != OK)
        continue;
      ::mvwadd_wch(stdscr, row, column, &character);
    }
  }
  ::wrefresh(stdscr);
}

void Terminal::forget() {
  ::clearok(stdscr, TRUE);
}

}  // namespace nettoll::tui
