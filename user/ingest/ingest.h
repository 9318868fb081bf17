// SPDX-License-Identifier: Apache-2.0
// Captures that other tools made, as Profiles.
#pragma once

#include <string>

#include "base/result.h"
#include "ingest/byte_source.h"
#include "ingest/code_names.h"
#include "ingest/ingest_options.h"
#include "model/profile.h"

namespace nettoll {

/// What a file is, by its first bytes.
enum class CaptureKind : uint8_t { recording, perf_data, perf_script };

/// Looks at the first bytes and goes back to the start. Fails on an empty file and on one that is neither of
/// the kinds nor text.
Result<CaptureKind> kind_of(ByteSource& source);

/// Reads a capture of a kind other than `recording`. Damage in its middle is told in the profile's notes; an
/// error means that nothing could be read.
Result<Profile> read_foreign(ByteSource& source, CaptureKind kind, const IngestOptions& options,
                             CodeNames& names);

}  // namespace nettoll
