// SPDX-License-Identifier: Apache-2.0
// Files of /proc and /sys under a root that tests can set.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu_set.h"
#include "base/result.h"

namespace nettoll {

/// Reads files of /proc and /sys. `root` is "" for this host or a folder that holds `proc` and `sys`.
class KernelFs {
 public:
  KernelFs() = default;
  explicit KernelFs(std::string root) : root_(std::move(root)) {}

  /// The path as opened, for messages.
  std::string path(std::string_view name) const { return root_ + std::string(name); }

  /// The whole file. Such files report size 0, so it is read to its end.
  Result<std::string> read(std::string_view name) const;
  /// The whole file handed on in pieces of at most 64 KiB, which may end anywhere: for files too large to
  /// hold.
  Status read_pieces(std::string_view name, const std::function<void(std::string_view)>& take) const;
  /// The file's first line without its end.
  Result<std::string> read_line(std::string_view name) const;
  /// The file as one decimal number.
  Result<long> read_number(std::string_view name) const;
  /// Names in a directory without . and .., sorted.
  Result<std::vector<std::string>> list(std::string_view name) const;
  bool exists(std::string_view name) const;
  /// What a symbolic link holds: "../../bus/virtio/drivers/virtio_net", "socket:[12345]".
  Result<std::string> read_link(std::string_view name) const;

  /// /sys/devices/system/cpu/online and possible.
  Result<CpuSet> online_cpus() const;
  Result<CpuSet> possible_cpus() const;

 private:
  std::string root_;
};

}  // namespace nettoll
