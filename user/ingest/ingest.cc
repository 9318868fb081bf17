// SPDX-License-Identifier: Apache-2.0
#include "ingest/ingest.h"

#include <algorithm>
#include <array>

#include "ingest/perf_data.h"
#include "ingest/perf_header.h"
#include "ingest/perf_script.h"

namespace nettoll {

Result<CaptureKind> kind_of(ByteSource& source) {
  std::array<uint8_t, 4096> begin{};
  const auto got = source.read(begin);
  if (!got) return got.error();
  if (auto back = source.seek(0); !back) return back.error();
  const std::span<const uint8_t> bytes = std::span(begin).first(*got);
  if (bytes.empty())
    return failure(source.damage().empty() ? "is empty" : source.damage(), "copy the file again");
  constexpr std::string_view kRecording = "NETTOLL ";
  // A recording that was cut inside its first word is one still: its reader says so.
  const size_t compared = std::min(bytes.size(), kRecording.size());
  if (std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(compared), kRecording.begin()))
    return CaptureKind::recording;
  if (is_perf_data(bytes)) return CaptureKind::perf_data;
  if (std::find(bytes.begin(), bytes.end(), 0) == bytes.end()) return CaptureKind::perf_script;
  return failure("is no capture that nettoll knows",
                 "name a recording of 'nettoll record', a perf.data, or the text of 'perf script'");
}

Result<Profile> read_foreign(ByteSource& source, CaptureKind kind, const IngestOptions& options,
                             CodeNames& names) {
  if (kind == CaptureKind::perf_script) return read_perf_script(source, options);
  auto capture = read_perf_data(source, options, names);
  if (!capture) return capture.error();
  return std::move(capture->profile);
}

}  // namespace nettoll
