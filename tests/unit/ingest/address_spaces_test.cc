// SPDX-License-Identifier: Apache-2.0
#include "ingest/address_spaces.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

class AddressSpacesTest : public testing::Test {
 protected:
  void map(uint64_t time, uint32_t pid, uint64_t start, uint64_t end, const char* path) {
    spaces_.map(time, pid, {start, end, 0, spaces_.intern(path, "")});
  }
  std::string at(uint32_t pid, uint64_t time, uint64_t address) const {
    const CodeMapping* mapping = spaces_.find(spaces_.space_of(pid, time), address);
    return mapping ? spaces_.file(mapping->file).path : "";
  }
  AddressSpaces spaces_;
};

TEST_F(AddressSpacesTest, EndsAreNotIn) {
  map(0, 1, 0x1000, 0x2000, "a");
  spaces_.settle();
  EXPECT_EQ(at(1, 5, 0xfff), "");
  EXPECT_EQ(at(1, 5, 0x1000), "a");
  EXPECT_EQ(at(1, 5, 0x1fff), "a");
  EXPECT_EQ(at(1, 5, 0x2000), "");
  EXPECT_EQ(at(2, 5, 0x1000), "");
}

TEST_F(AddressSpacesTest, MappingsThatDoNotMeetShareASpace) {
  map(0, 1, 0x1000, 0x2000, "a");
  map(10, 1, 0x3000, 0x4000, "b");
  spaces_.settle();
  EXPECT_EQ(spaces_.space_of(1, 5), spaces_.space_of(1, 15));
}

TEST_F(AddressSpacesTest, OtherCodeAtAPlaceHoldsFromThenOn) {
  map(0, 1, 0x1000, 0x4000, "a");
  map(10, 1, 0x2000, 0x3000, "b");
  spaces_.settle();
  EXPECT_EQ(at(1, 9, 0x2500), "a");
  EXPECT_EQ(at(1, 10, 0x2500), "b");
  EXPECT_EQ(at(1, 10, 0x1500), "a");
  EXPECT_EQ(at(1, 10, 0x3500), "a");
}

TEST_F(AddressSpacesTest, ManyOverlapsKeepTheLast) {
  for (uint64_t i = 0; i < 200; ++i) map(i, 1, 0x1000 + i, 0x3000, i % 2 ? "odd" : "even");
  spaces_.settle();
  EXPECT_EQ(at(1, 1000, 0x2000), "odd");
  EXPECT_EQ(at(1, 3, 0x2000), "odd");
  EXPECT_EQ(at(1, 4, 0x2000), "even");
  EXPECT_GT(spaces_.simplified(), 0u);
}

TEST_F(AddressSpacesTest, ForkTakesTheMappingsOfItsTime) {
  map(0, 1, 0x1000, 0x2000, "a");
  spaces_.fork(5, 2, 1);
  map(10, 1, 0x1000, 0x2000, "b");
  spaces_.settle();
  EXPECT_EQ(at(2, 4, 0x1000), "");
  EXPECT_EQ(at(2, 20, 0x1000), "a");
  EXPECT_EQ(at(1, 20, 0x1000), "b");
}

TEST_F(AddressSpacesTest, APidThatComesAgainIsAnotherProcess) {
  map(0, 1, 0x1000, 0x2000, "a");
  map(0, 9, 0x1000, 0x2000, "shell");
  spaces_.fork(5, 1, 9);
  spaces_.settle();
  EXPECT_EQ(at(1, 4, 0x1000), "a");
  EXPECT_EQ(at(1, 5, 0x1000), "shell");
}

TEST_F(AddressSpacesTest, LongChainsOfForksEnd) {
  map(0, 1, 0x1000, 0x2000, "a");
  for (uint32_t pid = 2; pid < 1000; ++pid) {
    spaces_.fork(pid, pid, pid - 1);
    map(pid, pid, 0x100000 + pid * 0x1000, 0x100000 + pid * 0x1000 + 1, "own");
  }
  spaces_.settle();
  EXPECT_EQ(at(20, 5000, 0x1000), "a");
  EXPECT_GT(spaces_.simplified(), 0u);
}

TEST_F(AddressSpacesTest, EmptyAndWrappedRangesDoNoHarm) {
  map(0, 1, 0x2000, 0x2000, "empty");
  map(0, 1, 0x3000, 0x1000, "backwards");
  spaces_.settle();
  EXPECT_EQ(spaces_.space_of(1, 5), 0u);
  EXPECT_TRUE(spaces_.empty(0));
}

}  // namespace
}  // namespace nettoll
