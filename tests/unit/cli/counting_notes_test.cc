// SPDX-License-Identifier: Apache-2.0
#include "cli/counting_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CountedFunction function(std::string name, Method method, std::string condition) {
  CountedFunction made;
  made.name = std::move(name);
  made.method = method;
  made.condition = std::move(condition);
  return made;
}

TEST(CountingNotes, OnlyWhatWasNamedAndIsNotCounted) {
  const std::vector<CountedFunction> functions = {
      function("a", Method::fentry, ""), function("b", Method::tracepoint, "counts more"),
      function("c", Method::samples, "no fentry here"), function("d", Method::samples, "no fentry here")};
  EXPECT_THAT(counting_notes({}, functions), IsEmpty());
  EXPECT_THAT(counting_notes({"a", "b"}, functions), IsEmpty());
  EXPECT_THAT(counting_notes({"a", "b", "d"}, functions),
              ElementsAre("calls of d are not counted, they show in samples only: no fentry here"));
}

TEST(CountingNotes, OneForEachReason) {
  const std::vector<CountedFunction> functions = {function("a", Method::samples, "inlined"),
                                                  function("b", Method::samples, "no fentry here"),
                                                  function("c", Method::samples, "inlined")};
  EXPECT_THAT(counting_notes({"a", "b", "c"}, functions),
              ElementsAre("calls of a, c are not counted, they show in samples only: inlined",
                          "calls of b are not counted, they show in samples only: no fentry here"));
}

TEST(CountingNotes, ListsTheFirstOfMany) {
  std::vector<std::string> names;
  std::vector<CountedFunction> functions;
  const auto notes_of = [&](char last) {
    names.clear();
    functions.clear();
    for (char c = 'a'; c <= last; ++c) {
      names.emplace_back(1, c);
      functions.push_back(function(names.back(), Method::samples, "x"));
    }
    return counting_notes(names, functions);
  };
  // "and 1 more" would be no shorter than the name.
  EXPECT_THAT(notes_of('d'),
              ElementsAre("calls of a, b, c, d are not counted, they show in samples only: x"));
  EXPECT_THAT(notes_of('e'),
              ElementsAre("calls of a, b, c and 2 more are not counted, they show in samples only: x"));
}

}  // namespace
}  // namespace nettoll
