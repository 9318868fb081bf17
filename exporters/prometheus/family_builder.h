// SPDX-License-Identifier: Apache-2.0
// Makes one metric family, series by series.
#pragma once

#include <prometheus/metric_family.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporters/prometheus/metrics.h"

namespace nettoll::exporter {

/// A family with its label names; each add() is one series with their values in the same order.
class FamilyBuilder {
 public:
  FamilyBuilder(prometheus::MetricType type, std::string name, std::string help,
                std::initializer_list<const char*> labels)
      : labels_(labels.begin(), labels.end()) {
    family_.type = type;
    family_.name = std::move(name);
    family_.help = std::move(help);
  }

  void add(std::initializer_list<std::string_view> values, double value) {
    prometheus::ClientMetric& metric = family_.metric.emplace_back();
    metric.label.reserve(labels_.size());
    size_t i = 0;
    for (const std::string_view text : values) metric.label.push_back({labels_[i++], std::string(text)});
    if (family_.type == prometheus::MetricType::Counter) {
      metric.counter.value = value;
    } else {
      metric.gauge.value = value;
    }
  }
  void add(std::initializer_list<std::string_view> values, uint64_t value) {
    add(values, static_cast<double>(value));
  }
  /// Adds nothing where nothing was measured.
  template <typename T>
  void add(std::initializer_list<std::string_view> values, const std::optional<T>& value) {
    if (value) add(values, *value);
  }

  /// Hands the family on unless it has no series.
  void emit(const FamilySink& sink) && {
    if (!family_.metric.empty()) sink(std::move(family_));
  }

 private:
  std::vector<std::string> labels_;
  prometheus::MetricFamily family_;
};

inline FamilyBuilder counter(const char* name, const char* help, std::initializer_list<const char*> labels) {
  return {prometheus::MetricType::Counter, name, help, labels};
}
inline FamilyBuilder gauge(const char* name, const char* help, std::initializer_list<const char*> labels) {
  return {prometheus::MetricType::Gauge, name, help, labels};
}

inline double seconds(double ns) {
  return ns / 1e9;
}

// One file each.
void function_families(const Totals& totals, const FamilySink& sink);
void path_families(const Totals& totals, const FamilySink& sink);
void cpu_families(const Totals& totals, const FamilySink& sink);
void net_families(const Totals& totals, const FamilySink& sink);
void diagnosis_families(const Totals& totals, const FamilySink& sink);
void loss_families(const Totals& totals, const FamilySink& sink);
void overhead_families(const Totals& totals, const FamilySink& sink);
void own_families(const Totals& totals, const ProcessStats& process, const std::string& version,
                  const FamilySink& sink);

}  // namespace nettoll::exporter
