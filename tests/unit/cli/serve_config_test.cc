// SPDX-License-Identifier: Apache-2.0
#include "cli/serve_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "cli/command.h"
#include "fakes/fake_root.h"

namespace nettoll {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Typed = std::vector<std::string>;

Result<ServeOptions> join(const Typed& typed, const std::string& text) {
  const auto items = parse_config_file(text, "x.toml");
  if (!items) return items.error();
  return join_options(typed, *items, "x.toml");
}

TEST(ServeConfig, TheFileFillsWhatWasNotTyped) {
  const auto options = join({"--interval=2s"}, R"(interval = "1s"
diagnose-interval = 0
event = ["cycles", "instructions"]
queues = true
freq = 49
web.listen-address = ":1"
)");
  ASSERT_TRUE(options) << options.error().text();
  EXPECT_EQ(options->interval, "2s");
  EXPECT_EQ(options->diagnose_interval, "0");
  EXPECT_THAT(options->trace.events, ElementsAre("cycles", "instructions"));
  EXPECT_TRUE(options->trace.queues);
  EXPECT_EQ(options->trace.frequency, 49U);
  EXPECT_EQ(options->address, ":1");
  EXPECT_EQ(options->trace.set, "core");
}

TEST(ServeConfig, WhatWasTypedAlsoPushesOutWhatItExcludes) {
  const auto options = join({"--freq=49"}, "count = 1000\n");
  ASSERT_TRUE(options) << options.error().text();
  EXPECT_EQ(options->trace.period, std::nullopt);
  const auto lists = join({"--event=cycles"}, "event = [\"instructions\"]\n");
  EXPECT_THAT(lists.value().trace.events, ElementsAre("cycles"));
}

TEST(ServeConfig, RefusesWithLineAndKey) {
  const struct {
    const char* text;
    const char* says;
  } cases[] = {
      {"\ninterval = \"1ms\"\n", "x.toml, line 2: interval: --interval 1ms is not between"},
      {"intervall = \"1s\"\n", "x.toml, line 1: there is no option intervall; did you mean interval"},
      {"freq = 0\n", "x.toml, line 1: freq: "},
      {"freq = \"often\"\n", "x.toml, line 1: freq: "},
      {"set = \"all\"\n", "x.toml, line 1: set: "},
      {"queues = \"perhaps\"\n", "x.toml, line 1: queues: "},
      {"interval = [\"1s\", \"2s\"]\n", "x.toml, line 1: interval: "},
      {"web.listen-address = \"nonsense\"\n", "x.toml, line 1: web.listen-address: "},
      {"freq = 9\ncount = 9\n", "x.toml: "},
      {"help = true\n", "there is no option help"},
      {"config = \"x\"\n", "there is no option config"},
      {"all-cpus = true\n", "there is no option all-cpus"},
  };
  for (const auto& c : cases) {
    const auto options = join({}, c.text);
    ASSERT_FALSE(options) << c.text;
    EXPECT_EQ(options.error().kind, ErrorKind::usage);
    EXPECT_THAT(options.error().text(), HasSubstr(c.says)) << c.text;
  }
}

TEST(ServeConfig, TakesTheBudgetInPercent) {
  const struct {
    const char* text;
    std::optional<double> budget;
  } cases[] = {{"", {}},
               {"max-overhead = \"2%\"\n", 0.02},
               {"max-overhead = \"0.5\"\n", 0.005},
               {"max-overhead = 100\n", 1.0},
               {"max-overhead = 0\n", {}}};
  for (const auto& c : cases) {
    const auto settings = serve_settings(join({}, c.text).value());
    ASSERT_TRUE(settings) << c.text;
    EXPECT_EQ(settings->max_overhead, c.budget) << c.text;
  }
  EXPECT_FALSE(join({}, "max-overhead = 101\n"));
  EXPECT_FALSE(join({}, "max-overhead = \"much\"\n"));
  EXPECT_EQ(join({"--max-overhead=3%"}, "max-overhead = 1\n").value().max_overhead, 3.0);
}

TEST(ServeConfig, ReadsBackWhatWasTyped) {
  CLI::App app;
  ServeOptions options;
  add_serve_options(app, options);
  app.parse("--queues -e cycles -e instructions -a --web.listen-address :1", false);
  EXPECT_THAT(typed_options(app),
              testing::UnorderedElementsAre("--queues=true", "--event=cycles", "--event=instructions",
                                            "--web.listen-address=:1"));
}

// A running serve reads it at SIGHUP, and may not wait.
TEST(ServeConfig, DoesNotWaitForAFifo) {
  FakeRoot root;
  const std::string fifo = root.path() + "/fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const auto options = load_options({}, fifo);
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().kind, ErrorKind::usage);
  EXPECT_EQ(options.error().message, "--config: " + fifo + ": not a regular file");
}

TEST(ServeConfig, SaysWhatNeedsARestart) {
  const ServeOptions running = join({}, "").value();
  EXPECT_THAT(changes_for_restart(running, running), IsEmpty());
  const auto wanted = join({}, R"(interval = "1s"
diagnose-interval = "10s"
max-overhead = 1
web.config.file = "web.yml"
)");
  EXPECT_THAT(changes_for_restart(running, wanted.value()), IsEmpty());
  const auto others = join({}, R"(set = "wide"
queues = true
cpu = "0"
count = 5
max-functions = 7
web.listen-address = ":1"
)");
  EXPECT_THAT(changes_for_restart(running, others.value()),
              ElementsAre("web.listen-address", "max-functions", "set", "queues", "count", "cpu"));
}

/// The example's lines "# key = value", with the mark of a comment taken off.
std::string example() {
  std::ifstream file(NETTOLL_EXAMPLE_CONFIG);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return std::regex_replace(text, std::regex("(^|\n)#([a-z.-]+ = )"), "$1$2");
}

TEST(ServeConfig, TheExampleNamesEachOptionAndNoOther) {
  const auto items = parse_config_file(example(), "nettoll.toml");
  ASSERT_TRUE(items) << items.error().text();
  std::set<std::string> named;
  for (const auto& item : *items) {
    const auto one = join_options({}, {item}, "nettoll.toml");
    EXPECT_TRUE(one) << one.error().text();
    named.insert(item.key);
  }
  CLI::App app;
  ServeOptions options;
  add_serve_options(app, options);
  std::set<std::string> known;
  for (const auto* option : app.get_options()) {
    if (option->get_configurable()) known.insert(option->get_lnames().at(0));
  }
  EXPECT_EQ(named, known);
}

TEST(ServeConfig, TheExampleAsItIsChangesNothing) {
  const auto options = load_options({}, NETTOLL_EXAMPLE_CONFIG);
  ASSERT_TRUE(options) << options.error().text();
  EXPECT_THAT(changes_for_restart(join({}, "").value(), *options), IsEmpty());
  EXPECT_EQ(options->interval, ServeOptions().interval);
  EXPECT_EQ(options->web_config, "");
}

}  // namespace
}  // namespace nettoll
