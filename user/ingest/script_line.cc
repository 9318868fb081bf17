// SPDX-License-Identifier: Apache-2.0
#include "ingest/script_line.h"

#include <algorithm>
#include <charconv>

namespace nettoll {
namespace {

constexpr std::string_view kBlank = " \t";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

template <typename T>
std::optional<T> number(std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Words from the end of a line to its begin: a comm may hold anything, what follows it may not.
struct Word {
  size_t begin = 0;
  size_t end = 0;
};

std::optional<Word> word_before(std::string_view line, size_t end) {
  while (end > 0 && kBlank.find(line[end - 1]) != kBlank.npos) --end;
  if (end == 0) return std::nullopt;
  size_t begin = end;
  while (begin > 0 && kBlank.find(line[begin - 1]) == kBlank.npos) --begin;
  return Word{begin, end};
}

std::optional<Word> word_after(std::string_view line, size_t begin) {
  begin = line.find_first_not_of(kBlank, begin);
  if (begin == line.npos) return std::nullopt;
  const size_t end = line.find_first_of(kBlank, begin);
  return Word{begin, end == line.npos ? line.size() : end};
}

std::string_view text_of(std::string_view line, const Word& word) {
  return line.substr(word.begin, word.end - word.begin);
}

/// "1557.710387:", with 6 digits or 9 (--ns).
std::optional<uint64_t> parse_time(std::string_view word) {
  if (word.size() < 3 || word.back() != ':') return std::nullopt;
  word.remove_suffix(1);
  const size_t dot = word.find('.');
  if (dot == word.npos || dot == 0) return std::nullopt;
  const auto seconds = number<uint64_t>(word.substr(0, dot));
  const std::string_view digits = word.substr(dot + 1);
  if (!seconds || *seconds > UINT64_MAX / 1'000'000'000 - 1 || digits.empty() || digits.size() > 9 ||
      !std::all_of(digits.begin(), digits.end(), is_digit))
    return std::nullopt;
  uint64_t part = *number<uint64_t>(digits);
  for (size_t i = digits.size(); i < 9; ++i) part *= 10;
  return *seconds * 1'000'000'000 + part;
}

/// "[003]".
std::optional<uint32_t> parse_cpu(std::string_view word) {
  if (word.size() < 3 || word.front() != '[' || word.back() != ']') return std::nullopt;
  return number<uint32_t>(word.substr(1, word.size() - 2));
}

/// "123", "123/456": the process, then the thread.
bool parse_ids(std::string_view word, ScriptSample& sample) {
  const size_t slash = word.find('/');
  const auto first = number<int64_t>(word.substr(0, slash));
  if (!first || (slash != word.npos && !number<int64_t>(word.substr(slash + 1)))) return false;
  sample.pid = first;
  return true;
}

/// What stands before the time, or before the event where there is no time.
bool parse_who(std::string_view line, size_t end, ScriptSample& sample) {
  auto word = word_before(line, end);
  if (!word) return false;
  if (const auto cpu = parse_cpu(text_of(line, *word))) {
    sample.cpu = cpu;
    word = word_before(line, word->begin);
    if (!word) return true;
  }
  if (parse_ids(text_of(line, *word), sample)) {
    sample.comm = trimmed(line.substr(0, word->begin));
    return true;
  }
  sample.comm = trimmed(line.substr(0, word->end));
  return sample.cpu.has_value();
}

/// What stands behind the time: "[period] event: rest".
bool parse_what(std::string_view line, size_t begin, ScriptSample& sample) {
  auto word = word_after(line, begin);
  if (!word) return true;
  if (const auto period = number<uint64_t>(text_of(line, *word))) {
    const auto next = word_after(line, word->end);
    if (next && line[next->end - 1] == ':') {
      sample.period = period;
      word = next;
    }
  }
  const std::string_view event = text_of(line, *word);
  if (event.size() > 1 && event.back() == ':' && !event.starts_with("PERF_RECORD_")) {
    sample.event = event.substr(0, event.size() - 1);
    sample.rest = line.substr(word->end);
  } else {
    sample.rest = line.substr(begin);
  }
  return true;
}

std::string_view without_offset(std::string_view symbol) {
  const size_t plus = symbol.rfind("+0x");
  if (plus == symbol.npos || plus == 0) return symbol;
  return number<uint64_t>(symbol.substr(plus + 3), 16) ? symbol.substr(0, plus) : symbol;
}

/// Takes "(dso)" off the end; it may hold brackets: "(/memfd:x (deleted))".
std::optional<std::string_view> take_dso(std::string_view& text) {
  if (!text.ends_with(')')) return std::nullopt;
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) {
      if (i > 0 && text[i - 1] != ' ' && text[i - 1] != '\t') return std::nullopt;
      const std::string_view dso = text.substr(i + 1, text.size() - i - 2);
      text = trimmed(text.substr(0, i));
      return dso;
    }
  }
  return std::nullopt;
}

/// Where the branches of a sample begin: " 0x55d0/0x55e0/P/-/-/1".
size_t branches_in(std::string_view text) {
  for (size_t at = text.find(" 0x"); at != text.npos; at = text.find(" 0x", at + 1)) {
    const std::string_view word = text.substr(at + 1, text.find(' ', at + 1) - at - 1);
    if (word.find("/0x") != word.npos) return at;
  }
  return text.npos;
}

/// What a number between the comm and the event is, where no other number stands there. perf prints the
/// period as "%10u " and the thread as "%5d " or "%7d ", behind the blank that ends the comm
/// (builtin-script.c).
enum class LoneNumber : uint8_t { thread, period, unclear };

LoneNumber kind_of_number(std::string_view line, const Word& word) {
  constexpr uint64_t kMostPid = 1 << 22;  // PID_MAX_LIMIT
  constexpr size_t kPeriodWidth = 11;
  constexpr size_t kThreadWidths[] = {6, 8};
  const auto value = number<uint64_t>(text_of(line, word));
  const auto before = word_before(line, word.begin);
  if (!value || !before) return LoneNumber::thread;  // "-1", "12/34"; alone in its line
  if (*value > kMostPid) return LoneNumber::period;
  const size_t width = word.end - before->end;
  if (width == kPeriodWidth) return LoneNumber::period;
  const bool of_thread =
      word.begin - before->end == 1 ||
      std::find(std::begin(kThreadWidths), std::end(kThreadWidths), width) != std::end(kThreadWidths);
  return of_thread ? LoneNumber::thread : LoneNumber::unclear;
}

}  // namespace

std::optional<ScriptSample> parse_script_sample(std::string_view line) {
  ScriptSample sample;
  // The time stands out; a comm is before it, so the first that has a process or a CPU before it is meant.
  for (auto word = word_after(line, 0); word; word = word_after(line, word->end)) {
    if (line[word->end - 1] != ':') continue;
    const auto time = parse_time(text_of(line, *word));
    if (!time || !parse_who(line, word->begin, sample)) continue;
    sample.time_ns = time;
    if (!parse_what(line, word->end, sample)) return std::nullopt;
    return sample;
  }
  // With a time and an event it may be the comm alone.
  for (auto word = word_after(line, 0); word; word = word_after(line, word->end)) {
    const auto time = parse_time(text_of(line, *word));
    if (!time || !word_before(line, word->begin)) continue;
    sample.comm = trimmed(line.substr(0, word->begin));
    sample.time_ns = time;
    if (!parse_what(line, word->end, sample) || sample.event.empty()) return std::nullopt;
    return sample;
  }
  // Without a time the event ends the head: "comm pid [cpu] period event:".
  for (auto word = word_after(line, 0); word; word = word_after(line, word->end)) {
    const std::string_view event = text_of(line, *word);
    if (event.size() < 2 || event.back() != ':') continue;
    size_t end = word->begin;
    if (const auto before = word_before(line, end)) {
      const auto period = number<uint64_t>(text_of(line, *before));
      const auto ids = word_before(line, before->begin);
      ScriptSample other;
      if (period && ids && (parse_cpu(text_of(line, *ids)) || parse_ids(text_of(line, *ids), other))) {
        sample.period = period;
        end = before->begin;
      }
    }
    const auto before = word_before(line, end);
    const auto kind = before && !sample.period ? kind_of_number(line, *before) : LoneNumber::thread;
    if (kind == LoneNumber::unclear) return std::nullopt;
    if (kind == LoneNumber::period) {
      sample.period = number<uint64_t>(text_of(line, *before));
      sample.comm = trimmed(line.substr(0, before->begin));
    } else if (!parse_who(line, end, sample) || !sample.pid) {
      return std::nullopt;
    }
    sample.event = event.substr(0, event.size() - 1);
    sample.rest = line.substr(word->end);
    return sample;
  }
  return std::nullopt;
}

bool lacks_its_thread(std::string_view line) {
  auto word = word_after(line, 0);
  while (word && (line[word->end - 1] != ':' || parse_time(text_of(line, *word))))
    word = word_after(line, word->end);
  if (!word || word->end - word->begin < 2) return false;
  const std::string_view rest = line.substr(word->end);
  return trimmed(rest).empty() || parse_frame_of_line(rest);
}

std::optional<ScriptFrame> parse_script_frame(std::string_view line) {
  std::string_view text = trimmed(line);
  ScriptFrame frame;
  const auto dso = take_dso(text);
  if (dso) frame.dso = *dso;
  const size_t end = std::min(text.find_first_of(kBlank), text.size());
  frame.address = number<uint64_t>(text.substr(0, end), 16);
  if (frame.address)
    text = trimmed(text.substr(end));
  else if (!dso)
    return std::nullopt;
  frame.symbol = without_offset(text);
  return frame;
}

std::optional<ScriptFrame> parse_frame_of_line(std::string_view rest) {
  constexpr size_t kAddressEnds = 18;
  rest = rest.substr(0, branches_in(rest));
  const size_t begin = rest.find_first_not_of(' ');
  if (begin == rest.npos) return std::nullopt;
  const size_t end = std::min(rest.find(' ', begin), rest.size());
  if (end < kAddressEnds - 1 || !number<uint64_t>(rest.substr(begin, end - begin), 16)) return std::nullopt;
  return parse_script_frame(rest);
}

bool is_hex_dump(std::string_view line) {
  return line.starts_with(". ... raw event: size ") ||
         (line.starts_with("0x") && line.find("]: event: ") != line.npos);
}

std::optional<uint64_t> lost_in_record(std::string_view rest) {
  rest = trimmed(rest);
  if (!rest.starts_with("PERF_RECORD_LOST")) return std::nullopt;
  const size_t place = rest.rfind("lost ");
  if (place == rest.npos) return std::nullopt;
  const std::string_view behind = rest.substr(place + 5);
  return number<uint64_t>(behind.substr(0, behind.find_first_not_of("0123456789")));
}

}  // namespace nettoll
