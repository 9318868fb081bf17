// SPDX-License-Identifier: Apache-2.0
// A file that holds a Profile, of any kind.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "cli/capture_names.h"
#include "ingest/byte_source.h"
#include "ingest/ingest_options.h"
#include "model/profile.h"

namespace nettoll {

/// A recording, a perf.data or the text of perf script, each as it is or packed with gzip or zstd; the
/// content decides. It can be read more than once, also where it came through a pipe.
class OpenedCapture {
 public:
  /// Errors begin with the path.
  static Result<OpenedCapture> open(const std::string& path, const SymbolOptions& symbols);

  /// Errors begin with the path. `filters` are for other tools' captures: a recording comes whole.
  Result<Profile> read(const IngestOptions& filters = {}) const;

 private:
  OpenedCapture(std::string path, SymbolOptions symbols, std::unique_ptr<ByteSource> source)
      : path_(std::move(path)), symbols_(std::move(symbols)), source_(std::move(source)) {}

  std::string path_;
  SymbolOptions symbols_;
  std::unique_ptr<ByteSource> source_;
};

/// Opens a capture and reads it once.
Result<Profile> read_capture(const std::string& path, const SymbolOptions& symbols);

}  // namespace nettoll
