// SPDX-License-Identifier: Apache-2.0
#include "recording/schema.h"

#include <gtest/gtest.h>

#include <set>

#include "recording/words.h"

namespace nettoll {
namespace {

template <typename Struct>
size_t described() {
  std::set<std::string> names;
  describe(Type<Struct>{}, [&](const char* name, auto) { names.insert(name); });
  return names.size();
}

// A field that joins a struct stops these lines from compiling; then it needs a name in the schema and a
// value in full_profile.h.
TEST(Schema, DescribesEachFieldOfTheModel) {
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g] = Event{};
    EXPECT_EQ(described<Event>(), 7u);
  }
  {
    [[maybe_unused]] const auto& [a, b] = MissingEvent{};
    EXPECT_EQ(described<MissingEvent>(), 2u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h] = CountedFunction{};
    EXPECT_EQ(described<CountedFunction>(), 8u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c] = Symbol{};
    EXPECT_EQ(described<Symbol>(), 3u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e] = StackSamples{};
    EXPECT_EQ(described<StackSamples>(), 5u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f] = EventCount{};
    EXPECT_EQ(described<EventCount>(), 6u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c] = FunctionCalls{};
    EXPECT_EQ(described<FunctionCalls>(), 3u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d] = PathPackets{};
    EXPECT_EQ(described<PathPackets>(), 4u);
  }
  {
    [[maybe_unused]] const auto& [a, b] = DeviceId{};  // takes one place in NapiPolls and QueuePackets
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f] = NapiPolls{};
    EXPECT_EQ(described<NapiPolls>(), 7u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d] = QueuePackets{};
    EXPECT_EQ(described<QueuePackets>(), 5u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d] = SoftirqTime{};
    EXPECT_EQ(described<SoftirqTime>(), 4u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j] = Drops{};
    EXPECT_EQ(described<Drops>(), 10u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c] = Loss{};
    EXPECT_EQ(described<Loss>(), 3u);
  }
  {
    [[maybe_unused]] const auto& [a, b] = NetnsName{};
    EXPECT_EQ(described<NetnsName>(), 2u);
  }
  {
    [[maybe_unused]] const auto& [a, b] = ModuleBuildId{};
    EXPECT_EQ(described<ModuleBuildId>(), 2u);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, x] = ExactCost{};
    [[maybe_unused]] const auto& [s, t, u, v, w] = ExactDiscards{};  // the last of them
    EXPECT_EQ(described<ExactCost>(), 18u + 5u);
  }
  size_t tables = 0;
  Profile profile;
  for_each_table(profile, [&](const char*, auto&) { ++tables; });
  for_each_later_table(profile, [&](const char*, auto&) { ++tables; });
  {
    // Three tables of its own and ten single fields.
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = Session{};
    EXPECT_EQ(described<Session>(), 10u);
  }
  {
    // The session, the stacks, two single fields, and two that recordings do not hold; the rest are tables.
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = Profile{};
    EXPECT_EQ(described<Profile>(), 2u);
    EXPECT_EQ(tables, 3u + 13u);
  }
}

template <typename Enum>
void expect_words_that_differ() {
  for (int i = 0; i <= static_cast<int>(Last<Enum>::value); ++i)
    EXPECT_EQ(enumerator_of<Enum>(word_of(static_cast<Enum>(i))), static_cast<Enum>(i));
  EXPECT_EQ(enumerator_of<Enum>("neither"), std::nullopt);
  EXPECT_EQ(enumerator_of<Enum>(""), std::nullopt);
}

TEST(Schema, WordsNameOneEnumeratorEach) {
  expect_words_that_differ<EventUnit>();
  expect_words_that_differ<Path>();
  expect_words_that_differ<Method>();
  expect_words_that_differ<CountState>();
  expect_words_that_differ<SymbolKind>();
  expect_words_that_differ<LossKind>();
}

}  // namespace
}  // namespace nettoll
