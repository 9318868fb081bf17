// SPDX-License-Identifier: Apache-2.0
#include "cli/usage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace nettoll {
namespace {

/// What the arguments are refused with; "" if they are taken.
std::string refusal(std::vector<std::string> arguments) {
  CLI::App app("", "nettoll");
  app.fallthrough();
  CLI::App* record = app.add_subcommand("record");
  uint64_t number = 0;
  record->add_option("-F,--freq", number)->check(whole_number(1, 1000));
  record->add_option("-c,--count", number)->check(whole_number(0));
  std::string name;
  std::vector<std::string> names;
  double part = 0;
  record->add_option("--name", name);
  record->add_option("-n,--names", names)->delimiter(',')->allow_extra_args(false);
  record->add_option("--part", part)->transform(percent());
  refuse_empty_values(app);
  std::reverse(arguments.begin(), arguments.end());  // as App::parse(vector) wants them
  try {
    app.parse(arguments);
    return {};
  } catch (const CLI::ParseError& error) {
    const Error described = describe(app, error);
    EXPECT_EQ(described.kind, ErrorKind::usage);
    return described.text();
  }
}

TEST(Usage, SaysWhatIsWrongAndWhereHelpIs) {
  const struct {
    std::vector<std::string> arguments;
    std::string text;
  } cases[] = {
      {{"record"}, ""},
      {{"recrod"}, "there is no command 'recrod'; nettoll --help lists the commands"},
      {{"--bogus"}, "there is no option --bogus; nettoll --help lists the commands"},
      {{"record", "--bogus"}, "there is no option --bogus; nettoll record --help lists its options"},
      {{"--bogus", "record"}, "there is no option --bogus; nettoll record --help lists its options"},
      {{"record", "extra"}, "'extra' is one argument too many; nettoll record --help lists its options"},
      {{"record", "-F", "0"},
       "--freq: '0' is not a whole number from 1 to 1000; nettoll record --help lists its options"},
  };
  for (const auto& c : cases) EXPECT_EQ(refusal(c.arguments), c.text);
}

TEST(Usage, EmptyValuesAreRefused) {
  EXPECT_EQ(refusal({"record", "--name", ""}),
            "--name: the value is empty, as that of an unset shell variable; nettoll record --help lists its "
            "options");
  EXPECT_NE(refusal({"record", "-n", ""}), "");
  EXPECT_NE(refusal({"record", "-F", ""}), "");
  EXPECT_EQ(refusal({"record", "--name", "x", "-n", "a,b"}), "");
}

TEST(Usage, AnOptionThatEndsInItsSignIsRefused) {
  CLI::App app("", "nettoll");
  CLI::App* report = app.add_subcommand("report");
  std::string name;
  report->add_option("--callers", name);
  const auto check = [&](std::vector<const char*> words) {
    return check_arguments(app, static_cast<int>(words.size()), words.data());
  };
  EXPECT_EQ(check({"nettoll", "report", "--callers=", "x"}).error().kind, ErrorKind::usage);
  EXPECT_TRUE(check({"nettoll", "report", "--callers=f", "x"}).has_value());
  EXPECT_TRUE(check({"nettoll", "report", "--", "--callers="}).has_value());
  EXPECT_TRUE(check({"nettoll", "record", "dd", "--other="}).has_value());
}

TEST(Percent, TakesNumbersFrom0To100WithOrWithoutTheirSign) {
  for (const char* good : {"0", "5", "5%", "0.5", "100", "1e1"})
    EXPECT_EQ(refusal({"record", "--part", good}), "") << good;
  for (const char* bad : {"nan", "inf", "-1", "101", "", "%", "5 %", "five", "5%%"})
    EXPECT_NE(refusal({"record", "--part", bad}), "") << bad;
}

TEST(WholeNumber, TakesDigitsWithinBounds) {
  for (const char* good : {"1", "999", "1000", "007"}) EXPECT_EQ(refusal({"record", "-F", good}), "") << good;
  for (const char* bad : {"0", "1001", "-1", "+1", "1.5", "1e3", "0x10", " 1", "1 ", "99999999999999999999"})
    EXPECT_NE(refusal({"record", "-F", bad}), "") << bad;
  EXPECT_EQ(refusal({"record", "-c", "18446744073709551615"}), "");
  EXPECT_NE(refusal({"record", "-c", "18446744073709551616"}), "");
  EXPECT_NE(refusal({"record", "-c", "-1"}).find("'-1' is not a whole number from 0 on"), std::string::npos);
}

}  // namespace
}  // namespace nettoll
