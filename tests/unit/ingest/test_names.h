// SPDX-License-Identifier: Apache-2.0
// Names that tell where they were asked for.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "ingest/code_names.h"
#include "model/profile.h"

namespace nettoll {

/// Names a kernel address "k<hex>" and a place of a file "<path>@<hex>"; one is an interrupt's.
class TestNames : public CodeNames {
 public:
  static constexpr uint64_t kInterruptEntry = 0xffffffff81f00000;

  std::vector<std::string> prepare(const CaptureFacts& facts) override {
    told = facts;
    return {};
  }
  CodeName kernel(uint64_t address, std::string_view module) override {
    if (address == kInterruptEntry)
      return Symbol{"asm_sysvec_apic_timer_interrupt", kVmlinux, SymbolKind::kernel};
    if (address == unnamed_address) return UnnamedCause::kernel_hole;
    return Symbol{fmt::format("k{:x}", address), module.empty() ? kVmlinux : std::string(module),
                  SymbolKind::kernel};
  }
  CodeName user(const MappedFile& file, uint64_t file_offset) override {
    return Symbol{fmt::format("{}@{:x}", file.path, file_offset), file.path, SymbolKind::user};
  }

  CaptureFacts told;
  uint64_t unnamed_address = UINT64_MAX;
};

/// Rows as text, in their order: "event cpu samples period leaf;caller;caller".
inline std::vector<std::string> rows_of(const Profile& profile) {
  std::vector<std::string> rows;
  for (const StackSamples& row : profile.samples) {
    std::string stack;
    for (const uint32_t symbol : profile.stacks[row.stack])
      stack += (stack.empty() ? "" : ";") + profile.symbols[symbol].name;
    rows.push_back(fmt::format("{} {} {} {} {}", profile.session.events[row.event].name, row.cpu, row.samples,
                               row.period, stack));
  }
  return rows;
}

}  // namespace nettoll
