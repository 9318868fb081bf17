// SPDX-License-Identifier: Apache-2.0
#include "cli/config_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ConfigFile, ReadsValuesAndTables) {
  const auto items = parse_config_file(R"(# a comment
interval = "1s"
max-functions = 300
queues = true
event = ["cycles", "instructions"]
web.listen-address = ":10435"

[web.config]
file = '/etc/nettoll/web.yml'
)",
                                       "x.toml");
  ASSERT_TRUE(items) << items.error().text();
  EXPECT_EQ(*items, (std::vector<ConfigItem>{{"interval", {"1s"}, 2},
                                             {"max-functions", {"300"}, 3},
                                             {"queues", {"true"}, 4},
                                             {"event", {"cycles", "instructions"}, 5},
                                             {"web.listen-address", {":10435"}, 6},
                                             {"web.config.file", {"/etc/nettoll/web.yml"}, 9}}));
  EXPECT_TRUE(parse_config_file("", "x.toml").value().empty());
}

TEST(ConfigFile, RefusesInOneLineWithTheLine) {
  const struct {
    const char* text;
    const char* says;
  } cases[] = {
      {"interval = 1s\n", "x.toml, line 1: "},
      {"\ninterval\n", "x.toml, line 2: "},
      {"a = 1\na = 2\n", "x.toml, line "},
      {"a = 1.5\n", "x.toml, line 1: a is neither text, a whole number"},
      {"a = [[1]]\n", "x.toml, line 1: a is neither"},
      {"a = 2026-01-01\n", "x.toml, line 1: a is neither"},
      {"[[a]]\nb = 1\n", "x.toml, line "},
      {"a = \"\xff\"\n", "x.toml, line 1: "},
  };
  for (const auto& c : cases) {
    const auto items = parse_config_file(c.text, "x.toml");
    ASSERT_FALSE(items) << c.text;
    EXPECT_EQ(items.error().kind, ErrorKind::usage);
    EXPECT_THAT(items.error().text(), HasSubstr(c.says)) << c.text;
    EXPECT_THAT(items.error().text(), Not(HasSubstr("\n")));
  }
}

}  // namespace
}  // namespace nettoll
