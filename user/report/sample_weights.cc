// SPDX-License-Identifier: Apache-2.0
#include "report/sample_weights.h"

#include <map>
#include <utility>

namespace nettoll {

std::vector<double> sample_weights(const Profile& profile, const CostTable& cost) {
  struct Sum {
    double count = 0;
    uint64_t period = 0;
    uint64_t samples = 0;
  };
  std::vector<double> weights;
  weights.reserve(profile.samples.size());
  if (profile.counts.empty()) {
    bool periods = true;
    for (const StackSamples& row : profile.samples) {
      weights.push_back(static_cast<double>(row.period));
      periods = periods && row.period > 0;
    }
    if (periods) return weights;
    weights.clear();
  }
  std::map<std::pair<uint32_t, uint32_t>, Sum> sums;
  for (const CpuCost& row : cost.cpus) sums[{row.event, row.cpu}].count = row.count;
  for (const StackSamples& row : profile.samples) {
    Sum& sum = sums[{row.event, row.cpu}];
    sum.period += row.period;
    sum.samples += row.samples;
  }
  for (const StackSamples& row : profile.samples) {
    const Sum& sum = sums[{row.event, row.cpu}];
    if (sum.period > 0)
      weights.push_back(static_cast<double>(row.period) * (sum.count / static_cast<double>(sum.period)));
    else
      weights.push_back(row.samples * (sum.count / static_cast<double>(sum.samples)));
  }
  return weights;
}

}  // namespace nettoll
