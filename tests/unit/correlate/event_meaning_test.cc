// SPDX-License-Identifier: Apache-2.0
#include "correlate/event_meaning.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(EventMeaning, IsWhatIsCountedInWhichMode) {
  const struct {
    std::string_view name;
    EventMeaning meaning;
  } table[] = {
      {"cycles", {"cycles", false}},
      {"cpu-cycles:kpp", {"cycles", false}},
      {"cycles:u", {"cycles", true}},
      {"cycles:uk", {"cycles", false}},
      {"net:netif_rx", {"net:netif_rx", false}},
      {"cpu_core/cycles/", {"cpu_core/cycles/", false}},
      {"cpu_core/cpu-cycles/u", {"cpu_core/cycles/", true}},
      {"cpu_atom/instructions/k", {"cpu_atom/instructions/", false}},
  };
  for (const auto& row : table) EXPECT_EQ(meaning_of(row.name), row.meaning) << row.name;
  EXPECT_EQ(meaning_of("cpu-cycles:upp").text(), "cycles:u");
}

}  // namespace
}  // namespace nettoll
