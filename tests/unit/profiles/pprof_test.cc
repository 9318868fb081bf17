// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/pprof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <protozero/pbf_reader.hpp>

#include "unit/profiles/small_profile.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// A profile as a reader of the format has it. Rows are "name,name: value value {key=text}".
struct Read {
  std::vector<std::string> strings, types, mappings, samples;
  std::string default_type;
  int64_t duration = 0;
};

using Fields = std::multimap<uint32_t, protozero::data_view>;

std::vector<int64_t> numbers(protozero::pbf_reader& in) {
  std::vector<int64_t> list;
  for (const int64_t value : in.get_packed_int64()) list.push_back(value);
  return list;
}

/// The integer fields of a message without others.
std::map<uint32_t, int64_t> integers(protozero::data_view bytes) {
  std::map<uint32_t, int64_t> fields;
  protozero::pbf_reader in(bytes);
  while (in.next()) {
    if (in.wire_type() == protozero::pbf_wire_type::varint) {
      fields[in.tag()] = in.get_int64();
    } else {
      in.skip();
    }
  }
  return fields;
}

Read read(const std::string& message) {
  Read result;
  std::map<uint64_t, std::string> functions;
  std::map<uint64_t, uint64_t> function_of;
  for (protozero::pbf_reader in(message); in.next();) {
    if (in.tag() == 6) {
      result.strings.push_back(in.get_string());
    } else {
      in.skip();
    }
  }
  const auto text = [&](int64_t number) { return result.strings.at(static_cast<size_t>(number)); };
  for (protozero::pbf_reader in(message); in.next();) {
    switch (in.tag()) {
      case 1: {
        auto fields = integers(in.get_view());
        result.types.push_back(text(fields[1]) + "/" + text(fields[2]));
        break;
      }
      case 3: {
        auto fields = integers(in.get_view());
        result.mappings.push_back(text(fields[5]) + (fields[6] ? "=" + text(fields[6]) : ""));
        break;
      }
      case 4: {
        const auto bytes = in.get_view();
        protozero::pbf_reader location(bytes);
        while (location.next(4)) function_of[integers(bytes)[1]] = integers(location.get_view())[1];
        break;
      }
      case 5: {
        auto fields = integers(in.get_view());
        functions[fields[1]] = text(fields[2]);
        break;
      }
      case 10:
        result.duration = in.get_int64();
        break;
      case 14:
        result.default_type = text(in.get_int64());
        break;
      default:
        in.skip();
    }
  }
  for (protozero::pbf_reader in(message); in.next();) {
    if (in.tag() != 2) {
      in.skip();
      continue;
    }
    std::string row;
    auto sample = in.get_message();
    while (sample.next()) {
      if (sample.tag() == 1) {
        for (const int64_t id : numbers(sample))
          row += (row.empty() ? "" : ",") + functions.at(function_of.at(static_cast<uint64_t>(id)));
        row += ":";
      } else if (sample.tag() == 2) {
        for (const int64_t value : numbers(sample)) row += " " + std::to_string(value);
      } else {
        auto label = integers(sample.get_view());
        row += " {" + text(label[1]) + "=" + text(label[2]) + "}";
      }
    }
    result.samples.push_back(row);
  }
  return result;
}

Read pprof(const Joined& joined, const std::vector<uint32_t>& events) {
  return read(pprof_message(joined.profile, joined.cost, joined.stacks, events));
}

TEST(Pprof, HoldsAllTypesOfSamples) {
  const Read file = pprof(Joined(small_profile()), {0, 1});
  EXPECT_THAT(file.types, ElementsAre("samples/count", "calls/count", "cpu-clock/nanoseconds", "cycles/count",
                                      "drops/count"));
  EXPECT_THAT(file.samples,
              ElementsAre("</script><img src=x>\";,'\n\xe2\x82\xac\xef\xbf\xbd: 3 0 20 334 0 {path=other}",
                          "net_rx_action: 2 0 10 333 0 {path=rx}",
                          "memcpy,net_rx_action: 4 0 30 334 0 {path=rx}",  //
                          "[not sampled]: 0 0 0 7 0",                      //
                          "net_rx_action: 0 4 0 0 0 {method=fentry}",
                          "udp_rcv: 0 0 0 0 9 {reason=NO_SOCKET} {protocol=ipv4}"));
  EXPECT_THAT(file.mappings, UnorderedElementsAre("vmlinux", "veth"));
  EXPECT_EQ(file.default_type, "cpu-clock");
  EXPECT_EQ(file.duration, 1'000'000'000);
  EXPECT_EQ(file.strings.front(), "");
}

TEST(Pprof, TellsCodeWithoutANameByItsModule) {
  ProfileBuilder builder({"cycles"}, 1);
  sample_unnamed(builder.profile, "/lib/libc.so.6", SymbolKind::user, 10);
  builder.profile.foreign.emplace();
  const Read file = pprof(Joined(std::move(builder.profile)), {0});
  EXPECT_THAT(file.samples, ElementsAre("[libc.so.6]: 1 10 {path=user}"));
  EXPECT_THAT(file.mappings, ElementsAre("/lib/libc.so.6"));
}

TEST(Pprof, MappingsHaveTheBuildIdsThatAreKnown) {
  Profile profile = small_profile();
  profile.build_ids = {{kVmlinux, "6b7f2c"}, {"not_in_a_stack", "00ff"}};
  EXPECT_THAT(pprof(Joined(std::move(profile)), {0}).mappings,
              UnorderedElementsAre("vmlinux=6b7f2c", "veth"));
}

TEST(Pprof, WhatWasNotCountedHasNoType) {
  Profile profile = small_profile();
  profile.calls.clear();
  profile.foreign.emplace();
  EXPECT_THAT(pprof(Joined(std::move(profile)), {1}).types, ElementsAre("samples/count", "cycles/count"));
}

TEST(Pprof, CountsThatAreNoCallsAreLeftOut) {
  Profile profile = small_profile();
  profile.session.functions.front().denominator = false;
  EXPECT_THAT(pprof(Joined(std::move(profile)), {}).types, ElementsAre("samples/count", "drops/count"));
}

TEST(Pprof, TheSameProfileGivesTheSameBytes) {
  const Joined one(small_profile()), other(small_profile());
  const std::vector<uint32_t> events{0, 1};
  EXPECT_EQ(pprof_message(one.profile, one.cost, one.stacks, events),
            pprof_message(other.profile, other.cost, other.stacks, events));
}

TEST(Pprof, StringsAreUtf8) {
  const std::pair<std::string, std::string> table[] = {
      {"\xc3\xa4", "\xc3\xa4"},                  // a umlaut
      {"\xf0\x9f\x94\xa5", "\xf0\x9f\x94\xa5"},  // a flame, past the first plane
      {"a\xff"
       "b",
       "a\xef\xbf\xbd"
       "b"},                                                     // no lead byte
      {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                  // overlong
      {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},                  // cut short
      {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},  // a surrogate
  };
  for (const auto& [name, expected] : table) {
    ProfileBuilder builder({"cycles"}, 1);
    builder.sample(0, 0, {name}, 1, 10);
    EXPECT_THAT(pprof(Joined(std::move(builder.profile)), {0}).samples,
                ElementsAre(expected + ": 1 10 0 {path=other}"));
  }
}

TEST(Pprof, AnEmptyProfileIsSound) {
  const Read file = pprof(Joined(Profile{}), {});
  EXPECT_THAT(file.samples, IsEmpty());
  EXPECT_THAT(file.types, ElementsAre("samples/count", "drops/count"));
}

}  // namespace
}  // namespace nettoll
