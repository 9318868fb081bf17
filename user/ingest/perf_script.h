// SPDX-License-Identifier: Apache-2.0
// Text of `perf script` to a Profile.
#pragma once

#include "base/result.h"
#include "ingest/byte_source.h"
#include "ingest/ingest_options.h"
#include "model/profile.h"

namespace nettoll {

/// Reads text in any layout that has, for each sample, a head with a process and a time or an event, and then
/// either frames in lines of their own or one in the same line. A sample weighs the period that is printed,
/// else that of the header's event where it is fixed, else 1. Lines of no use are counted in a note; where
/// there is no sample at all it fails.
Result<Profile> read_perf_script(ByteSource& source, const IngestOptions& options);

}  // namespace nettoll
