// SPDX-License-Identifier: Apache-2.0
// When to read /proc/kallsyms again. A pure decision: time comes from the batches.
#pragma once

#include <algorithm>
#include <cstdint>

namespace nettoll {

/// Limits how often symbols are read again. Reading and parsing costs some 100 ms of CPU on a large host, and
/// an address without a symbol may stay without for ever (code patched in at boot), so a reload that found
/// nothing doubles the time to the next, up to `kLongest`; one that helped brings it back to `kShortest`.
class ReloadPolicy {
 public:
  static constexpr uint64_t kShortest = 5'000'000'000;
  static constexpr uint64_t kLongest = 640'000'000'000;

  /// Whether a reload may happen at `now_ns` because an address missed.
  bool may_reload_for_miss(uint64_t now_ns) const { return !reloaded_ || now_ns - last_ns_ >= interval_ns_; }
  /// Whether one may happen because code is known to have come or gone: never held up by earlier misses.
  bool may_reload_for_change(uint64_t now_ns) const { return !reloaded_ || now_ns - last_ns_ >= kShortest; }

  /// Notes a reload and whether it was of use.
  void reloaded(uint64_t now_ns, bool helped) {
    reloaded_ = true;
    last_ns_ = now_ns;
    interval_ns_ = helped ? kShortest : std::min(interval_ns_ * 2, kLongest);
  }

 private:
  bool reloaded_ = false;
  uint64_t last_ns_ = 0;
  uint64_t interval_ns_ = kShortest;
};

}  // namespace nettoll
