// SPDX-License-Identifier: Apache-2.0
// Memory for system calls that write as much as the kernel likes.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll {

/// Zeroed memory that ends at a page nobody may touch. ETHTOOL_GSTRINGS and ETHTOOL_GSTATS write one entry
/// for each that the driver has by then, whatever was asked for (ethtool_get_strings in net/ethtool/ioctl.c);
/// what would go beyond the end fails with EFAULT.
class GuardedBuffer {
 public:
  /// At least `size` bytes, rounded up to pages.
  static Result<GuardedBuffer> make(size_t size);

  void* data() const { return memory_.data(); }
  size_t size() const { return size_; }

 private:
  GuardedBuffer(Mapping memory, size_t size) : memory_(std::move(memory)), size_(size) {}

  Mapping memory_;
  size_t size_;
};

}  // namespace nettoll
