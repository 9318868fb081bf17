// SPDX-License-Identifier: Apache-2.0
// Where a profile comes from, in words.
#pragma once

#include <string>

#include "model/session.h"

namespace nettoll {

/// "HOST, kernel RELEASE ARCH", without what is not known.
inline std::string origin_of(const Session& session) {
  std::string text = session.host;
  if (!session.kernel.empty()) text += (text.empty() ? "kernel " : ", kernel ") + session.kernel;
  if (!session.kernel.empty() && !session.arch.empty()) text += " " + session.arch;
  return text.empty() ? "unknown host" : text;
}

}  // namespace nettoll
