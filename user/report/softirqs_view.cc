// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "model/names.h"
#include "report/format.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

/// One vector over all CPUs.
struct VectorSum {
  uint64_t runs = 0;
  uint64_t ns = 0;
  uint32_t busiest_cpu = 0;
  uint64_t busiest_ns = 0;
};

std::map<uint32_t, VectorSum> sum_by_vector(const Profile& profile) {
  std::map<uint32_t, VectorSum> sums;
  for (const auto& row : profile.softirqs) {
    VectorSum& sum = sums[row.vector];
    sum.runs += row.runs;
    sum.ns += row.ns;
    if (row.ns > sum.busiest_ns || sum.busiest_ns == 0) {
      sum.busiest_cpu = row.cpu;
      sum.busiest_ns = row.ns;
    }
  }
  return sums;
}

std::string part_of(uint64_t ns, double whole) {
  return whole > 0 ? format_percent(static_cast<double>(ns) / whole) : kMissing;
}

}  // namespace

std::string softirqs_view(const Profile& profile, const ReportOptions& options) {
  if (profile.softirqs.empty()) return "Softirq time: none recorded\n";
  const auto window = static_cast<double>(profile.duration_ns);
  TextTable table({{"vector", TextTable::Kind::text},
                   {"runs"},
                   {"time"},
                   {"of all CPUs"},
                   {"/run"},
                   {"busiest CPU"},
                   beside("of it")});
  for (const auto& [vector, sum] : sum_by_vector(profile)) {
    const auto ns = static_cast<double>(sum.ns);
    table.add({std::string(softirq_name(vector)), format_count(sum.runs), format_time(ns),
               part_of(sum.ns, window * profile.session.cpus_online),
               sum.runs ? format_time(ns / static_cast<double>(sum.runs)) : kMissing,
               std::to_string(sum.busiest_cpu), part_of(sum.busiest_ns, window)});
  }
  return "Softirq time\n" + text_of(table, options.terminal);
}

}  // namespace nettoll
