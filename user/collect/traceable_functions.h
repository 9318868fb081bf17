// SPDX-License-Identifier: Apache-2.0
// Which functions ftrace can hook.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/kernel_fs.h"

namespace nettoll {

/// The names of tracefs' available_filter_functions: what is missing there is notrace, or not compiled with
/// an entry to patch. fentry, kprobe.multi and kprobes (without CONFIG_KPROBE_EVENTS_ON_NOTRACE) need it.
class TraceableFunctions {
 public:
  /// Where tracefs is not mounted or must not be read nothing is known.
  static TraceableFunctions load(const KernelFs& fs);

  /// False only for a function that is known not to be there.
  bool may_have(std::string_view name) const { return !names_ || names_->contains(std::string(name)); }

 private:
  std::optional<std::unordered_set<std::string>> names_;
};

}  // namespace nettoll
