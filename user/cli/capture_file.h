// SPDX-License-Identifier: Apache-2.0
// A file that holds a Profile, of any kind.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/capture_names.h"
#include "ingest/ingest_options.h"
#include "model/profile.h"

namespace nettoll {

/// Reads a recording, a perf.data or the text of perf script, each as it is or packed with gzip or zstd; the
/// content decides. Errors begin with the path. `filters` are for other tools' captures: a recording comes
/// whole.
Result<Profile> read_capture(const std::string& path, const SymbolOptions& symbols,
                             const IngestOptions& filters = {});

}  // namespace nettoll
