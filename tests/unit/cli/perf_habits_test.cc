// SPDX-License-Identifier: Apache-2.0
#include "cli/perf_habits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/command.h"

namespace nettoll {
namespace {

/// What the words are refused with; "" if they are left to the parser.
std::string refusal(std::vector<const char*> words) {
  CLI::App app("", "nettoll");
  Command chosen;
  add_diff(app, chosen);
  add_record(app, chosen);
  add_report(app, chosen);
  words.insert(words.begin(), "nettoll");
  const auto fine = check_perf_habits(app, static_cast<int>(words.size()), words.data());
  if (fine) return "";
  EXPECT_EQ(fine.error().kind, ErrorKind::usage);
  return fine.error().text();
}

TEST(PerfHabits, NameWhatThereIsInstead) {
  EXPECT_EQ(
      refusal({"report", "--no-children", "f"}),
      "there is no option --no-children; functions stand by what they took themselves unless --children is "
      "given");
  EXPECT_NE(refusal({"report", "--stdio", "-i", "f"}).find("plain text"), std::string::npos);
  for (const std::vector<const char*>& words : {std::vector<const char*>{"report", "--sort", "sym"},
                                                {"report", "--sort=sym,dso", "f"},
                                                {"-v", "report", "-s", "dso"}})
    EXPECT_NE(refusal(words).find("--by module"), std::string::npos) << words[1];
  EXPECT_NE(refusal({"diff", "-i", "a"}).find("nettoll diff BEFORE AFTER"), std::string::npos);
  EXPECT_NE(refusal({"record", "--call-graph", "dwarf"}).find("recorded always"), std::string::npos);
}

TEST(PerfHabits, TellTheOrderOfCallChains) {
  for (const std::vector<const char*>& words : {std::vector<const char*>{"report", "-g", "caller", "f"},
                                                {"report", "-g", "graph,0.5,caller", "f"},
                                                {"report", "-gcallee", "f"},
                                                {"report", "--call-graph", "callee"}})
    EXPECT_NE(refusal(words).find("--call-graph=callee"), std::string::npos) << words[1];
}

TEST(PerfHabits, LeaveTheRestToTheParser) {
  for (const std::vector<const char*>& words : {std::vector<const char*>{},
                                                {"report", "-g", "f"},
                                                {"report", "--call-graph=callee", "f"},
                                                {"report", "-gC", "0"},
                                                {"diff", "--sort", "self", "a", "b"},
                                                {"record", "-g", "--", "perf", "report", "--stdio"},
                                                {"report", "--bogus"}})
    EXPECT_EQ(refusal(words), "");
}

/// What is said not to be there is not there, and what is named is.
TEST(PerfHabits, AreOfOptionsThatTheCommandsLack) {
  CLI::App app("", "nettoll");
  Command chosen;
  add_report(app, chosen);
  CLI::App* report = app.get_subcommand("report");
  for (const char* option :
       {"--stdio", "--no-children", "--sort", "-s", "-k", "-S", "-c", "-d", "-n", "-G", "-F", "-p"})
    EXPECT_EQ(report->get_option_no_throw(option), nullptr) << option;
  for (const char* option :
       {"--children", "--by", "--kallsyms", "--function", "--callers", "--comm", "--chain-limit"})
    EXPECT_NE(report->get_option_no_throw(option), nullptr) << option;
}

}  // namespace
}  // namespace nettoll
