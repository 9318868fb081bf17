// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <memory>

#include "exporters/prometheus/snapshot.h"
#include "fakes/fake_root.h"
#include "unit/prometheus/sample_tick.h"
#include "unit/prometheus/sample_window.h"

namespace nettoll::exporter {
namespace {

struct Ran {
  int status = -1;
  std::string output;
};

Ran run(const std::string& command) {
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  Ran ran;
  if (!pipe) return ran;
  char buffer[4096];
  for (size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    ran.output.append(buffer, got);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) ran.status = WEXITSTATUS(status);
  return ran;
}

TEST(Promtool, FindsNothingToSay) {
  if (run("promtool --version").status != 0)
    GTEST_SKIP() << "promtool is missing; on Debian: apt install prometheus";
  Tick tick = sample_tick();
  tick.profile.drops[0].device = "a\"b\\c\nd\xFF";
  Exposition exposition({.version = "0.1.0", .interval = std::chrono::seconds(1)});
  FakeRoot root;
  for (const char* name : {"/before", "/after"}) {
    root.write(name, exposition.scrape()->text);
    const Ran ran = run("promtool check metrics < " + root.path() + name);
    EXPECT_EQ(ran.status, 0) << name;
    EXPECT_EQ(ran.output, "") << name;
    exposition.tick(tick.profile, tick.costs);
    exposition.diagnosed(sample_window());
  }
}

}  // namespace
}  // namespace nettoll::exporter
