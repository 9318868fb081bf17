// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/metrics.h"

#include <utility>

#include "exporters/prometheus/family_builder.h"

namespace nettoll::exporter {

void for_each_family(const Totals& totals, const ProcessStats& process, const std::string& version,
                     const FamilySink& sink) {
  function_families(totals, sink);
  path_families(totals, sink);
  cpu_families(totals, sink);
  net_families(totals, sink);
  diagnosis_families(totals, sink);
  loss_families(totals, sink);
  overhead_families(totals, sink);
  own_families(totals, process, version, sink);
}

std::vector<prometheus::MetricFamily> metric_families(const Totals& totals, const ProcessStats& process,
                                                      const std::string& version) {
  std::vector<prometheus::MetricFamily> families;
  for_each_family(totals, process, version,
                  [&](prometheus::MetricFamily family) { families.push_back(std::move(family)); });
  return families;
}

}  // namespace nettoll::exporter
