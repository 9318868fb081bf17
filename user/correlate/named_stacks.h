// SPDX-License-Identifier: Apache-2.0
// The join without the functions: weights by stack.
#pragma once

#include "model/named_stacks.h"
#include "model/profile.h"

namespace nettoll {

/// Weighs the stacks of a window that stands alone, by the same scale as correlate(). A stack with code of
/// our own is that code alone, since no caller of it caused the cost. Indexes in `profile` must be in range.
NamedStacks named_stacks(const Profile& profile);

}  // namespace nettoll
