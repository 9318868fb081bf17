// SPDX-License-Identifier: Apache-2.0
// The programs of exact mode: clones of the templates in bpf/exact.bpf.c, attached in pairs.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "collect/attach_plan.h"

namespace nettoll {

/// A template's instructions, owned by its skeleton.
using Instructions = std::span<const bpf_insn>;

/// `code` with `offset` written over the slot's mark and `vector` over that of the softirq vector. Fails if
/// the slot's mark is not there exactly once, or the vector's more than once: only a changed template can
/// cause that.
Result<std::vector<bpf_insn>> with_slot(Instructions code, uint32_t offset, uint32_t vector);

/// One loaded program, and its link once it is attached.
class ExactProgram {
 public:
  /// Loads a program for entry or exit of a function.
  static Result<ExactProgram> load_function(const std::vector<bpf_insn>& code, const std::string& name,
                                            const BtfTarget& target, bool exit);
  /// Loads a program for a raw tracepoint.
  static Result<ExactProgram> load_tracepoint(const std::vector<bpf_insn>& code, const std::string& name);

  /// Attaches it; `tracepoint` is null for one of load_function().
  Status attach(const char* tracepoint);
  void detach() { link_.reset(); }

  int fd() const { return program_.get(); }
  /// Runs that the kernel skipped since the last call.
  uint64_t take_missed();

 private:
  UniqueFd program_;
  UniqueFd link_;
  uint64_t missed_seen_ = 0;
};

/// Both ends of a function.
struct ExactPair {
  ExactProgram entry;
  ExactProgram exit;
};

}  // namespace nettoll
