// SPDX-License-Identifier: Apache-2.0
#include "ingest/script_header.h"

#include <charconv>
#include <optional>

namespace nettoll {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

uint64_t number(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The value of a key in "name = cycles, type = 0, { sample_period, sample_freq } = 4000".
std::optional<std::string_view> value_of(std::string_view list, std::string_view key) {
  for (size_t at = list.find(key); at != list.npos; at = list.find(key, at + 1)) {
    if (at > 0 && list[at - 1] != ' ') continue;
    const std::string_view rest = list.substr(at + key.size());
    if (!rest.starts_with(" = ")) continue;
    return trimmed(rest.substr(3, rest.find(',', 3) - 3));
  }
  return std::nullopt;
}

void parse_event(std::string_view list, std::vector<Event>& events) {
  const auto name = value_of(list, "name");
  if (!name || name->empty()) return;
  Event event;
  event.name = *name;
  event.kernel_only = value_of(list, "exclude_user") == "1" || value_of(list, "excl_usr") == "1";
  const auto rate = value_of(list, "{ sample_period, sample_freq }");
  if (rate) (value_of(list, "freq") == "1" ? event.frequency : event.period) = number(*rate);
  events.push_back(std::move(event));
}

}  // namespace

void parse_script_header(std::string_view line, ScriptHeader& header) {
  line.remove_prefix(1);
  const size_t colon = line.find(':');
  if (colon == line.npos) return;
  const std::string_view key = trimmed(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  CaptureFacts& facts = header.facts;
  if (key == "hostname") facts.host = value;
  if (key == "os release") facts.release = value;
  if (key == "perf version") facts.perf_version = value;
  if (key == "arch") facts.arch = value;
  if (key == "cpudesc") facts.cpu = value;
  if (key == "cmdline") facts.command = value;
  if (key == "nrcpus online") facts.cpus_online = static_cast<uint32_t>(number(value));
  if (key == "event") parse_event(value, header.events);
}

}  // namespace nettoll
