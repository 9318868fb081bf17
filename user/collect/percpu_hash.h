// SPDX-License-Identifier: Apache-2.0
// Reading a per-CPU hash map of the kernel.
#pragma once

#include <bpf/bpf.h>

#include <cerrno>
#include <cstdint>
#include <vector>

#include "base/result.h"

namespace nettoll {

/// Calls `take(key, values)` for each entry; values[i] is that of the i-th possible CPU, which is not CPU i
/// where ids have holes. Entries that come while we walk may be seen or not; none is seen twice unless
/// entries are deleted, which nettoll never does.
template <typename Key, typename Value, typename Take>
Status for_each_entry(int map_fd, size_t possible_cpus, Take take) {
  static_assert(sizeof(Value) % 8 == 0, "the kernel rounds per-CPU values up to 8 bytes");
  std::vector<Value> values(possible_cpus);
  Key key{}, next{};
  bool first = true;
  while (true) {
    const int err = bpf_map_get_next_key(map_fd, first ? nullptr : &key, &next);
    if (err == -ENOENT) return {};
    if (err < 0) return system_error("cannot walk a BPF map", -err);
    first = false;
    key = next;
    if (bpf_map_lookup_elem(map_fd, &key, values.data()) == 0) take(key, values);
  }
}

}  // namespace nettoll
