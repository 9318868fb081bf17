// SPDX-License-Identifier: Apache-2.0
#include "diagnose/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/thresholds.h"

namespace nettoll {

std::string format_cpu_mask(const CpuSet& cpus) {
  std::vector<uint32_t> groups(cpus.limit() / 32 + 1);
  for (const uint32_t id : cpus.ids) groups[id / 32] |= 1u << (id % 32);
  while (groups.size() > 1 && groups.back() == 0) groups.pop_back();
  std::string text = fmt::format("{:x}", groups.back());
  for (size_t i = groups.size() - 1; i-- > 0;) text += fmt::format(",{:08x}", groups[i]);
  return text;
}

std::string cpu_list(std::vector<uint32_t> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return format_cpu_list({std::move(ids)});
}

std::string join(std::span<const std::string> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

std::string cpu_subject(uint32_t cpu) {
  return fmt::format("CPU {}", cpu);
}

Severity loss_severity(double lost, double of, double seconds) {
  const double rate = seconds > 0 ? lost / seconds : 0;
  const double part = of > 0 ? lost / of : 0;
  if (rate >= threshold::kMuchLossPerSecond || part >= threshold::kMuchLossPart) return Severity::critical;
  if (rate >= threshold::kLossPerSecond || part >= threshold::kLossPart) return Severity::warning;
  return Severity::note;
}

}  // namespace nettoll
