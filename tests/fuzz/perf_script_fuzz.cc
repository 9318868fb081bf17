// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_names.h"
#include "ingest/perf_script.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto source = nettoll::unpacked(nettoll::bytes_of({data, size}));
  if (!source) return 0;
  const auto profile = nettoll::read_perf_script(**source, {});
  if (profile) nettoll::hold(*profile);
  return 0;
}
