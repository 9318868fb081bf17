// SPDX-License-Identifier: Apache-2.0
#include "correlate/correlate.h"

#include "correlate/cost_rows.h"
#include "correlate/function_index.h"
#include "correlate/scale.h"
#include "correlate/stack_walk.h"

namespace nettoll {

CostTable correlate(const Profile& profile, Carry* carry) {
  const size_t events = profile.session.events.size();
  CostTable table;
  const ScaleTable scale = scale_counts(profile, carry, table.events);
  const std::vector<uint32_t> first = first_of_each_symbol(profile.symbols);
  StackWalk walk(profile, scale, first);
  walk.run();

  for (auto& total : table.events) total.unattributed += walk.frameless(total.event);
  table.functions = function_rows(profile, first, walk.functions());
  table.cpus = cpu_rows(scale, events, walk);
  table.paths = path_rows(profile, table.cpus);
  table.modules = module_rows(table.functions, events);
  return table;
}

}  // namespace nettoll
