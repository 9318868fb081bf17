// SPDX-License-Identifier: Apache-2.0
// What the running kernel's BTF tells: functions, tracepoints and their arguments, drop reasons.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "collect/attach_plan.h"
#include "model/drop_reasons.h"

struct btf;

namespace nettoll {

/// Owns the parsed BTF of vmlinux and of the modules that were asked for; some megabytes, so drop it once the
/// plan is made.
class BtfFacts {
 public:
  /// Reads /sys/kernel/btf/vmlinux. Fails where the kernel was built without CONFIG_DEBUG_INFO_BTF.
  static Result<BtfFacts> load();

  /// A function of the kernel or of a loaded module (modules have BTF of their own since 5.11).
  std::optional<BtfTarget> function(std::string_view name, std::string_view module);
  /// Whether programs can attach to a tracepoint of that name (the type btf_trace_<name> exists).
  bool has_tracepoint(std::string_view name) const;
  /// Which argument of skb:kfree_skb is the reason, counted from 0 (the skb), found by its type; 0 where
  /// there is none (kernels before 5.17).
  uint32_t drop_reason_argument() const;
  /// The same of the socket that was to receive the packet (6.11).
  uint32_t drop_socket_argument() const;
  /// Names of reasons and subsystems; those of subsystems that are modules where they are loaded.
  DropReasonNames drop_reasons();

 private:
  struct Free {
    void operator()(struct btf* btf) const;
  };
  using Btf = std::unique_ptr<struct btf, Free>;
  struct ModuleBtf {
    uint32_t object = 0;
    Btf btf;  ///< read when first asked for
  };
  explicit BtfFacts(struct btf* btf) : btf_(btf) {}
  const ModuleBtf* module(std::string_view name);

  Btf btf_;
  std::map<std::string, ModuleBtf, std::less<>> modules_;  ///< goes before btf_, on which they build
  bool listed_ = false;
};

}  // namespace nettoll
