// SPDX-License-Identifier: Apache-2.0
// exporters/prometheus/families.txt names every metric, its type and labels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "exporters/prometheus/metrics.h"
#include "unit/prometheus/sample_tick.h"
#include "unit/prometheus/sample_window.h"

namespace nettoll::exporter {
namespace {

std::string describe(const prometheus::MetricFamily& family, const prometheus::ClientMetric& metric) {
  std::string line = family.name;
  line += family.type == prometheus::MetricType::Counter ? " counter" : " gauge";
  for (const auto& label : metric.label) line += " " + label.name;
  return line;
}

TEST(Families, AreThoseOfTheList) {
  std::ifstream file(NETTOLL_SOURCE_DIR "/exporters/prometheus/families.txt");
  ASSERT_TRUE(file.is_open());
  std::set<std::string> listed;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("#")) listed.insert(line);
  }

  // Between them they have all that can be exported.
  Cumulative cumulative;
  const Tick tick = sample_tick();
  cumulative.add(tick.profile, tick.costs);
  cumulative.add(sample_window());
  cumulative.set(Overhead());
  cumulative.add({{"ip_rcv", kVmlinux, Method::fentry, 20.5, 5}});
  const ProcessStats process{1, 1, 1, 1, 1, 1};
  std::set<std::string> exported;
  for (const auto& family : metric_families(cumulative.totals(), process, "0.1.0")) {
    for (const auto& metric : family.metric) exported.insert(describe(family, metric));
  }
  EXPECT_THAT(exported, testing::ContainerEq(listed));
}

}  // namespace
}  // namespace nettoll::exporter
