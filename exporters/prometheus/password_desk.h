// SPDX-License-Identifier: Apache-2.0
// Passwords are checked on a thread of their own, since bcrypt takes its time: the thread that serves goes
// on.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "exporters/prometheus/basic_auth.h"

namespace nettoll::exporter {

/// Credentials and the hash they are compared with, hashed under a key that this process alone has.
using CredentialKey = std::array<uint8_t, 32>;

/// What was found out lately: of right credentials as of wrong ones, the latest `size`.
class VerdictCache {
 public:
  explicit VerdictCache(size_t size) : size_(size) {}

  std::optional<bool> find(const CredentialKey& key) const;
  void remember(const CredentialKey& key, bool right);

 private:
  size_t size_;
  std::map<CredentialKey, bool> verdicts_;
  std::deque<CredentialKey> order_[2];  ///< of wrong and of right ones, the oldest first
};

/// For one thread, beside its own.
class PasswordDesk {
 public:
  /// Compares slowly; may be called from another thread.
  using Matches = std::function<bool(const std::string& password, const std::string& hash)>;
  /// Checks waiting at once, of one client and of all.
  static constexpr size_t kOfOneClient = 2;
  static constexpr size_t kOfAll = 32;

  /// `answered` is called from the desk's thread when answers() has something new.
  PasswordDesk(Matches matches, std::function<void()> answered);
  PasswordDesk(const PasswordDesk&) = delete;
  PasswordDesk& operator=(const PasswordDesk&) = delete;
  ~PasswordDesk();

  enum class Answer { right, wrong, later, busy };
  /// Whether `credentials` are those of `hash`; with `nobody` the answer is always wrong, and takes as long.
  /// `later`: answers() will have `ticket`. `busy`: too many wait already.
  Answer ask(const Credentials& credentials, const std::string& hash, bool nobody, const std::string& client,
             uint64_t ticket);
  /// What was found out since the last call.
  std::vector<std::pair<uint64_t, bool>> answers();

 private:
  struct Job {
    CredentialKey key;
    std::string password;
    std::string hash;
    bool nobody = false;
    std::string client;
    std::vector<uint64_t> tickets;  ///< all that ask the same
  };
  CredentialKey key_of(const Credentials& credentials, const std::string& hash) const;
  void work(const std::stop_token& done);

  const Matches matches_;
  const std::function<void()> answered_;
  std::array<uint8_t, 32> salt_{};
  std::mutex mutex_;
  std::condition_variable_any more_;
  VerdictCache cache_{256};
  std::list<Job> jobs_;  ///< the first one is in work
  std::vector<std::pair<uint64_t, bool>> answers_;
  std::jthread thread_;
};

}  // namespace nettoll::exporter
