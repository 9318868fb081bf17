// SPDX-License-Identifier: Apache-2.0
// Windows that follow one another as one.
#pragma once

#include "model/profile.h"

namespace nettoll {

/// Appends the window after `sum` to it: symbols and stacks are numbered anew, rows stand beside each other
/// and add up where they are read. Costs of exact mode are left out: their percentiles do not add up. False,
/// with `sum` untouched, where the windows differ in their session (a module came or went, so that a function
/// was counted in one of them alone).
bool append_window(Profile& sum, const Profile& next);

}  // namespace nettoll
