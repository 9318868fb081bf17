// SPDX-License-Identifier: Apache-2.0
#include "model/drop_attribution.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

const DropCode kCode{{{"purge", 100, 200}, {"list", 200, 300}, {"any", 500, 600}}, {{"xmit", 700, 800}}};

struct Case {
  const char* what;
  uint64_t location;
  std::vector<uint64_t> stack;
  DropOrigin origin;
};

TEST(DropOrigin, IsTheFirstCallerThatIsNoHelper) {
  const Case cases[] = {
      {"outside of helpers", 1050, {9000, 1050, 1150}, {1050, "", false}},
      {"in a helper", 150, {9000, 9001, 150, 1050, 1150}, {1050, "purge", false}},
      {"in helpers of helpers", 150, {9000, 150, 250, 290, 1050}, {1050, "purge", false}},
      {"what is above the location is not looked at", 150, {1010, 150, 1050}, {1050, "purge", false}},
      {"the first byte is no return address", 100, {9000, 100, 1050}, {100, "", false}},
      {"the byte behind is one", 300, {9000, 300, 1050}, {1050, "list", false}},
      {"a location that is not on the stack stays", 150, {9000, 1050}, {150, "", false}},
      {"helpers alone", 150, {150, 250}, {150, "", false}},
      {"no stack", 150, {}, {150, "", false}},
      {"while transmitting", 550, {550, 1050, 750, 1150}, {1050, "any", true}},
      {"transmit above the location", 550, {750, 550, 1050}, {1050, "any", false}},
      {"transmitting matters through helpers alone", 1050, {1050, 750}, {1050, "", false}},
  };
  for (const Case& c : cases) EXPECT_EQ(find_drop_origin(c.location, c.stack, kCode), c.origin) << c.what;
}

TEST(DropOrigin, StaysWithoutKnownHelpers) {
  EXPECT_EQ(find_drop_origin(150, std::vector<uint64_t>{150, 1050}, {}), (DropOrigin{150, "", false}));
}

TEST(DropStack, BeginsAtTheLocation) {
  const std::vector<uint64_t> stack{1, 2, 3};
  const auto part = stack_from_location(2, stack);
  EXPECT_EQ(std::vector<uint64_t>(part.begin(), part.end()), (std::vector<uint64_t>{2, 3}));
  EXPECT_EQ(stack_from_location(9, stack).size(), 3u);
}

TEST(FreeHelper, SaysNothingOfWhoDropped) {
  EXPECT_TRUE(is_free_helper("kfree_skb_list_reason"));
  EXPECT_TRUE(is_free_helper("sk_skb_reason_drop"));
  EXPECT_FALSE(is_free_helper("tcp_v4_rcv"));
  EXPECT_FALSE(is_free_helper("net_tx_action"));
  EXPECT_FALSE(is_free_helper(""));
}

}  // namespace
}  // namespace nettoll
