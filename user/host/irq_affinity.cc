// SPDX-License-Identifier: Apache-2.0
#include "host/irq_affinity.h"

namespace nettoll {
namespace {

std::optional<CpuSet> read_set(const KernelFs& fs, const std::string& file) {
  if (const auto list = fs.read_line(file + "_list")) {
    if (auto set = parse_cpu_list(*list); set && !set->empty()) return std::move(*set);
  }
  if (const auto mask = fs.read_line(file)) {
    if (auto set = parse_cpu_mask(*mask); set && !set->empty()) return std::move(*set);
  }
  return std::nullopt;
}

}  // namespace

IrqAffinity read_irq_affinity(const KernelFs& fs, uint32_t irq) {
  const std::string folder = fmt::format("/proc/irq/{}", irq);
  return {read_set(fs, folder + "/smp_affinity"), read_set(fs, folder + "/effective_affinity")};
}

}  // namespace nettoll
