// SPDX-License-Identifier: Apache-2.0
#include "base/capabilities.h"

#include <fmt/ranges.h>
#include <linux/capability.h>

#include <charconv>

namespace nettoll {
namespace {

bool has(uint64_t effective, int capability) {
  return effective >> capability & 1;
}

}  // namespace

Result<uint64_t> effective_capabilities(std::string_view status) {
  constexpr std::string_view kKey = "CapEff:";
  for (size_t at = 0; at < status.size();) {
    const size_t end = std::min(status.find('\n', at), status.size());
    std::string_view line = status.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(kKey)) continue;
    line.remove_prefix(std::min(line.find_first_not_of(" \t", kKey.size()), line.size()));
    uint64_t mask = 0;
    const auto [last, ec] = std::from_chars(line.data(), line.data() + line.size(), mask, 16);
    if (ec != std::errc() || last != line.data() + line.size()) break;
    return mask;
  }
  return failure("no capabilities (CapEff) in /proc/self/status");
}

std::vector<std::string> missing_for_tracing(uint64_t effective) {
  std::vector<std::string> missing;
  if (has(effective, CAP_SYS_ADMIN)) return missing;
  if (!has(effective, CAP_BPF)) missing.emplace_back("CAP_BPF");
  if (!has(effective, CAP_PERFMON)) missing.emplace_back("CAP_PERFMON");
  return missing;
}

Status check_tracing_rights(const KernelFs& fs) {
  auto status = fs.read("/proc/self/status");
  if (!status) return status.error();
  auto effective = effective_capabilities(*status);
  if (!effective) return effective.error();
  const auto missing = missing_for_tracing(*effective);
  if (missing.empty()) return {};
  return failure(
      fmt::format("tracing the kernel needs {}, which this process lacks", fmt::join(missing, " and ")),
      "run it with sudo");
}

}  // namespace nettoll
