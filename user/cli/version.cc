// SPDX-License-Identifier: Apache-2.0
#include "cli/version.h"

namespace nettoll {

std::string version() {
  return NETTOLL_VERSION;
}

}  // namespace nettoll
