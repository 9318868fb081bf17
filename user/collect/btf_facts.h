// SPDX-License-Identifier: Apache-2.0
// What the running kernel's BTF tells: functions, tracepoints and their arguments, drop reasons.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/drop_reasons.h"

struct btf;

namespace nettoll {

/// Owns the parsed BTF of vmlinux; some megabytes, so drop it once the plan is made.
class BtfFacts {
 public:
  /// Reads /sys/kernel/btf/vmlinux. Fails where the kernel was built without CONFIG_DEBUG_INFO_BTF.
  static Result<BtfFacts> load();

  std::optional<uint32_t> function_id(std::string_view name) const;
  /// Whether programs can attach to a tracepoint of that name (the type btf_trace_<name> exists).
  bool has_tracepoint(std::string_view name) const;
  /// Which argument of skb:kfree_skb is the reason, counted from 0 (the skb), found by its type; 0 where
  /// there is none (kernels before 5.17).
  uint32_t drop_reason_argument() const;
  DropReasonNames drop_reasons() const;

 private:
  struct Free {
    void operator()(struct btf* btf) const;
  };
  explicit BtfFacts(struct btf* btf) : btf_(btf) {}
  std::unique_ptr<struct btf, Free> btf_;
};

}  // namespace nettoll
