// SPDX-License-Identifier: Apache-2.0
#include "report/counted_functions_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/printable.h"
#include "model/names.h"
#include "report/format.h"
#include "report/table.h"

namespace nettoll {
namespace {

/// "veth_xmit [veth]", as the kernel's own lists have it.
std::string name_with_module(const CountedFunction& f) {
  return f.module.empty() || f.module == kVmlinux ? f.name : fmt::format("{} [{}]", f.name, f.module);
}

std::string method_text(const CountedFunction& f) {
  if (f.method == Method::samples) return kMissing;
  return f.method == Method::tracepoint ? f.tracepoint : std::string(name_of(f.method));
}

}  // namespace

std::string counted_functions_view(const std::vector<CountedFunction>& functions, const std::string& set,
                                   double hooks_per_packet) {
  TextTable table({{"function", TextTable::Kind::text},
                   {"state", TextTable::Kind::text},
                   {"counted by", TextTable::Kind::text},
                   {"note", TextTable::Kind::text}});
  std::vector<std::string> notes;
  std::map<CountState, size_t> counts;
  for (const CountedFunction& f : functions) {
    ++counts[f.state];
    std::string mark;
    if (!f.condition.empty()) {
      auto note = std::find(notes.begin(), notes.end(), f.condition);
      if (note == notes.end()) note = notes.insert(note, f.condition);
      mark = fmt::format("[{}]", note - notes.begin() + 1);
    }
    table.add({name_with_module(f), std::string(name_of(f.state)), method_text(f), mark});
  }
  std::string text = table.render();
  for (size_t i = 0; i < notes.size(); ++i) text += fmt::format("[{}] {}\n", i + 1, notes[i]);
  std::string sums;
  for (const auto& [state, n] : counts)
    sums += fmt::format("{}{} {}", sums.empty() ? "" : ", ", n, name_of(state));
  text += fmt::format("\nset {}: {}; at most {} hooks a packet\n", set, sums, hooks_per_packet);
  return printable_text(text);
}

}  // namespace nettoll
