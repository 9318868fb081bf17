// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/pprof.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <protozero/pbf_builder.hpp>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "exporters/profiles/frame_name.h"
#include "exporters/profiles/origin.h"
#include "exporters/profiles/whole_weights.h"
#include "model/names.h"

namespace nettoll {
namespace {

// Field numbers of profile.proto.
enum class ProfileField : protozero::pbf_tag_type {
  sample_type = 1,
  sample = 2,
  mapping = 3,
  location = 4,
  function = 5,
  string_table = 6,
  time_nanos = 9,
  duration_nanos = 10,
  period_type = 11,
  period = 12,
  comment = 13,
  default_sample_type = 14,
};
enum class ValueTypeField : protozero::pbf_tag_type { type = 1, unit = 2 };
enum class SampleField : protozero::pbf_tag_type { location_id = 1, value = 2, label = 3 };
enum class LabelField : protozero::pbf_tag_type { key = 1, str = 2 };
enum class MappingField : protozero::pbf_tag_type { id = 1, filename = 5, build_id = 6, has_functions = 7 };
enum class LocationField : protozero::pbf_tag_type { id = 1, mapping_id = 2, line = 4 };
enum class LineField : protozero::pbf_tag_type { function_id = 1 };
enum class FunctionField : protozero::pbf_tag_type { id = 1, name = 2, system_name = 3, filename = 4 };

template <typename Field>
using Builder = protozero::pbf_builder<Field>;

/// Texts by number; "" is 0.
class StringTable {
 public:
  StringTable() { number(""); }
  int64_t number(std::string_view text) {
    const auto [place, is_new] = numbers_.try_emplace(valid_utf8(text), static_cast<int64_t>(texts_.size()));
    if (is_new) texts_.push_back(&place->first);
    return place->second;
  }
  void write(Builder<ProfileField>& out) const {
    for (const std::string* text : texts_) out.add_string(ProfileField::string_table, *text);
  }

 private:
  std::unordered_map<std::string, int64_t> numbers_;
  std::vector<const std::string*> texts_;
};

class PprofWriter {
 public:
  PprofWriter(const Profile& profile, const CostTable& cost, const NamedStacks& stacks,
              std::span<const uint32_t> events)
      : profile_(profile), cost_(cost), stacks_(stacks), events_(events), out_(bytes_) {}

  std::string write() {
    put_types();
    for (const Symbol& symbol : stacks_.symbols) location_of(symbol);
    put_costs();
    if (calls_place_) put_calls();
    if (drops_place_) put_drops();
    put_about();
    strings_.write(out_);
    return std::move(bytes_);
  }

 private:
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  static bool may_be_told(const FunctionCost& function) { return function.calls && function.denominator; }

  void put_value_type(ProfileField field, std::string_view type, std::string_view unit) {
    std::string bytes;
    Builder<ValueTypeField> value_type(bytes);
    value_type.add_int64(ValueTypeField::type, strings_.number(type));
    value_type.add_int64(ValueTypeField::unit, strings_.number(unit));
    out_.add_message(field, bytes);
  }

  void put_type(std::string_view type, std::string_view unit) {
    put_value_type(ProfileField::sample_type, type, unit);
    ++types_;
  }

  void put_types() {
    put_type("samples", "count");
    if (std::ranges::any_of(cost_.functions, may_be_told)) {
      calls_place_ = types_;
      put_type("calls", "count");
    }
    events_place_ = types_;
    for (const uint32_t event : events_) put_type(name(event), unit(event));
    if (!profile_.foreign) {
      drops_place_ = types_;
      put_type("drops", "count");
    }
  }

  std::string_view name(uint32_t event) const { return profile_.session.events[event].name; }
  std::string_view unit(uint32_t event) const {
    return profile_.session.events[event].unit == EventUnit::nanoseconds ? "nanoseconds" : "count";
  }

  /// A module as a mapping: without addresses, since a profile has names instead.
  uint64_t mapping_of(const std::string& module) {
    if (module.empty()) return 0;
    const auto [place, is_new] = mappings_.try_emplace(module, mappings_.size() + 1);
    if (!is_new) return place->second;
    std::string bytes;
    Builder<MappingField> mapping(bytes);
    mapping.add_uint64(MappingField::id, place->second);
    mapping.add_int64(MappingField::filename, strings_.number(module));
    if (const std::string_view id = find_build_id(profile_.build_ids, module); !id.empty())
      mapping.add_int64(MappingField::build_id, strings_.number(id));
    mapping.add_bool(MappingField::has_functions, true);
    out_.add_message(ProfileField::mapping, bytes);
    return place->second;
  }

  /// The location of a function; one of each.
  uint64_t location_of(const Symbol& symbol) {
    const auto [place, is_new] = locations_.try_emplace(symbol, locations_.size() + 1);
    const uint64_t id = place->second;
    if (!is_new) return id;
    const uint64_t mapping_id = mapping_of(symbol.module);
    const int64_t name = strings_.number(frame_name(symbol));
    std::string bytes;
    {
      Builder<FunctionField> function(bytes);
      function.add_uint64(FunctionField::id, id);
      function.add_int64(FunctionField::name, name);
      function.add_int64(FunctionField::system_name, name);
      function.add_int64(FunctionField::filename, strings_.number(symbol.module));
    }
    out_.add_message(ProfileField::function, bytes);
    bytes.clear();
    std::string line_bytes;
    Builder<LineField>(line_bytes).add_uint64(LineField::function_id, id);
    {
      Builder<LocationField> location(bytes);
      location.add_uint64(LocationField::id, id);
      if (mapping_id != 0) location.add_uint64(LocationField::mapping_id, mapping_id);
      location.add_message(LocationField::line, line_bytes);
    }
    out_.add_message(ProfileField::location, bytes);
    return id;
  }

  void put_sample(const std::vector<uint64_t>& locations, const std::vector<int64_t>& values,
                  const Labels& labels) {
    std::string bytes;
    Builder<SampleField> sample(bytes);
    sample.add_packed_uint64(SampleField::location_id, locations.begin(), locations.end());
    sample.add_packed_int64(SampleField::value, values.begin(), values.end());
    for (const auto& [key, text] : labels) {
      std::string label_bytes;
      Builder<LabelField> label(label_bytes);
      label.add_int64(LabelField::key, strings_.number(key));
      label.add_int64(LabelField::str, strings_.number(text));
      sample.add_message(SampleField::label, label_bytes);
    }
    out_.add_message(ProfileField::sample, bytes);
  }

  void put_costs() {
    std::vector<std::optional<size_t>> place(profile_.session.events.size());
    for (size_t i = 0; i < events_.size(); ++i) place[events_[i]] = i;
    std::vector<WholeWeights> weights(events_.size());
    std::vector<int64_t> values(types_);
    std::vector<uint64_t> locations;
    const auto& rows = stacks_.costs;
    for (size_t row = 0; row < rows.size();) {
      const uint32_t stack = rows[row].stack;
      std::ranges::fill(values, 0);
      for (; row < rows.size() && rows[row].stack == stack; ++row) {
        const auto at = place[rows[row].event];
        if (!at) continue;
        values[0] += static_cast<int64_t>(rows[row].cost.samples);
        values[events_place_ + *at] = static_cast<int64_t>(weights[*at].next(rows[row].cost.value));
      }
      if (std::ranges::all_of(values, [](int64_t value) { return value == 0; })) continue;
      locations.clear();
      const auto frames = stacks_.stacks[stack];
      // Symbols of stacks were numbered first, in their order; pprof wants the innermost first.
      for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) locations.push_back(*frame + 1);
      put_sample(locations, values, {{"path", name_of(stacks_.paths[stack])}});
    }
    std::ranges::fill(values, 0);
    for (size_t i = 0; i < events_.size(); ++i)
      values[events_place_ + i] = static_cast<int64_t>(weights[i].next(stacks_.unattributed[events_[i]]));
    if (std::ranges::any_of(values, [](int64_t value) { return value != 0; }))
      put_sample({location_of({kNotSampledName, "", SymbolKind::unknown})}, values, {});
  }

  void put_calls() {
    std::vector<int64_t> values(types_);
    for (const FunctionCost& function : cost_.functions) {
      if (!may_be_told(function) || *function.calls == 0) continue;
      values[*calls_place_] = static_cast<int64_t>(*function.calls);
      put_sample({location_of(function.symbol)}, values, {{"method", name_of(function.method)}});
    }
  }

  void put_drops() {
    std::map<std::tuple<Symbol, std::string, std::string>, uint64_t> sums;
    for (const Drops& row : profile_.drops) {
      const std::string reason =
          row.subsystem.empty() || row.subsystem == "core" ? row.reason : row.subsystem + ":" + row.reason;
      sums[{{row.function, row.module, SymbolKind::kernel}, reason, row.protocol}] += row.packets;
    }
    std::vector<int64_t> values(types_);
    for (const auto& [key, packets] : sums) {
      const auto& [symbol, reason, protocol] = key;
      values[*drops_place_] = static_cast<int64_t>(packets);
      put_sample({location_of(symbol)}, values, {{"reason", reason}, {"protocol", protocol}});
    }
  }

  void put_about() {
    if (profile_.wall_start_ns != 0)
      out_.add_int64(ProfileField::time_nanos, static_cast<int64_t>(profile_.wall_start_ns));
    out_.add_int64(ProfileField::duration_nanos, static_cast<int64_t>(profile_.duration_ns));
    std::vector<std::string> comments{origin_of(profile_.session)};
    for (const Loss& loss : profile_.losses) {
      if (loss.count > 0)
        comments.push_back(fmt::format("lost: {} {} of {}", name_of(loss.kind), loss.count, loss.subject));
    }
    for (const std::string& note : profile_.session.notes) comments.push_back(note);
    std::vector<int64_t> numbers;
    for (const std::string& comment : comments) numbers.push_back(strings_.number(comment));
    out_.add_packed_int64(ProfileField::comment, numbers.begin(), numbers.end());
    if (!events_.empty()) {
      const Event& event = profile_.session.events[events_.front()];
      if (event.period != 0) {
        put_value_type(ProfileField::period_type, event.name, unit(events_.front()));
        out_.add_int64(ProfileField::period, static_cast<int64_t>(event.period));
      }
      out_.add_int64(ProfileField::default_sample_type, strings_.number(event.name));
    }
  }

  const Profile& profile_;
  const CostTable& cost_;
  const NamedStacks& stacks_;
  std::span<const uint32_t> events_;
  StringTable strings_;
  std::map<std::string, uint64_t> mappings_;
  std::map<Symbol, uint64_t> locations_;
  size_t types_ = 0;
  size_t events_place_ = 0;
  std::optional<size_t> calls_place_;
  std::optional<size_t> drops_place_;
  std::string bytes_;
  Builder<ProfileField> out_;
};

}  // namespace

std::string pprof_message(const Profile& profile, const CostTable& cost, const NamedStacks& stacks,
                          std::span<const uint32_t> events) {
  return PprofWriter(profile, cost, stacks, events).write();
}

}  // namespace nettoll
