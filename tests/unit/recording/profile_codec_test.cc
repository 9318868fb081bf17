// SPDX-License-Identifier: Apache-2.0
#include "recording/profile_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "full_profile.h"
#include "recording/profile_check.h"

namespace nettoll {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr RecordingLimits kLimits = limits_for(1000);

json tree_of(const Profile& profile) {
  return json::from_cbor(encode_profile(profile));
}

Result<Profile> decode(const json& tree) {
  std::string cbor;
  json::to_cbor(tree, cbor);
  return decode_profile(cbor, kLimits);
}

TEST(ProfileCodec, LosesNothing) {
  const Profile before = full_profile();
  const auto after = decode_profile(encode_profile(before), kLimits);
  ASSERT_TRUE(after) << after.error().text();
  EXPECT_EQ(*after, before);
}

TEST(ProfileCodec, TakesAnEmptyProfile) {
  const auto after = decode_profile(encode_profile({}), kLimits);
  ASSERT_TRUE(after) << after.error().text();
  EXPECT_EQ(*after, Profile{});
}

TEST(ProfileCodec, StoresAStringOnceAndTablesByColumn) {
  const json tree = tree_of(full_profile());
  size_t found = 0;
  for (const auto& text : tree["strings"]) found += text == "veth" ? 1 : 0;
  EXPECT_EQ(found, 1u);
  EXPECT_EQ(tree["samples"]["cpu"], json({5, 0, 2}));
  EXPECT_EQ(tree["stacks"], json::parse("[[0, 1, 6], [4], [], [2, 3, 5, 5]]"));
  const size_t second = tree["losses"]["kind"][1];
  EXPECT_EQ(tree["strings"][second], "throttled");
}

TEST(ProfileCodec, IgnoresWhatALaterVersionAdds) {
  json tree = tree_of(full_profile());
  tree["weather"] = {{"wind", {1, 2.5, "x", nullptr, {{"deep", true}}}}};
  tree["session"]["moon"] = "full";
  tree["window"]["tide"] = {1, 2, 3};
  tree["samples"]["weight"] = {0.5, 0.25, 1.5};
  tree["drops"]["note"] = json::array();  // of another length even
  tree["strings"].push_back("never named");
  const auto after = decode(tree);
  ASSERT_TRUE(after) << after.error().text();
  EXPECT_EQ(*after, full_profile());
}

TEST(ProfileCodec, RefusesValuesThatDoNotFit) {
  const struct {
    const char* where;  // JSON pointer
    json value;
    const char* says;
  } cases[] = {
      {"/session/cpu_limit", -1, "'cpu_limit' in 'session'"},
      {"/session/cpu_limit", 4294967296, "'cpu_limit' in 'session'"},
      {"/session/cpu_limit", 2.0, "'cpu_limit' in 'session'"},
      {"/session/cpu_limit", "6", "'cpu_limit' in 'session'"},
      {"/session/cpu_limit", nullptr, "'cpu_limit' in 'session'"},
      {"/session/drop_reasons", 1, "'drop_reasons' in 'session'"},
      {"/session/hooks_per_packet", 4, "'hooks_per_packet' in 'session'"},
      {"/session/host", "host", "'host' in 'session'"},
      {"/session/host", 1000000, "'host' in 'session'"},
      {"/session/host", -1, "'host' in 'session'"},
      {"/session/notes", 1, "'notes' in 'session'"},
      {"/session/notes/1", 1000000, "'notes' in 'session'"},
      {"/session", json::array(), "no table 'session'"},
      {"/window", 1, "no table 'window'"},
      {"/window/duration_ns", -5, "'duration_ns' in 'window'"},
      {"/strings", json::object(), "no table 'strings'"},
      {"/strings/0", 7, "bad '"},
      {"/stacks", json::object(), "no table 'stacks'"},
      {"/stacks/1", 4, "bad stack 1"},
      {"/stacks/0/2", -1, "bad stack 0"},
      {"/stacks/0/2", json::array(), "bad stack 0"},
      {"/samples", json::array(), "no table 'samples'"},
      {"/samples/cpu", 3, "no column 'cpu' in 'samples'"},
      {"/samples/cpu", {1, 2}, "2 rows in column 'cpu' of 'samples' and 3 elsewhere"},
      {"/samples/samples/1", 4294967296, "'samples' in row 1 of 'samples'"},
      {"/samples/period/2", 0.5, "'period' in row 2 of 'samples'"},
      {"/queues/queue/0", 2147483648, "'queue' in row 0 of 'queues'"},
      {"/queues/queue/0", -2147483649, "'queue' in row 0 of 'queues'"},
      {"/calls/by_cpu/0", 1, "'by_cpu' in row 0 of 'calls'"},
      {"/calls/by_cpu/0/3", -1, "'by_cpu' in row 0 of 'calls'"},
      {"/events/unit/0", 0, "'unit' in row 0 of 'events'"},  // a string that is no unit
      {"/exact", 1, "no table 'exact'"},
      {"/exact/unreadable/1", -5, "'unreadable' in row 1 of 'exact'"},
      {"/packets/path/0", 1000000, "'path' in row 0 of 'packets'"},
  };
  for (const auto& c : cases) {
    json tree = tree_of(full_profile());
    tree.at(json::json_pointer(c.where)) = c.value;
    const auto after = decode(tree);
    ASSERT_FALSE(after) << c.where << " " << c.value;
    EXPECT_THAT(after.error().message, HasSubstr(c.says)) << c.where << " " << c.value;
  }
}

// What older recordings lack.
const std::set<std::string> kLaterTables{"build_ids", "exact", "netns_names"};
const std::set<std::pair<std::string, std::string>> kLaterColumns{{"counts", "scaling_error"},
                                                                  {"drops", "helper"},
                                                                  {"drops", "transmitting"},
                                                                  {"events", "chains"},
                                                                  {"exact", "probes_inside"}};

TEST(ProfileCodec, MissesNoTableColumnOrField) {
  const json whole = tree_of(full_profile());
  for (const auto& [table, columns] : whole.items()) {
    json tree = whole;
    tree.erase(table);
    auto after = decode(tree);
    if (!kLaterTables.contains(table)) {
      ASSERT_FALSE(after) << table;
      EXPECT_THAT(after.error().message, HasSubstr("'" + table + "'"));
    }
    if (!columns.is_object()) continue;
    for (const auto& [column, values] : columns.items()) {
      if (kLaterColumns.contains({table, column})) continue;
      tree = whole;
      tree[table].erase(column);
      after = decode(tree);
      ASSERT_FALSE(after) << table << " " << column;
      EXPECT_THAT(after.error().message, HasSubstr("'" + column + "' in '" + table + "'"));
    }
  }
}

TEST(ProfileCodec, TakesRecordingsOfVersionsWithoutALaterTable) {
  json tree = tree_of(full_profile());
  for (const std::string& table : kLaterTables) tree.erase(table);
  const auto after = decode(tree);
  ASSERT_TRUE(after) << after.error().text();
  Profile expected = full_profile();
  expected.exact.clear();
  expected.netns_names.clear();
  expected.build_ids.clear();
  EXPECT_EQ(*after, expected);
}

TEST(ProfileCodec, TakesRecordingsOfVersionsWithoutALaterColumn) {
  json tree = tree_of(full_profile());
  for (const auto& [table, column] : kLaterColumns) ASSERT_EQ(tree[table].erase(column), 1u);
  const auto after = decode(tree);
  ASSERT_TRUE(after) << after.error().text();
  Profile expected = full_profile();
  for (auto& event : expected.session.events) event.chains = true;
  for (auto& row : expected.counts) row.scaling_error.reset();
  for (auto& row : expected.drops) {
    row.helper.clear();
    row.transmitting = false;
  }
  for (auto& row : expected.exact) row.probes_inside = 0;
  EXPECT_EQ(*after, expected);
}

TEST(ProfileCodec, RefusesAnotherRoot) {
  for (const auto& tree : {json(), json(1), json("x"), json::array(), json::object()}) {
    EXPECT_FALSE(decode(tree)) << tree;
  }
  EXPECT_FALSE(decode_profile("", kLimits));
  EXPECT_FALSE(decode_profile("\xa1\x01\x02", kLimits));  // a key that is a number
}

TEST(ProfileCodec, BoundsStringsThatAreNamedOften) {
  json tree = tree_of(full_profile());
  const size_t number = tree["strings"].size();
  tree["strings"].push_back(std::string(1'000'000, 'x'));
  tree["session"]["notes"] = json::array_t(kLimits.string_bytes / 1'000'000 + 1, number);
  const auto after = decode(tree);
  ASSERT_FALSE(after);
  EXPECT_THAT(after.error().message, HasSubstr("'notes' in 'session'"));
  tree["session"]["notes"] = json::array_t(3, number);
  EXPECT_TRUE(decode(tree));
}

TEST(ProfileCodec, BoundsItems) {
  const auto after = decode_profile(encode_profile(full_profile()), {.items = 100, .string_bytes = 1000});
  ASSERT_FALSE(after);
  EXPECT_THAT(after.error().message, HasSubstr("more than 100 values"));
}

// What a checksum cannot stop: a file that somebody made. Every outcome is fine that is an error or a
// profile; sanitizers watch the way there.
TEST(ProfileCodec, SurvivesAnyByte) {
  const std::string cbor = encode_profile(full_profile());
  constexpr std::array kChanges{0x01, 0x20, 0x80, 0xff};
  size_t refused = 0;
  for (size_t i = 0; i < cbor.size(); ++i) {
    std::string other = cbor;
    other[i] = static_cast<char>(other[i] ^ kChanges[i % kChanges.size()]);
    const auto after = decode_profile(other, kLimits);
    if (!after || !check_profile(*after)) ++refused;
    EXPECT_FALSE(decode_profile(std::string_view(cbor).substr(0, i), kLimits)) << i;
  }
  EXPECT_GT(refused, cbor.size() / 4);
}

}  // namespace
}  // namespace nettoll
