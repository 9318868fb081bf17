// SPDX-License-Identifier: Apache-2.0
// What later stages may rely on in a Profile.
#pragma once

#include "base/result.h"
#include "model/profile.h"

namespace nettoll {

/// 1 + the largest CPU id that a profile may name; Linux builds for at most 8192 CPUs (arch/*/Kconfig,
/// NR_CPUS).
inline constexpr uint32_t kMaxCpuLimit = 65536;
/// Events of one profile. Later stages keep tables of events by CPUs.
inline constexpr size_t kMaxEvents = 1024;

/// Checks that every index in `profile` has its target (frames their symbols, samples their event, CPU and
/// stack, calls their function ...) and that its numbers are in their range. The error says which row of
/// which table does not.
Status check_profile(const Profile& profile);

}  // namespace nettoll
