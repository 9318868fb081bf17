// SPDX-License-Identifier: Apache-2.0
// Enumerators as a recording spells them: by word, so that their numbers may change.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>

#include "model/event.h"
#include "model/names.h"

namespace nettoll {

/// The last enumerator of an enum that counts from 0 without holes.
template <typename Enum>
struct Last;
template <>
struct Last<EventUnit> : std::integral_constant<EventUnit, EventUnit::nanoseconds> {};
template <>
struct Last<Path> : std::integral_constant<Path, Path::own> {};
template <>
struct Last<Method> : std::integral_constant<Method, Method::samples> {};
template <>
struct Last<CountState> : std::integral_constant<CountState, CountState::estimated> {};
template <>
struct Last<SymbolKind> : std::integral_constant<SymbolKind, SymbolKind::unknown> {};
template <>
struct Last<LossKind> : std::integral_constant<LossKind, LossKind::unmatched_sample> {};

inline std::string_view word_of(EventUnit unit) {
  return unit == EventUnit::count ? "count" : "nanoseconds";
}
template <typename Enum>
std::string_view word_of(Enum value) {
  return name_of(value);
}

template <typename Enum>
std::optional<Enum> enumerator_of(std::string_view word) {
  for (int i = 0; i <= static_cast<int>(Last<Enum>::value); ++i) {
    if (word_of(static_cast<Enum>(i)) == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace nettoll
