// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "model/ratios.h"
#include "report/cpu_shares.h"
#include "report/format.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

/// What is known of one CPU.
struct CpuRow {
  const CpuCost* clock = nullptr;
  const CpuCost* cycles = nullptr;
  const CpuCost* instructions = nullptr;
  std::optional<uint64_t> rx;
  std::optional<uint64_t> tx;
};

std::map<uint32_t, CpuRow> rows_by_cpu(const Profile& profile, const CostTable& cost) {
  const EventRoles roles = roles_of(profile.session.events);
  std::map<uint32_t, CpuRow> rows;
  for (const auto& cpu : cost.cpus) {
    CpuRow& row = rows[cpu.cpu];
    if (cpu.event == roles.cpu_clock) row.clock = &cpu;
    if (cpu.event == roles.cycles) row.cycles = &cpu;
    if (cpu.event == roles.instructions) row.instructions = &cpu;
  }
  for (const auto& packets : profile.packets) {
    CpuRow& row = rows[packets.cpu];
    if (packets.path == Path::rx) row.rx = row.rx.value_or(0) + packets.packets;
    if (packets.path == Path::tx) row.tx = row.tx.value_or(0) + packets.packets;
  }
  return rows;
}

/// The part of a CPU's time in paths that `in` accepts. No sample in them out of many is a measured 0.
template <typename In>
std::string time_share(const CpuCost* clock, In in) {
  if (!clock || clock->samples == 0) return kMissing;
  double part = 0;
  for (const Path path : kAllPaths) {
    if (in(path)) part += clock->paths[static_cast<size_t>(path)].value;
  }
  const double all = whole_time(*clock);
  if (!(all > 0)) return kMissing;
  return (clock->samples < Estimate::kEnough ? "~" : "") + format_percent(part / all);
}

std::string exact_ipc(const CpuRow& row) {
  if (!row.cycles || !row.instructions || !(row.cycles->count > 0)) return kMissing;
  return format_quantity(row.instructions->count / row.cycles->count);
}

}  // namespace

std::string cpus_view(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  TextTable table({{"CPU"},
                   {"busy"},
                   {"idle"},
                   {"user"},
                   {"network"},
                   {"samples"},
                   {"cycles"},
                   {"IPC"},
                   {"rx packets"},
                   {"tx packets"}});
  const EventRoles roles = roles_of(profile.session.events);
  const bool paths_known = roles.cpu_clock && profile.session.events[*roles.cpu_clock].chains;
  for (const auto& [cpu, row] : rows_by_cpu(profile, cost)) {
    table.add({std::to_string(cpu), time_share(row.clock, [](Path p) { return p != Path::idle; }),
               time_share(row.clock, [](Path p) { return p == Path::idle; }),
               time_share(row.clock, [](Path p) { return p == Path::user; }),
               paths_known ? time_share(row.clock, is_network) : kMissing,
               row.clock ? format_count(row.clock->samples) : kMissing,
               row.cycles ? format_quantity(row.cycles->count) : kMissing, exact_ipc(row),
               format_count(row.rx), format_count(row.tx)});
  }
  if (table.empty()) return "CPUs: nothing was sampled or counted\n";
  return "CPUs: time from cpu-clock, cycles and packets counted\n" + text_of(table, options.terminal);
}

}  // namespace nettoll
