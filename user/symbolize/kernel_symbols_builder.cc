// SPDX-License-Identifier: Apache-2.0
#include "symbolize/kernel_symbols_builder.h"

#include <algorithm>
#include <utility>

#include "symbolize/symbol_names.h"

namespace nettoll {
namespace {

/// No line that is of use is longer; what is read of an endless one is bounded.
constexpr size_t kLongestLine = 2 * NameArena::kMaxLength;
constexpr std::string_view kBpf = "bpf";

/// The module as the model names it.
std::string_view module_of(const KallsymsLine& line) {
  if (!line.module.empty()) return line.module;
  // Some kernels and saved copies leave "[bpf]" out.
  if (parse_bpf_program(line.name) || is_bpf_trampoline(line.name)) return kBpf;
  return kVmlinux;
}

}  // namespace

void KernelSymbolsBuilder::add(std::string_view text) {
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (end == std::string_view::npos || !partial_line_.empty()) {
      const size_t room = kLongestLine - std::min(partial_line_.size(), kLongestLine);
      partial_line_.append(line.substr(0, room));
      if (end == std::string_view::npos) return;
      add_line(partial_line_);
      partial_line_.clear();
    } else {
      add_line(line);
    }
    text.remove_prefix(end + 1);
  }
}

void KernelSymbolsBuilder::add_line(std::string_view text) {
  if (text.empty()) return;
  const auto line = parse_kallsyms_line(text);
  if (!line || line->name.size() > NameArena::kMaxLength || !table_.arena_.has_room()) {
    ++table_.skipped_;
    return;
  }
  LineUse use = use_of(*line);
  if (note_section_end(*line)) use = LineUse::bound;
  if (use == LineUse::none) return;
  if (line->address == 0) {
    if (use != LineUse::bound) ++zero_addresses_;
    return;
  }
  const auto module = module_id(*line);
  if (!module) {
    ++table_.skipped_;
    return;
  }
  Entry entry{line->address, 0, *module, use, line->type == 'T' || line->type == 'W'};
  // A third of an x86 table is padding, nearly all of it right behind the function that covers it: gone
  // before it costs memory. drop_covered_padding() finds the rest.
  if (use == LineUse::padding && last_function_ != 0 && last_function_ < line->address &&
      last_function_module_ == *module)
    return;
  if (use != LineUse::bound) entry.name = table_.arena_.add(without_build_suffix(line->name));
  if (use == LineUse::function) {
    last_function_ = line->address;
    last_function_module_ = *module;
  }
  entries_.push_back(entry);
}

/// Notes the limits of vmlinux's text. True for an end, which is no function.
bool KernelSymbolsBuilder::note_section_end(const KallsymsLine& line) {
  if (!line.module.empty() || line.address == 0 || line.name.front() != '_') return false;
  if (line.name == "_stext") {
    text_.start = line.address;
  } else if (line.name == "_sinittext") {
    init_text_.start = line.address;
  } else if (line.name == "_etext") {
    text_.end = line.address;
    return true;
  } else if (line.name == "_einittext") {
    init_text_.end = line.address;
    return true;
  }
  return false;
}

std::optional<uint16_t> KernelSymbolsBuilder::module_id(const KallsymsLine& line) {
  const std::string_view name = module_of(line);
  auto& modules = table_.modules_;
  if (last_module_ < modules.size() && modules[last_module_].name == name) return last_module_;
  const auto [found, added] =
      module_ids_.try_emplace(std::string(name), static_cast<uint16_t>(modules.size()));
  if (added) {
    if (modules.size() > UINT16_MAX) {
      module_ids_.erase(found);
      return std::nullopt;
    }
    modules.push_back({std::string(name), name == kBpf ? SymbolKind::bpf : SymbolKind::kernel});
  }
  return last_module_ = found->second;
}

/// By address; at one address data first, then padding, then functions with the best name last.
bool KernelSymbolsBuilder::before(const Entry& a, const Entry& b) const {
  if (a.address != b.address) return a.address < b.address;
  const auto rank = [](LineUse use) {
    return use == LineUse::function ? 2 : use == LineUse::padding ? 1 : 0;
  };
  if (rank(a.use) != rank(b.use)) return rank(a.use) < rank(b.use);
  const std::string& module_a = table_.modules_[a.module].name;
  const std::string& module_b = table_.modules_[b.module].name;
  if (a.use == LineUse::bound) return module_a > module_b;
  const Alias alias_a{table_.arena_[a.name], a.global}, alias_b{table_.arena_[b.name], b.global};
  if (better_alias(alias_b, alias_a)) return true;
  if (better_alias(alias_a, alias_b)) return false;
  return module_a > module_b;
}

Result<KernelSymbols> KernelSymbolsBuilder::finish() {
  if (!partial_line_.empty()) ++table_.skipped_;
  const bool any = std::any_of(entries_.begin(), entries_.end(),
                               [](const Entry& entry) { return entry.use != LineUse::bound; });
  if (!any && zero_addresses_ > 0)
    return failure("kernel symbols are hidden: every address in /proc/kallsyms is 0",
                   "run as root, or set sysctl kernel.kptr_restrict=0");
  if (!any)
    return failure(
        fmt::format("/proc/kallsyms holds no function ({} lines could not be read)", table_.skipped_),
        "use a kernel with CONFIG_KALLSYMS=y");
  table_.skipped_ += zero_addresses_;

  const auto order = [this](const Entry& a, const Entry& b) { return before(a, b); };
  if (!std::is_sorted(entries_.begin(), entries_.end(), order))
    std::sort(entries_.begin(), entries_.end(), order);
  drop_covered_padding();
  fill_table();
  table_.index_names();
  return std::move(table_);
}

void KernelSymbolsBuilder::drop_covered_padding() {
  size_t kept = 0;
  for (const Entry& entry : entries_) {
    const Entry* previous = kept == 0 ? nullptr : &entries_[kept - 1];
    const bool covered = previous && previous->use == LineUse::function && previous->module == entry.module &&
                         entry.address - previous->address < kLongestTail;
    if (entry.use != LineUse::padding || !covered) entries_[kept++] = entry;
  }
  entries_.resize(kept);
}

/// Where the function at `index` ends; `next` is the first entry at a higher address.
uint64_t KernelSymbolsBuilder::end_of(size_t index, size_t next) const {
  const Entry& entry = entries_[index];
  const std::string& module = table_.modules_[entry.module].name;
  uint64_t end = next < entries_.size() ? entries_[next].address : UINT64_MAX;
  const auto within = [&](uint64_t length) {
    if (end - entry.address > length) end = entry.address + length;
  };
  within(kLongestFunction);
  if (module == kVmlinux) {
    for (const Section* section : {&text_, &init_text_}) {
      if (section->holds(entry.address)) return std::min(end, *section->end);
    }
  }
  if (module.starts_with("__builtin__") || (module == kBpf && is_bpf_trampoline(table_.arena_[entry.name])))
    within(kPage);
  const bool followed =
      next < entries_.size() && entries_[next].module == entry.module && entries_[next].use != LineUse::bound;
  if (!followed) within(kLongestTail);
  return end;
}

void KernelSymbolsBuilder::fill_table() {
  const auto holes = static_cast<size_t>(std::count_if(
      entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.use == LineUse::bound; }));
  // An upper bound for most tables: each run of data makes one hole.
  const size_t guess = entries_.size() - holes + 64;
  table_.addresses_.reserve(guess);
  table_.names_.reserve(guess);
  table_.module_ids_.reserve(guess);
  const auto push = [this](uint64_t address, uint32_t name, uint16_t module) {
    table_.addresses_.push_back(address);
    table_.names_.push_back(name);
    table_.module_ids_.push_back(module);
  };
  for (size_t i = 0; i < entries_.size();) {
    size_t next = i;
    while (next < entries_.size() && entries_[next].address == entries_[i].address) ++next;
    for (size_t k = i; k < next; ++k) {
      if (entries_[k].use == LineUse::bound) continue;
      push(entries_[k].address, entries_[k].name, entries_[k].module);
      ++table_.functions_;
    }
    const size_t best = next - 1;
    if (entries_[best].use != LineUse::bound) {
      const uint64_t end = end_of(best, next);
      const bool next_is_code = next < entries_.size() && entries_[next].address == end && code_at(next);
      if (!next_is_code && end != UINT64_MAX) push(end, KernelSymbols::kHole, 0);
    }
    i = next;
  }
  entries_ = {};
  table_.addresses_.shrink_to_fit();
  table_.names_.shrink_to_fit();
  table_.module_ids_.shrink_to_fit();
}

/// Whether some entry at the address of `first`, the first of its address, is code.
bool KernelSymbolsBuilder::code_at(size_t first) const {
  for (size_t i = first; i < entries_.size() && entries_[i].address == entries_[first].address; ++i) {
    if (entries_[i].use != LineUse::bound) return true;
  }
  return false;
}

}  // namespace nettoll
