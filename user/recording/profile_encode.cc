// SPDX-License-Identifier: Apache-2.0
#include <concepts>
#include <functional>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "recording/profile_codec.h"
#include "recording/schema.h"
#include "recording/words.h"

namespace nettoll {
namespace {

using Json = nlohmann::json;

/// Gives each string its number. Refers to the strings, which outlive it.
class StringTable {
 public:
  size_t number_of(std::string_view text) {
    const auto [place, added] = numbers_.try_emplace(text, list_.size());
    if (added) list_.emplace_back(text);
    return place->second;
  }
  Json take_list() && { return std::move(list_); }

 private:
  std::unordered_map<std::string_view, size_t> numbers_;
  Json::array_t list_;
};

class Encoder {
 public:
  Json value(std::integral auto number) { return number; }
  Json value(double number) { return number; }
  Json value(const std::optional<double>& number) { return number ? Json(*number) : Json(); }
  Json value(const std::string& text) { return strings_.number_of(text); }
  template <typename Enum>
  requires std::is_enum_v<Enum> Json value(Enum enumerator) {
    return strings_.number_of(word_of(enumerator));
  }
  template <typename T>
  Json value(const std::vector<T>& list) {
    return array(list, [&](const T& item) { return value(item); });
  }
  Json value(const StackTable<uint32_t>& stacks) {
    Json::array_t all;
    all.reserve(stacks.size());
    for (size_t i = 0; i < stacks.size(); ++i) all.emplace_back(stacks[i]);
    return all;
  }

  template <typename Struct>
  Json object(const Struct& from) {
    Json all = Json::object();
    describe(Type<Struct>{},
             [&](const char* name, auto member) { all[name] = value(std::invoke(member, from)); });
    return all;
  }
  template <typename Row>
  Json table(const std::vector<Row>& rows) {
    Json columns = Json::object();
    describe(Type<Row>{}, [&](const char* name, auto member) {
      columns[name] = array(rows, [&](const Row& row) { return value(std::invoke(member, row)); });
    });
    return columns;
  }
  Json strings() && { return std::move(strings_).take_list(); }

 private:
  template <typename T, typename ToJson>
  static Json array(const std::vector<T>& list, ToJson to_json) {
    Json::array_t all;
    all.reserve(list.size());
    for (const T& item : list) all.push_back(to_json(item));
    return all;
  }

  StringTable strings_;
};

}  // namespace

std::string encode_profile(const Profile& profile) {
  Encoder encoder;
  Json root = Json::object();
  root["window"] = encoder.object(profile);
  root["session"] = encoder.object(profile.session);
  root["stacks"] = encoder.value(profile.stacks);
  for_each_table(profile, [&](const char* name, const auto& rows) { root[name] = encoder.table(rows); });
  for_each_later_table(profile,
                       [&](const char* name, const auto& rows) { root[name] = encoder.table(rows); });
  root["strings"] = std::move(encoder).strings();
  std::string cbor;
  Json::to_cbor(root, cbor);
  return cbor;
}

}  // namespace nettoll
