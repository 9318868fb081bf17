// SPDX-License-Identifier: Apache-2.0
// How calls were counted, as marks in a table and notes below it.
#pragma once

#include <string>
#include <vector>

#include "model/cost_table.h"

namespace nettoll {

/// Gives each function its mark and collects what the marks mean.
class CallMarks {
 public:
  /// The method's letter, and the number of a note where the function has a condition: "f", "t[1]", "[2]"; ""
  /// where there is nothing to say.
  std::string mark(const FunctionCost& function);

  /// Lines that explain the marks given so far, or "".
  std::string notes() const;

 private:
  bool used_[5] = {};  ///< by Method
  std::vector<std::string> conditions_;
};

}  // namespace nettoll
