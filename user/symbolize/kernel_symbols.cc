// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kernel_symbols.h"

#include <algorithm>
#include <functional>

#include "symbolize/kernel_symbols_builder.h"

namespace nettoll {
namespace {

constexpr const char* kPath = "/proc/kallsyms";
/// Names a bucket: a lookup compares this many texts, and the index of buckets costs a byte a name.
constexpr size_t kPerBucket = 4;

}  // namespace

Result<KernelSymbols> KernelSymbols::parse(std::string_view kallsyms_text) {
  KernelSymbolsBuilder builder;
  builder.add(kallsyms_text);
  return builder.finish();
}

Result<KernelSymbols> KernelSymbols::load(const KernelFs& fs) {
  KernelSymbolsBuilder builder;
  const Status read = fs.read_pieces(kPath, [&](std::string_view piece) { builder.add(piece); });
  if (!read) {
    Error error = read.error();
    error.remedy = "mount /proc, and use a kernel with CONFIG_KALLSYMS=y";
    return error;
  }
  return builder.finish();
}

std::optional<Hit> KernelSymbols::find(uint64_t address) const {
  const auto above = std::upper_bound(addresses_.begin(), addresses_.end(), address);
  if (above == addresses_.begin()) return std::nullopt;
  const auto index = static_cast<size_t>(above - addresses_.begin()) - 1;
  if (names_[index] == kHole) return std::nullopt;
  return hit(index);
}

uint32_t KernelSymbols::count_named(std::string_view name) const {
  uint32_t count = 0;
  for_each_named(name, [&](const Hit&) { ++count; });
  return count;
}

size_t KernelSymbols::memory_bytes() const {
  return arena_.bytes() + addresses_.capacity() * sizeof(uint64_t) + names_.capacity() * sizeof(uint32_t) +
         module_ids_.capacity() * sizeof(uint16_t) +
         (bucket_ends_.capacity() + by_name_.capacity()) * sizeof(uint32_t) +
         modules_.capacity() * sizeof(Module);
}

size_t KernelSymbols::bucket_of(std::string_view name) const {
  return std::hash<std::string_view>{}(name) % bucket_ends_.size();
}

void KernelSymbols::index_names() {
  bucket_ends_.assign(functions_ / kPerBucket + 1, 0);
  by_name_.resize(functions_);
  // A counting sort: sizes, then ends, then each bucket filled from its end down so that ends become begins.
  std::vector<uint32_t> buckets(names_.size(), 0);
  for (size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == kHole) continue;
    buckets[i] = static_cast<uint32_t>(bucket_of(arena_[names_[i]]));
    ++bucket_ends_[buckets[i]];
  }
  uint32_t sum = 0;
  for (uint32_t& end : bucket_ends_) end = sum += end;
  for (size_t i = names_.size(); i-- > 0;) {
    if (names_[i] != kHole) by_name_[--bucket_ends_[buckets[i]]] = static_cast<uint32_t>(i);
  }
  // They are begins now; the end of a bucket is the begin of the next.
  std::rotate(bucket_ends_.begin(), bucket_ends_.begin() + 1, bucket_ends_.end());
  bucket_ends_.back() = static_cast<uint32_t>(functions_);
}

}  // namespace nettoll
