// SPDX-License-Identifier: Apache-2.0
// The kernel's functions by address, from /proc/kallsyms.
//
// Names lie in one arena beside sorted arrays of addresses and offsets: 14 bytes a function plus its name,
// and another 4.5 bytes for the index by name. All rules about where a function ends are applied when the
// table is built, so that a lookup is one binary search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "model/function.h"
#include "symbolize/name_arena.h"

namespace nettoll {

/// A function as kallsyms has it. The views live as long as the KernelSymbols they came from, also when that
/// is moved.
struct Hit {
  std::string_view name;    ///< without .llvm.<hash> and .cfi; other compiler suffixes are kept
  std::string_view module;  ///< kVmlinux, a module's name, "bpf", or a pseudo module such as
                            ///< "__builtin__kprobes"
  uint64_t start = 0;
  SymbolKind kind = SymbolKind::kernel;  ///< kernel or bpf
};

/// What can be executed in the kernel: functions of vmlinux and of modules, BPF programs and trampolines.
class KernelSymbols {
 public:
  /// A table that knows no address.
  KernelSymbols() = default;

  /// Reads the text of /proc/kallsyms. Lines that are no symbol are skipped and counted. Fails on a text
  /// without any function, and where every address is 0 because kptr_restrict hides them.
  static Result<KernelSymbols> parse(std::string_view kallsyms_text);
  /// The same from /proc/kallsyms, in pieces: the text, about 10 MB on a large host, is never whole in
  /// memory.
  static Result<KernelSymbols> load(const KernelFs& fs);

  /// The function that holds `address`, or nothing: an address between two sections, past the end of a module
  /// or in a hole belongs to no function. Where several names share an address the best one is given (see
  /// better_alias). For a return address ask for address - 1: a call may be the last thing in a function.
  std::optional<Hit> find(uint64_t address) const;

  /// How many functions, counting each name at an address.
  size_t size() const { return functions_; }
  /// How many addresses carry this name; 0 where there is none, more than 1 where it cannot be told which
  /// one is meant.
  uint32_t count_named(std::string_view name) const;
  /// Lines that made no sense.
  size_t skipped_lines() const { return skipped_; }
  /// Bytes held by this table.
  size_t memory_bytes() const;

  /// Calls `visit(const Hit&)` for every function by rising address, all names of an address included.
  template <typename Visit>
  void for_each_function(Visit&& visit) const {
    for (size_t i = 0; i < addresses_.size(); ++i) {
      if (names_[i] != kHole) visit(hit(i));
    }
  }
  /// The same for the functions with this exact name.
  template <typename Visit>
  void for_each_named(std::string_view name, Visit&& visit) const {
    if (bucket_ends_.empty()) return;
    const size_t bucket = bucket_of(name);
    for (uint32_t i = bucket == 0 ? 0 : bucket_ends_[bucket - 1]; i < bucket_ends_[bucket]; ++i) {
      if (arena_[names_[by_name_[i]]] == name) visit(hit(by_name_[i]));
    }
  }

 private:
  friend class KernelSymbolsBuilder;

  struct Module {
    std::string name;
    SymbolKind kind = SymbolKind::kernel;
  };

  /// In names_: from here to the next entry there is no function.
  static constexpr uint32_t kHole = UINT32_MAX;

  Hit hit(size_t index) const {
    const Module& module = modules_[module_ids_[index]];
    return {arena_[names_[index]], module.name, addresses_[index], module.kind};
  }
  size_t bucket_of(std::string_view name) const;
  void index_names();

  NameArena arena_;
  std::vector<Module> modules_;
  // By rising address; of several names at one address the best is the last.
  std::vector<uint64_t> addresses_;
  std::vector<uint32_t> names_;
  std::vector<uint16_t> module_ids_;
  // Buckets of a hash of the name: bucket b is by_name_[bucket_ends_[b-1] .. bucket_ends_[b]).
  std::vector<uint32_t> bucket_ends_;
  std::vector<uint32_t> by_name_;
  size_t functions_ = 0;
  size_t skipped_ = 0;
};

}  // namespace nettoll
