// SPDX-License-Identifier: Apache-2.0
#include <concepts>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "recording/cbor_check.h"
#include "recording/profile_codec.h"
#include "recording/schema.h"
#include "recording/words.h"

namespace nettoll {
namespace {

using Json = nlohmann::json;
using Array = Json::array_t;
using Object = Json::object_t;

/// The member of `map` of that name, where there is one and it is a T.
template <typename T>
const T* find(const Object& map, const char* name) {
  const auto place = map.find(name);
  return place == map.end() ? nullptr : place->second.get_ptr<const T*>();
}

/// Reads values; goes on after an error without effect, and holds the first one.
class Decoder {
 public:
  /// `string_bytes` is how long all strings together may become.
  Decoder(const Object& root, size_t string_bytes) : root_(root), string_bytes_left_(string_bytes) {
    strings_ = find<Array>(root, "strings");
    if (!strings_) wrong("has no table 'strings'");
  }

  template <typename Struct>
  void object(const char* name, Struct& to) {
    const auto* map = find<Object>(root_, name);
    if (!map) return wrong(fmt::format("has no table '{}'", name));
    describe(Type<Struct>{}, [&](const char* field, auto member) {
      if (error_) return;
      const auto place = map->find(field);
      if (place == map->end()) return wrong(fmt::format("has no field '{}' in '{}'", field, name));
      if (!value(place->second, std::invoke(member, to)))
        wrong(fmt::format("holds a bad '{}' in '{}'", field, name));
    });
  }

  template <typename Row>
  void table(const char* name, std::vector<Row>& rows) {
    const auto* columns = find<Object>(root_, name);
    const auto size = rows_in<Row>(name, columns);
    if (!size) return;
    rows.resize(*size);
    describe(Type<Row>{}, [&](const char* field, auto member) {
      if (is_missing<decltype(member)>(*columns, field)) return;
      const Array& column = *find<Array>(*columns, field);
      for (size_t i = 0; i < rows.size() && !error_; ++i) {
        if (!value(column[i], std::invoke(member, rows[i])))
          wrong(fmt::format("holds a bad '{}' in row {} of '{}'", field, i, name));
      }
    });
  }

  template <typename Row>
  void later_table(const char* name, std::vector<Row>& rows) {
    if (root_.contains(name)) table(name, rows);
  }

  void stacks(const char* name, StackTable<uint32_t>& to) {
    const auto* all = find<Array>(root_, name);
    if (!all) return wrong(fmt::format("has no table '{}'", name));
    std::vector<uint32_t> stack;
    for (const Json& frames : *all) {
      if (!value(frames, stack)) return wrong(fmt::format("holds a bad stack {}", to.size()));
      to.add(stack);
    }
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  void wrong(std::string_view what) {
    if (!error_) error_ = failure(fmt::format("damaged: it {}", what));
  }

  // How many rows a table has; all columns are compared before memory is taken for the first row.
  template <typename Row>
  std::optional<size_t> rows_in(const char* name, const Object* columns) {
    if (!columns) wrong(fmt::format("has no table '{}'", name));
    std::optional<size_t> size;
    describe(Type<Row>{}, [&](const char* field, auto member) {
      if (error_ || is_missing<decltype(member)>(*columns, field)) return;
      const auto* column = find<Array>(*columns, field);
      if (!column) return wrong(fmt::format("has no column '{}' in '{}'", field, name));
      if (size && *size != column->size())
        return wrong(fmt::format("has {} rows in column '{}' of '{}' and {} elsewhere", column->size(), field,
                                 name, *size));
      size = column->size();
    });
    return error_ ? std::nullopt : size;
  }

  template <typename Member>
  static bool is_missing(const Object& columns, const char* field) {
    return is_later<Member> && !columns.contains(field);
  }

  static bool value(const Json& from, bool& to) {
    const auto* found = from.get_ptr<const bool*>();
    if (found) to = *found;
    return found;
  }
  static bool value(const Json& from, double& to) {
    const auto* found = from.get_ptr<const double*>();
    if (found) to = *found;
    return found;
  }
  static bool value(const Json& from, std::optional<double>& to) {
    to.reset();
    return from.is_null() || value(from, to.emplace());
  }
  template <std::integral T>
  static bool value(const Json& from, T& to) {
    if (!from.is_number_integer()) return false;
    if (from.is_number_unsigned() ? !std::in_range<T>(from.get<uint64_t>())
                                  : !std::in_range<T>(from.get<int64_t>()))
      return false;
    to = from.get<T>();
    return true;
  }
  bool value(const Json& from, std::string& to) {
    const std::string* found = string(from);
    if (!found || found->size() > string_bytes_left_) return false;
    string_bytes_left_ -= found->size();
    to = *found;
    return true;
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  bool value(const Json& from, Enum& to) {
    const std::string* word = string(from);
    const auto found = word ? enumerator_of<Enum>(*word) : std::nullopt;
    if (found) to = *found;
    return found.has_value();
  }
  template <typename T>
  bool value(const Json& from, std::vector<T>& to) {
    const auto* list = from.get_ptr<const Array*>();
    if (!list) return false;
    to.resize(list->size());
    for (size_t i = 0; i < to.size(); ++i) {
      if (!value((*list)[i], to[i])) return false;
    }
    return true;
  }

  const std::string* string(const Json& number) const {
    size_t place = 0;
    if (!value(number, place) || place >= strings_->size()) return nullptr;
    return (*strings_)[place].get_ptr<const std::string*>();
  }

  const Object& root_;
  const Array* strings_ = nullptr;
  size_t string_bytes_left_;
  std::optional<Error> error_;
};

}  // namespace

Result<Profile> decode_profile(std::string_view cbor, const RecordingLimits& limits) {
  if (auto safe = check_cbor(cbor, limits.items); !safe) return std::move(safe).error();
  const Json root = Json::from_cbor(cbor, /*strict=*/true, /*allow_exceptions=*/false);
  const auto* tables = root.get_ptr<const Object*>();
  if (!tables) return failure("damaged: it holds no CBOR map");
  Decoder decoder(*tables, limits.string_bytes);
  Profile profile;
  decoder.object("window", profile);
  decoder.object("session", profile.session);
  decoder.stacks("stacks", profile.stacks);
  for_each_table(profile, [&](const char* name, auto& rows) { decoder.table(name, rows); });
  for_each_later_table(profile, [&](const char* name, auto& rows) { decoder.later_table(name, rows); });
  if (decoder.error()) return *decoder.error();
  return profile;
}

}  // namespace nettoll
