// SPDX-License-Identifier: Apache-2.0
// Where a writer's bytes go.
#pragma once

#include <string_view>

#include "base/result.h"

namespace nettoll {

/// Takes bytes in the order in which they come. After an error nothing more is to be written.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(std::string_view bytes) = 0;
};

}  // namespace nettoll
