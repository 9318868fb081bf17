// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/output.h"

namespace nettoll {

int report_error(const Error& error) {
  say(error.text());
  return error.kind == ErrorKind::usage ? kExitUsage : kExitFailed;
}

}  // namespace nettoll
