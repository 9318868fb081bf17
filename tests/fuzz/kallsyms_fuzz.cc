// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string_view>

#include "symbolize/kernel_symbols.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto symbols = nettoll::KernelSymbols::parse({reinterpret_cast<const char*>(data), size});
  if (!symbols) return 0;
  size_t names = 0;
  symbols->for_each_function([&](const nettoll::Hit& hit) {
    names += hit.name.size() + symbols->count_named(hit.name);
    symbols->find(hit.start);
    symbols->find(hit.start - 1);
  });
  return names == SIZE_MAX;
}
