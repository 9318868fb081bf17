// SPDX-License-Identifier: Apache-2.0
#include "cli/help_formatter.h"

#include <gtest/gtest.h>

#include "cli/trace_options.h"

namespace nettoll {
namespace {

TEST(HelpFormatter, ShowsOptionsPlainly) {
  CLI::App app("Does it", "nettoll");
  app.formatter(std::make_shared<HelpFormatter>());
  TraceOptions options;
  CLI::App* record = app.add_subcommand("record", "Records");
  add_counting_options(*record, options, "wide");
  add_sampling_options(*record, options);
  std::vector<std::string> command;
  record->add_option("command", command, "Run this")->type_name("COMMAND");
  const std::string text = record->help();
  for (const char* part :
       {"  --set core|wide ", "the whole table [wide]\n",
        "  --method fentry|kprobe.multi|kprobe|tracepoint\n", "  -F,--freq HZ  ", "  -c,--count N  ",
        "  --function NAME  ", "  -a,--all-cpus  ", "  -g  ", "  command COMMAND ...  "})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  for (const char* foreign : {"TEXT", "Excludes", "kprobe_multi", "\n\n\n"})
    EXPECT_EQ(text.find(foreign), std::string::npos) << foreign << " in\n" << text;
  EXPECT_TRUE(text.ends_with("\n") && !text.ends_with("\n\n"));
}

}  // namespace
}  // namespace nettoll
