// SPDX-License-Identifier: Apache-2.0
// From the addresses of a perf.data to a Profile.
#pragma once

#include "ingest/code_names.h"
#include "ingest/perf_data.h"
#include "model/profile.h"

namespace nettoll {

/// Names what a capture holds. Each address of a space is looked up once. Rules:
/// - The place of the sample and the first frame of each mode are where the CPU was; all other frames are
/// return addresses
///   and are looked up one byte earlier.
/// - Where the call chain begins elsewhere than the sample's own place (hardware that reports precise
/// addresses), that place
///   comes first, and the chain's begin stays as its caller where it is another function.
/// - Functions keep the names that perf gives them (".isra.0", ".cold"), so that both tools' tables can be
/// compared. `stored_bytes` of the capture bound what the profile's later stages may take.
Profile name_capture(PerfDataCapture capture, CodeNames& names, uint64_t stored_bytes);

}  // namespace nettoll
