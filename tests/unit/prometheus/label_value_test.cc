// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/label_value.h"

#include <gtest/gtest.h>

namespace nettoll::exporter {
namespace {

TEST(LabelValue, IsValidUtf8) {
  const struct {
    const char* text;
    const char* label;
  } cases[] = {
      {"", ""},
      {"eth0", "eth0"},
      {"a\"b\\c\n", "a\"b\\c\n"},  // escaping is not its business
      {"\xC3\xA9t\xE2\x82\xAC\xF0\x9F\x98\x80", "\xC3\xA9t\xE2\x82\xAC\xF0\x9F\x98\x80"},
      {"\xFF", "\xEF\xBF\xBD"},
      {"a\x80"
       "b",
       "a\xEF\xBF\xBD"
       "b"},
      {"\xC3", "\xEF\xBF\xBD"},                                                  // cut off
      {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},                                  // overlong
      {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},                  // surrogate
      {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // past the last
  };
  for (const auto& c : cases) EXPECT_EQ(label_value(c.text), c.label) << c.text;
}

}  // namespace
}  // namespace nettoll::exporter
