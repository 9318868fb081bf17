// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/connection_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll::exporter {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::IsEmpty;

class ConnectionGuardTest : public testing::Test {
 protected:
  static ConnectionGuard::Time at(int ms) { return ConnectionGuard::Time(milliseconds(ms)); }
  ConnectionGuard guard_{{.connections = 3,
                          .first_request = milliseconds(10),
                          .next_request = milliseconds(90),
                          .reply = milliseconds(30)}};
};

TEST_F(ConnectionGuardTest, EachPhaseHasItsLimit) {
  guard_.opened(1, at(0));
  EXPECT_THAT(guard_.take_condemned(at(10)), IsEmpty());
  guard_.request(1, at(10));
  EXPECT_THAT(guard_.take_condemned(at(40)), IsEmpty());
  guard_.replied(1, at(40));
  EXPECT_THAT(guard_.take_condemned(at(130)), IsEmpty());
  EXPECT_THAT(guard_.take_condemned(at(131)), ElementsAre(1));
  guard_.opened(2, at(200));
  EXPECT_THAT(guard_.take_condemned(at(211)), ElementsAre(2));
  guard_.opened(3, at(300));
  guard_.request(3, at(300));
  EXPECT_THAT(guard_.take_condemned(at(331)), ElementsAre(3));
}

TEST_F(ConnectionGuardTest, KnowsTheNextDeadline) {
  guard_.opened(1, at(0));
  EXPECT_EQ(guard_.deadline(), at(10));
  guard_.request(1, at(5));
  EXPECT_EQ(guard_.deadline(), at(35));
  guard_.opened(2, at(20));
  EXPECT_EQ(guard_.deadline(), at(30));
}

TEST_F(ConnectionGuardTest, CondemnsOnce) {
  guard_.opened(1, at(0));
  EXPECT_THAT(guard_.take_condemned(at(11)), ElementsAre(1));
  EXPECT_THAT(guard_.take_condemned(at(12)), IsEmpty());
  EXPECT_EQ(guard_.deadline(), std::nullopt);
  guard_.closed(1);
  // The next connection with that number begins anew.
  guard_.opened(1, at(20));
  EXPECT_THAT(guard_.take_condemned(at(30)), IsEmpty());
}

TEST_F(ConnectionGuardTest, OneTooManyCostsTheOneThatWaitedLongestForItsFirstRequest) {
  guard_.opened(1, at(0));
  guard_.request(1, at(0));
  guard_.replied(1, at(1));
  guard_.opened(2, at(2));
  guard_.request(2, at(2));
  guard_.opened(3, at(4));
  guard_.opened(4, at(3));
  EXPECT_THAT(guard_.take_condemned(at(5)), ElementsAre(4));
  guard_.opened(5, at(6));
  EXPECT_THAT(guard_.take_condemned(at(6)), ElementsAre(3));
  guard_.request(5, at(6));
  guard_.opened(6, at(7));
  guard_.request(6, at(7));
  // None is without a request now: the one between two goes, then the longest reply.
  EXPECT_THAT(guard_.take_condemned(at(7)), ElementsAre(1));
  guard_.opened(7, at(8));
  guard_.request(7, at(8));
  EXPECT_THAT(guard_.take_condemned(at(8)), ElementsAre(2));
}

TEST_F(ConnectionGuardTest, MakesRoomByTheOneThatWouldGoFirst) {
  EXPECT_EQ(guard_.make_room(), std::nullopt);
  guard_.opened(1, at(0));
  guard_.request(1, at(0));
  guard_.opened(2, at(1));
  guard_.request(2, at(1));
  guard_.replied(2, at(2));
  EXPECT_FALSE(guard_.full());
  guard_.opened(3, at(3));
  EXPECT_TRUE(guard_.full());
  EXPECT_EQ(guard_.make_room(), 3);
  EXPECT_EQ(guard_.make_room(), 2);
  EXPECT_EQ(guard_.make_room(), 1);
  EXPECT_EQ(guard_.make_room(), std::nullopt);
  EXPECT_THAT(guard_.take_condemned(at(4)), IsEmpty());
}

TEST_F(ConnectionGuardTest, StrangersAreIgnored) {
  guard_.request(9, at(0));
  guard_.replied(9, at(0));
  guard_.closed(9);
  EXPECT_EQ(guard_.deadline(), std::nullopt);
}

}  // namespace
}  // namespace nettoll::exporter
