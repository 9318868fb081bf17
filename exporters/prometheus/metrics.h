// SPDX-License-Identifier: Apache-2.0
// Totals as Prometheus metric families: names, labels and help texts.
#pragma once

#include <prometheus/metric_family.h>

#include <functional>
#include <string>
#include <vector>

#include "exporters/prometheus/cumulative.h"
#include "exporters/prometheus/process.h"

namespace nettoll::exporter {

using FamilySink = std::function<void(prometheus::MetricFamily)>;

/// Everything that /metrics shows, family by family, so that a writer needs to hold one family at a time.
/// A thing that was not measured has no series and a family without series is left out; names and labels are
/// unique within the whole. No time stamps: the values are those of the last tick.
void for_each_family(const Totals& totals, const ProcessStats& process, const std::string& version,
                     const FamilySink& sink);

/// The same as a list.
std::vector<prometheus::MetricFamily> metric_families(const Totals& totals, const ProcessStats& process,
                                                      const std::string& version);

}  // namespace nettoll::exporter
