// SPDX-License-Identifier: Apache-2.0
#include "model/event_name.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(EventName, HasParts) {
  const struct {
    std::string_view name;
    EventName parts;
    std::string_view plain;
  } table[] = {
      {"cycles", {"", "cycles", ""}, "cycles"},
      {"cycles:ppp", {"", "cycles", "ppp"}, "cycles"},
      {"cpu-clock:k", {"", "cpu-clock", "k"}, "cpu-clock"},
      {"cycles:", {"", "cycles:", ""}, "cycles:"},
      {"r01c4:u", {"", "r01c4", "u"}, "r01c4"},
      // The colon of a tracepoint is no modifier's, but it may have one too.
      {"net:netif_receive_skb", {"", "net:netif_receive_skb", ""}, "net:netif_receive_skb"},
      {"net:netif_rx:u", {"", "net:netif_rx", "u"}, "net:netif_rx"},
      {"cpu_core/cycles/", {"cpu_core", "cycles", ""}, "cpu_core/cycles/"},
      {"cpu_atom/cycles/k", {"cpu_atom", "cycles", "k"}, "cpu_atom/cycles/"},
      {"cpu_atom/cycles/:kP", {"cpu_atom", "cycles", "kP"}, "cpu_atom/cycles/"},
      {"cpu_atom/cycles:k/", {"cpu_atom", "cycles", "k"}, "cpu_atom/cycles:k/"},
      {"cpu/cpu-cycles,period=1000/u", {"cpu", "cpu-cycles", "u"}, "cpu/cpu-cycles,period=1000/"},
      {"cpu/event=0x3c,umask=1/", {"cpu", "event=0x3c", ""}, "cpu/event=0x3c,umask=1/"},
      {"cpu_core/cycles", {"cpu_core", "cycles", ""}, "cpu_core/cycles"},
      {"/", {"", "", ""}, "/"},
      {"", {"", "", ""}, ""},
  };
  for (const auto& row : table) {
    EXPECT_EQ(parts_of_event(row.name), row.parts) << row.name;
    EXPECT_EQ(without_modifiers(row.name), row.plain) << row.name;
  }
}

TEST(EventName, TellsTheRole) {
  const struct {
    std::string_view name;
    EventRole role;
  } table[] = {
      {"cycles", EventRole::cycles},
      {"cpu-cycles:kpp", EventRole::cycles},
      {"cpu_core/cycles/", EventRole::cycles},
      {"cpu_atom/cpu-cycles:k/", EventRole::cycles},
      {"cpu_atom/instructions/u", EventRole::instructions},
      {"armv8_pmuv3_0/cache-misses/", EventRole::cache_misses},
      {"branch-misses:k", EventRole::branch_misses},
      {"cpu-clock:u", EventRole::cpu_clock},
      {"task-clock", EventRole::task_clock},
      // Others count something else, however close their names are.
      {"ref-cycles", EventRole::other},
      {"bus-cycles:k", EventRole::other},
      {"LLC-load-misses", EventRole::other},
      {"cpu/event=0x3c/", EventRole::other},
      {"sched:cycles", EventRole::other},
      {"", EventRole::other},
  };
  for (const auto& row : table) EXPECT_EQ(role_of(row.name), row.role) << row.name;
}

TEST(EventName, ClocksAreTwo) {
  EXPECT_TRUE(is_clock(role_of("cpu-clock")));
  EXPECT_TRUE(is_clock(role_of("task-clock:u")));
  EXPECT_FALSE(is_clock(role_of("cycles")));
}

}  // namespace
}  // namespace nettoll
