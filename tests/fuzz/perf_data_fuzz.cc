// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_names.h"
#include "ingest/perf_data.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  nettoll::FuzzNames names;
  auto source = nettoll::unpacked(nettoll::bytes_of({data, size}));
  if (!source) return 0;
  nettoll::IngestOptions options;
  if (size % 2) options.comm = "perf";
  const auto capture = nettoll::read_perf_data(**source, options, names);
  if (capture) nettoll::hold(capture->profile);
  return 0;
}
