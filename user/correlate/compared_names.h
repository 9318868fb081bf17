// SPDX-License-Identifier: Apache-2.0
// Whether two windows have names for the same code. Where one lacks them its functions look gone, and those
// of the other new: what is not named alike is not compared by function.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/cost_diff.h"
#include "model/cost_table.h"

namespace nettoll {

/// A module's names are uneven where the parts of its samples that have none differ by more than this, and by
/// more than two standard errors. In a stripped program they differ by what ran, too: two recordings of one
/// load had 39% and 50% in one whose symbols are those of its dynamic linking alone.
inline constexpr double kUnevenPart = 0.2;
/// The kernel's names tell paths and idle time; those do not compare where that difference, as a part of all
/// samples, is more than this.
inline constexpr double kUnevenKernelPart = 0.01;
/// From this part of a side's samples on, code without a name is told of.
inline constexpr double kMuchUnnamed = 0.1;

/// How the sides' names go together, by samples of all events.
class ComparedNames {
 public:
  ComparedNames(const CostTable& a, const CostTable& b);

  /// Whether both sides have as many names in the symbol's module. A module that one side has no sample of
  /// may be among its code of no known module, in the kernel or in programs: then that is what is asked of.
  bool compare(const Symbol& symbol) const;
  /// Whether both name the kernel's functions, by which paths and idle time are told.
  bool kernel_compares() const { return kernel_compares_; }
  /// Modules that do not compare, those with most samples first.
  const std::vector<UnevenNames>& uneven() const { return uneven_; }
  /// Part of the samples whose code has no name; 0 of none.
  double unnamed_a() const { return part(a_.all).value_or(0); }
  double unnamed_b() const { return part(b_.all).value_or(0); }

 private:
  struct Tally {
    uint64_t samples = 0;
    uint64_t unnamed = 0;
  };
  static std::optional<double> part(const Tally& tally);
  static bool alike(const Tally& a, const Tally& b);
  struct Module {
    bool user = false;
    std::string name;
    auto operator<=>(const Module&) const = default;
  };
  /// One side's samples.
  struct Side {
    std::map<Module, Tally> modules;
    Tally all;
    Tally user;  ///< code of programs and of no known module

    void add(const CostTable& cost);
    Tally tally(const Module& module) const;
    /// A module's samples, or those of where they may be.
    Tally samples_of(const Module& module) const;
  };

  static Module module_of(const Symbol& symbol);
  bool even(const Module& module) const;
  bool kernel_is_even() const;

  Side a_;
  Side b_;
  bool kernel_compares_ = true;
  std::vector<UnevenNames> uneven_;
};

/// What a reader has to know of it, a sentence each.
std::vector<std::string> notes_on_names(const ComparedNames& names);

}  // namespace nettoll
