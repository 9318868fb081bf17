// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/password_desk.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include <algorithm>

#include "base/log.h"

namespace nettoll::exporter {

std::optional<bool> VerdictCache::find(const CredentialKey& key) const {
  const auto at = verdicts_.find(key);
  return at == verdicts_.end() ? std::nullopt : std::optional(at->second);
}

void VerdictCache::remember(const CredentialKey& key, bool right) {
  if (!verdicts_.emplace(key, right).second) return;
  auto& order = order_[right];
  order.push_back(key);
  if (order.size() <= size_) return;
  verdicts_.erase(order.front());
  order.pop_front();
}

PasswordDesk::PasswordDesk(Matches matches, std::function<void()> answered)
    : matches_(std::move(matches)), answered_(std::move(answered)) {
  if (gnutls_rnd(GNUTLS_RND_KEY, salt_.data(), salt_.size()) != 0)
    throw std::runtime_error("no random numbers for the cache of passwords");
  thread_ = std::jthread([this](const std::stop_token& done) { work(done); });
}

PasswordDesk::~PasswordDesk() = default;

CredentialKey PasswordDesk::key_of(const Credentials& credentials, const std::string& hash) const {
  // Lengths keep the parts apart.
  const std::string all = fmt::format("{}:{}:{}{}{}", credentials.user.size(), credentials.password.size(),
                                      credentials.user, credentials.password, hash);
  CredentialKey key{};
  if (gnutls_hmac_fast(GNUTLS_MAC_SHA256, salt_.data(), salt_.size(), all.data(), all.size(), key.data()) !=
      0)
    throw std::runtime_error("GnuTLS cannot make an HMAC");
  return key;
}

PasswordDesk::Answer PasswordDesk::ask(const Credentials& credentials, const std::string& hash, bool nobody,
                                       const std::string& client, uint64_t ticket) {
  const CredentialKey key = key_of(credentials, hash);
  const std::lock_guard lock(mutex_);
  if (const auto known = cache_.find(key)) return *known ? Answer::right : Answer::wrong;
  const auto same = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& job) { return job.key == key; });
  if (same != jobs_.end()) {
    same->tickets.push_back(ticket);
    return Answer::later;
  }
  const auto of_client =
      std::count_if(jobs_.begin(), jobs_.end(), [&](const Job& job) { return job.client == client; });
  if (jobs_.size() >= kOfAll || static_cast<size_t>(of_client) >= kOfOneClient) return Answer::busy;
  jobs_.push_back({key, credentials.password, hash, nobody, client, {ticket}});
  more_.notify_one();
  return Answer::later;
}

std::vector<std::pair<uint64_t, bool>> PasswordDesk::answers() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answers_, {});
}

void PasswordDesk::work(const std::stop_token& done) {
  std::unique_lock lock(mutex_);
  while (more_.wait(lock, done, [&] { return !jobs_.empty(); }) && !done.stop_requested()) {
    Job& job = jobs_.front();  // stays where it is: others add behind it, and tickets to it
    lock.unlock();
    std::optional<bool> right;
    try {
      right = matches_(job.password, job.hash) && !job.nobody;
    } catch (const std::exception& error) {
      spdlog::error("a password could not be checked: {}", error.what());
    }
    lock.lock();
    if (right) cache_.remember(job.key, *right);
    for (const uint64_t ticket : job.tickets) answers_.emplace_back(ticket, right.value_or(false));
    gnutls_memset(job.password.data(), 0, job.password.size());
    jobs_.pop_front();
    answered_();
  }
}

}  // namespace nettoll::exporter
