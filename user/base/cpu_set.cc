// SPDX-License-Identifier: Apache-2.0
#include "base/cpu_set.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace nettoll {
namespace {

constexpr uint32_t kMaxCpu = 65535;

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<uint32_t> number(std::string_view text, int base) {
  uint32_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (ec != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

Error bad(std::string_view what, std::string_view text) {
  return usage_error(fmt::format("'{}' is not a CPU {}", text, what));
}

void normalise(CpuSet& set) {
  std::sort(set.ids.begin(), set.ids.end());
  set.ids.erase(std::unique(set.ids.begin(), set.ids.end()), set.ids.end());
}

}  // namespace

bool CpuSet::contains(uint32_t cpu) const {
  return std::binary_search(ids.begin(), ids.end(), cpu);
}

Result<CpuSet> parse_cpu_list(std::string_view whole) {
  CpuSet set;
  std::string_view rest = trim(whole);
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    std::string_view item = trim(rest.substr(0, comma));
    if (comma != std::string_view::npos && comma + 1 == rest.size()) return bad("list", whole);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);

    uint32_t used = 1, group = 1;
    if (const auto colon = item.find(':'); colon != std::string_view::npos) {
      const auto stride = item.substr(colon + 1);
      const auto slash = stride.find('/');
      if (slash == std::string_view::npos) return bad("list", whole);
      const auto u = number(stride.substr(0, slash), 10), g = number(stride.substr(slash + 1), 10);
      if (!u || !g || *u == 0 || *g == 0) return bad("list", whole);
      used = *u, group = *g;
      item = item.substr(0, colon);
    }
    const auto dash = item.find('-');
    const auto first = number(item.substr(0, dash), 10);
    const auto last = dash == std::string_view::npos ? first : number(item.substr(dash + 1), 10);
    if (!first || !last || *last < *first || *last > kMaxCpu) return bad("list", whole);
    for (uint32_t cpu = *first; cpu <= *last; ++cpu) {
      if ((cpu - *first) % group < used) set.ids.push_back(cpu);
    }
  }
  normalise(set);
  return set;
}

Result<CpuSet> parse_cpu_mask(std::string_view whole) {
  CpuSet set;
  std::string_view rest = trim(whole);
  if (rest.empty()) return bad("mask", whole);
  uint32_t base = 0;
  while (true) {
    const auto comma = rest.rfind(',');
    const auto item = comma == std::string_view::npos ? rest : rest.substr(comma + 1);
    const auto bits = item.size() > 8 ? std::nullopt : number(item, 16);
    if (!bits || base > kMaxCpu) return bad("mask", whole);
    for (uint32_t bit = 0; bit < 32; ++bit) {
      if (*bits >> bit & 1) set.ids.push_back(base + bit);
    }
    if (comma == std::string_view::npos) break;
    rest = rest.substr(0, comma);
    base += 32;
  }
  normalise(set);
  return set;
}

std::string format_cpu_list(const CpuSet& set) {
  std::string text;
  for (size_t i = 0; i < set.ids.size();) {
    size_t last = i;
    while (last + 1 < set.ids.size() && set.ids[last + 1] == set.ids[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += last == i ? fmt::format("{}", set.ids[i]) : fmt::format("{}-{}", set.ids[i], set.ids[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace nettoll
