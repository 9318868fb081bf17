// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/password_desk.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace nettoll::exporter {
namespace {

using Answer = PasswordDesk::Answer;

CredentialKey key(uint8_t number) {
  CredentialKey key{};
  key[0] = number;
  return key;
}

TEST(VerdictCache, KeepsTheLatestOfEachKind) {
  VerdictCache cache(2);
  cache.remember(key(1), true);
  cache.remember(key(2), false);
  cache.remember(key(3), false);
  cache.remember(key(4), false);
  EXPECT_EQ(cache.find(key(1)), true) << "wrong ones do not push out right ones";
  EXPECT_EQ(cache.find(key(2)), std::nullopt);
  EXPECT_EQ(cache.find(key(3)), false);
  EXPECT_EQ(cache.find(key(4)), false);
  cache.remember(key(5), true);
  cache.remember(key(6), true);
  EXPECT_EQ(cache.find(key(1)), std::nullopt);
  EXPECT_EQ(cache.find(key(4)), false);
}

/// A desk whose checks wait until they are let go.
class PasswordDeskTest : public testing::Test {
 protected:
  static bool equal(const std::string& password, const std::string& hash) { return password == hash; }
  ~PasswordDeskTest() override { let_go(); }
  void let_go() {
    if (!std::exchange(open_, true)) gate_.set_value();
  }
  std::vector<std::pair<uint64_t, bool>> wait_for(size_t count) {
    std::vector<std::pair<uint64_t, bool>> all;
    while (all.size() < count) {
      for (const auto& answer : desk_.answers()) all.push_back(answer);
      std::this_thread::yield();
    }
    return all;
  }
  Answer ask(const std::string& password, uint64_t ticket, const std::string& client = "a",
             bool nobody = false) {
    return desk_.ask({"user", password}, "hash", nobody, client, ticket);
  }

  bool open_ = false;
  std::promise<void> gate_;
  std::shared_future<void> opened_{gate_.get_future()};
  std::atomic<int> checks_ = 0;
  PasswordDesk desk_{[this](const std::string& password, const std::string& hash) {
                       opened_.wait();
                       ++checks_;
                       return equal(password, hash);
                     },
                     [] {}};
};

TEST_F(PasswordDeskTest, ChecksOnceAndRemembers) {
  let_go();
  EXPECT_EQ(ask("hash", 1), Answer::later);
  EXPECT_EQ(wait_for(1), (std::vector<std::pair<uint64_t, bool>>{{1, true}}));
  EXPECT_EQ(ask("hash", 2), Answer::right);
  EXPECT_EQ(ask("other", 3), Answer::later);
  EXPECT_EQ(wait_for(1), (std::vector<std::pair<uint64_t, bool>>{{3, false}}));
  EXPECT_EQ(ask("other", 4), Answer::wrong);
  EXPECT_EQ(checks_, 2);
}

TEST_F(PasswordDeskTest, AnotherHashIsAnotherQuestion) {
  let_go();
  EXPECT_EQ(ask("hash", 1), Answer::later);
  wait_for(1);
  EXPECT_EQ(desk_.ask({"user", "hash"}, "new hash", false, "a", 2), Answer::later);
  EXPECT_FALSE(wait_for(1).front().second);
  // The parts of a question are kept apart.
  EXPECT_EQ(desk_.ask({"use", "rhash"}, "hash", false, "a", 3), Answer::later);
}

TEST_F(PasswordDeskTest, NobodyIsNeverRight) {
  let_go();
  EXPECT_EQ(ask("hash", 1, "a", true), Answer::later);
  EXPECT_FALSE(wait_for(1).front().second);
  EXPECT_EQ(checks_, 1) << "and takes as long";
}

TEST_F(PasswordDeskTest, TheSameQuestionIsAskedOnce) {
  EXPECT_EQ(ask("hash", 1), Answer::later);
  EXPECT_EQ(ask("hash", 2), Answer::later);
  EXPECT_EQ(ask("hash", 3, "b"), Answer::later);
  let_go();
  EXPECT_EQ(wait_for(3).size(), 3U);
  EXPECT_EQ(checks_, 1);
}

TEST_F(PasswordDeskTest, OneClientCannotFillTheQueue) {
  EXPECT_EQ(ask("1", 1), Answer::later);
  EXPECT_EQ(ask("2", 2), Answer::later);
  EXPECT_EQ(ask("3", 3), Answer::busy);
  EXPECT_EQ(ask("hash", 4, "b"), Answer::later);
  let_go();
  const auto answers = wait_for(3);
  EXPECT_EQ(answers.back(), std::pair(uint64_t{4}, true));
  EXPECT_EQ(ask("3", 5), Answer::later);
}

TEST_F(PasswordDeskTest, ManyClientsCannotFillMemory) {
  for (size_t i = 0; i < PasswordDesk::kOfAll; ++i)
    EXPECT_EQ(ask(std::to_string(i), i, std::to_string(i)), Answer::later);
  EXPECT_EQ(ask("hash", 100, "new"), Answer::busy);
}

}  // namespace
}  // namespace nettoll::exporter
