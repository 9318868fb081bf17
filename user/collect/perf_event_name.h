// SPDX-License-Identifier: Apache-2.0
// Event names as perf spells them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "collect/perf_event_spec.h"

namespace nettoll {

/// Splits the argument of -e at its commas, except those between the slashes of pmu/term,term/.
/// An empty item, an unclosed slash and a group in braces are usage errors.
Result<std::vector<std::string>> split_event_list(std::string_view text);

/// What one event name means on the host that `fs` shows. Takes, as perf-list(1) has them:
///  - generic hardware events ("cycles", "cache-misses", and their other spellings), cache events
///    ("LLC-load-misses") and software events ("page-faults"), in any case;
///  - raw codes ("r01c4");
///  - "pmu/event=0x3c,umask=1/" and "pmu/name/" with the terms and names that the PMU's folder in
///    /sys/bus/event_source/devices describes, and such names alone where the PMU is a CPU's own;
///  - the modifiers k (the default), uk (both modes) and p (precise), after a colon or the last slash.
/// Tracepoints, groups and user-mode events are refused with the reason; an unknown name with the names that
/// come near it. All errors are usage errors.
Result<EventSpec> parse_event(std::string_view name, const KernelFs& fs);

}  // namespace nettoll
