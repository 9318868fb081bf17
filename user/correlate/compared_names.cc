// SPDX-License-Identifier: Apache-2.0
#include "correlate/compared_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "correlate/function_match.h"

namespace nettoll {
namespace {

constexpr size_t kModulesTold = 3;

/// "0.4%", "97%": a part as notes have it.
std::string percent(double part) {
  return fmt::format("{:.{}f}%", part * 100, part > 0 && part < 0.0995 ? 1 : 0);
}

std::string side_text(std::string_view letter, uint64_t samples, std::optional<double> unnamed) {
  if (samples == 0) return fmt::format("{} has no sample that is known to be of it", letter);
  return fmt::format("{} of {} samples have no name in {}", percent(unnamed.value_or(0)), samples, letter);
}

}  // namespace

std::optional<double> ComparedNames::part(const Tally& tally) {
  if (tally.samples == 0) return std::nullopt;
  return static_cast<double>(tally.unnamed) / static_cast<double>(tally.samples);
}

ComparedNames::Module ComparedNames::module_of(const Symbol& symbol) {
  const bool user = symbol.kind == SymbolKind::user || symbol.kind == SymbolKind::unknown;
  return {user, std::string(module_key(symbol))};
}

void ComparedNames::Side::add(const CostTable& cost) {
  for (const FunctionCost& function : cost.functions) {
    const Symbol& symbol = function.symbol;
    if (symbol.kind == SymbolKind::own) continue;
    const bool unnamed = symbol.name == kUnknownName || symbol.name == kUserName;
    const Module module = module_of(symbol);
    for (const FunctionCell& cell : function.cells) {
      for (Tally* tally : {&modules[module], &all, module.user ? &user : nullptr}) {
        if (!tally) continue;
        tally->samples += cell.self.samples;
        if (unnamed) tally->unnamed += cell.self.samples;
      }
    }
  }
}

ComparedNames::Tally ComparedNames::Side::tally(const Module& module) const {
  const auto found = modules.find(module);
  return found == modules.end() ? Tally() : found->second;
}

ComparedNames::Tally ComparedNames::Side::samples_of(const Module& module) const {
  const bool nowhere = module.name.empty();
  const Tally own = tally(module);
  if (own.samples > 0 && !nowhere) return own;
  if (!module.user) return tally({false, kVmlinux});
  return {user.samples, tally({true, ""}).unnamed};
}

/// Whether the parts without a name differ by no more than what ran may make them.
bool ComparedNames::alike(const Tally& a, const Tally& b) {
  if (a.samples == 0 || b.samples == 0) return true;
  const auto in_a = static_cast<double>(a.samples);
  const auto in_b = static_cast<double>(b.samples);
  const double both = static_cast<double>(a.unnamed + b.unnamed) / (in_a + in_b);
  const double error = std::sqrt(both * (1 - both) * (1 / in_a + 1 / in_b));
  return std::abs(*part(a) - *part(b)) <= std::max(kUnevenPart, 2 * error);
}

bool ComparedNames::even(const Module& module) const {
  return alike(a_.samples_of(module), b_.samples_of(module));
}

bool ComparedNames::kernel_is_even() const {
  const Tally in_a = a_.tally({false, kVmlinux});
  const Tally in_b = b_.tally({false, kVmlinux});
  if (alike(in_a, in_b)) return true;
  const auto of_all = [](const Tally& tally, const Side& side) {
    return static_cast<double>(tally.samples) / static_cast<double>(side.all.samples);
  };
  return std::abs(*part(in_a) - *part(in_b)) * std::max(of_all(in_a, a_), of_all(in_b, b_)) <=
         kUnevenKernelPart;
}

ComparedNames::ComparedNames(const CostTable& a, const CostTable& b) {
  a_.add(a);
  b_.add(b);
  kernel_compares_ = kernel_is_even();
  std::map<Module, Tally> both = a_.modules;
  both.insert(b_.modules.begin(), b_.modules.end());
  for (const auto& [module, unused] : both) {
    if (even(module)) continue;
    const Tally in_a = a_.tally(module);
    const Tally in_b = b_.tally(module);
    uneven_.push_back({module.name, in_a.samples, in_b.samples, part(in_a), part(in_b)});
  }
  std::stable_sort(uneven_.begin(), uneven_.end(), [](const UnevenNames& x, const UnevenNames& y) {
    return x.samples_a + x.samples_b > y.samples_a + y.samples_b;
  });
}

bool ComparedNames::compare(const Symbol& symbol) const {
  return symbol.kind == SymbolKind::own || even(module_of(symbol));
}

std::vector<std::string> notes_on_names(const ComparedNames& names) {
  std::vector<std::string> notes;
  const double a = names.unnamed_a();
  const double b = names.unnamed_b();
  if (std::max(a, b) >= kMuchUnnamed)
    notes.push_back(fmt::format(
        "{} of A's samples and {} of B's are of code without a name: no function of it is compared",
        percent(a), percent(b)));
  if (!names.kernel_compares())
    notes.push_back(
        "A and B do not compare by path, nor is idle time told from work, because one lacks names of the "
        "kernel: all time is compared, and --fail-on judges none of it; give --kallsyms");
  const auto& uneven = names.uneven();
  for (size_t i = 0; i < std::min(uneven.size(), kModulesTold); ++i) {
    const UnevenNames& row = uneven[i];
    notes.push_back(fmt::format(
        "functions of {} are not compared: {}, {}", row.module.empty() ? "programs" : row.module,
        side_text("A", row.samples_a, row.unnamed_a), side_text("B", row.samples_b, row.unnamed_b)));
  }
  if (uneven.size() > kModulesTold)
    notes.push_back(
        fmt::format("nor are those of {} more modules, programs and libraries, for the same reason",
                    uneven.size() - kModulesTold));
  return notes;
}

}  // namespace nettoll
