// SPDX-License-Identifier: Apache-2.0
#include "report/call_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/names.h"

namespace nettoll {
namespace {

/// By Method. Functions known by samples alone have no calls to mark.
constexpr std::array<const char*, 5> kLetters{"f", "m", "k", "t", ""};

}  // namespace

std::string CallMarks::mark(const FunctionCost& function) {
  std::string text;
  if (function.calls) {
    const auto method = static_cast<size_t>(function.method);
    text = kLetters[method];
    used_[method] = true;
  }
  if (!function.condition.empty()) {
    auto note = std::find(conditions_.begin(), conditions_.end(), function.condition);
    if (note == conditions_.end()) note = conditions_.insert(note, function.condition);
    text += fmt::format("[{}]", note - conditions_.begin() + 1);
  }
  return text;
}

std::string CallMarks::notes() const {
  std::string legend;
  for (size_t i = 0; i < kLetters.size(); ++i) {
    if (!used_[i] || *kLetters[i] == '\0') continue;
    legend +=
        fmt::format("{}{} {}", legend.empty() ? "" : ", ", kLetters[i], name_of(static_cast<Method>(i)));
  }
  std::string text = legend.empty() ? "" : "calls counted by: " + legend + "\n";
  for (size_t i = 0; i < conditions_.size(); ++i) text += fmt::format("[{}] {}\n", i + 1, conditions_[i]);
  return text;
}

}  // namespace nettoll
