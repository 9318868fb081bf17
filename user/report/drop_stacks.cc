// SPDX-License-Identifier: Apache-2.0
#include "report/drop_stacks.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace nettoll {

std::vector<DropStack> sum_drop_stacks(const std::vector<DropSample>& samples) {
  std::map<std::tuple<std::string, std::string, std::vector<Symbol>>, uint64_t> sums;
  for (const DropSample& sample : samples) {
    if (!sample.stack.empty()) ++sums[{sample.drop.reason, sample.drop.subsystem, sample.stack}];
  }
  std::vector<DropStack> stacks;
  for (const auto& [key, count] : sums)
    stacks.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
  std::stable_sort(stacks.begin(), stacks.end(),
                   [](const DropStack& a, const DropStack& b) { return a.samples > b.samples; });
  return stacks;
}

}  // namespace nettoll
