// SPDX-License-Identifier: Apache-2.0
// Lends a veth pair in two namespaces of its own to scripts: prints where to find it as one line of JSON,
// then waits until its standard input closes. The pair is gone when this process is, so a script that dies
// leaves nothing.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "live/netns.h"

namespace {

nlohmann::json describe(const nettoll::live::VethEnd& end) {
  nlohmann::json json{
      {"netns", end.ns.path()}, {"inode", end.ns.inode()}, {"device", end.device}, {"ipv4", end.ipv4}};
  if (!end.ipv6.empty()) json["ipv6"] = end.ipv6;
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  nettoll::live::VethOptions options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--ipv6") == 0) {
      options.ipv6 = true;
    } else {
      std::fprintf(stderr, "usage: netns_pair [--ipv6] < a pipe that is closed to end it\n");
      return 2;
    }
  }
  auto pair = nettoll::live::VethPair::create(options);
  if (!pair) {
    std::fprintf(stderr, "netns_pair: %s\n", pair.error().text().c_str());
    return 1;
  }
  std::printf("%s\n", nlohmann::json{{"a", describe(pair->a)}, {"b", describe(pair->b)}}.dump().c_str());
  std::fflush(stdout);
  char ignored[256];
  while (::read(STDIN_FILENO, ignored, sizeof ignored) > 0) {
  }
  return 0;
}
