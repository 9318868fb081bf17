// SPDX-License-Identifier: Apache-2.0
// What the reader of a comparison may choose.
#pragma once

#include "report/options.h"

namespace nettoll {

enum class DiffSort : uint8_t {
  change,     ///< the significant first, then the largest change of self cost
  self,       ///< by the change of self cost
  inclusive,  ///< by the change of inclusive cost
  call,       ///< by the relative change of the cost a call
  name,
};

struct DiffViewOptions {
  ReportOptions rows;
  bool all = false;  ///< also what is not significant
  DiffSort sort = DiffSort::change;
};

}  // namespace nettoll
