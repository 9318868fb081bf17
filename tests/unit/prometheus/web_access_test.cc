// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/web_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fakes/fake_root.h"

namespace nettoll::exporter {
namespace {

using testing::HasSubstr;

// A running serve reads these files at SIGHUP, from the thread that collects.
TEST(WebAccess, WaitsForNoFifo) {
  const FakeRoot root;
  const std::string fifo = root.path() + "/fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  root.write("/server.crt", "");
  root.write("/web.yml", "tls_server_config:\n  cert_file: server.crt\n  key_file: fifo\n");
  for (const std::string& path : {fifo, root.path() + "/web.yml"}) {
    const auto access = load_web_access(path);
    ASSERT_FALSE(access) << path;
    EXPECT_EQ(access.error().kind, ErrorKind::usage);
    EXPECT_THAT(access.error().message, HasSubstr(fifo + ": not a regular file"));
  }
}

}  // namespace
}  // namespace nettoll::exporter
