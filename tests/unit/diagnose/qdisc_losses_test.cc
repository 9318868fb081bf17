// SPDX-License-Identifier: Apache-2.0
#include "diagnose/qdisc_losses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

Qdisc qdisc(const char* kind, const char* handle, const char* parent, uint64_t drops) {
  return {kind, handle, parent, 0, drops, 0, 0};
}

TEST(QdiscLosses, EachDropOnce) {
  using Losses = std::vector<std::pair<std::string, uint64_t>>;
  const struct {
    const char* what;
    std::vector<Qdisc> qdiscs;
    Losses losses;
  } cases[] = {
      {"none", {qdisc("noqueue", "0:", "root", 0)}, {}},
      {"one", {qdisc("fq_codel", "8001:", "root", 5)}, {{"fq_codel", 5}}},
      {"mq adds its children up",
       {qdisc("mq", "8001:", "root", 7), qdisc("fq", "0:", "8001:1", 5), qdisc("fq", "0:", "8001:2", 2)},
       {{"fq", 5}, {"fq", 2}}},
      {"the kernel's own mq",
       {qdisc("mq", "0:", "root", 5), qdisc("fq_codel", "0:", ":1", 5)},
       {{"fq_codel", 5}}},
      {"a shaper that dropped two itself",
       {qdisc("htb", "1:", "root", 6), qdisc("fq_codel", "8002:", "1:10", 4)},
       {{"htb", 2}, {"fq_codel", 4}}},
      {"a child whose later drops its parent does not count",
       {qdisc("htb", "1:", "root", 1), qdisc("fq_codel", "8002:", "1:10", 4)},
       {{"fq_codel", 4}}},
      {"three levels",
       {qdisc("mq", "1:", "root", 9), qdisc("htb", "2:", "1:1", 9), qdisc("fq", "3:", "2:10", 8)},
       {{"htb", 1}, {"fq", 8}}},
      {"filters that drop",
       {qdisc("fq", "1:", "root", 3), qdisc("clsact", "ffff:", "ffff:fff1", 100)},
       {{"fq", 3}}},
      {"each below the other", {qdisc("a", "1:", "2:1", 3), qdisc("b", "2:", "1:1", 4)}, {}},
  };
  for (const auto& c : cases) {
    Nic nic;
    nic.qdiscs = c.qdiscs;
    Losses losses;
    for (const QdiscLoss& loss : qdisc_losses(nic)) losses.emplace_back(loss.qdisc->kind, loss.packets);
    EXPECT_EQ(losses, c.losses) << c.what;
  }
}

}  // namespace
}  // namespace nettoll
