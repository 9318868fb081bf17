// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/bcrypt.h"

#include <crypt.h>
#include <fmt/format.h>
#include <gnutls/gnutls.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>

namespace nettoll::exporter {
namespace {

// "$2b$10$", 22 characters of salt, 31 of hash.
constexpr size_t kPrefix = 7;
constexpr size_t kHashAt = kPrefix + 22;
constexpr size_t kLength = kHashAt + 31;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::optional<std::string> what_is_wrong_with_bcrypt(const std::string& hash) {
  const bool form = hash.size() == kLength && hash.starts_with("$2") && std::strchr("aby", hash[2]) &&
                    hash[3] == '$' && is_digit(hash[4]) && is_digit(hash[5]) && hash[6] == '$' &&
                    std::all_of(hash.begin() + kPrefix, hash.end(),
                                [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '/'; });
  if (!form) return "is no bcrypt hash ($2a$, $2b$ or $2y$)";
  const int cost = bcrypt_cost(hash);
  if (cost < 4 || cost > kMaxBcryptCost)
    return fmt::format("has the cost {}, which is not from 4 to {}", cost, kMaxBcryptCost);
  return std::nullopt;
}

int bcrypt_cost(const std::string& hash) {
  return (hash[4] - '0') * 10 + (hash[5] - '0');
}

std::string hash_of_nobody(int cost) {
  return fmt::format("$2b${:02}$", cost) + std::string(kLength - kPrefix, '.');
}

bool bcrypt_matches(const std::string& password, const std::string& hash) {
  if (password.find('\0') != std::string::npos) return false;
  const auto work = std::make_unique<crypt_data>();  // 32 KB
  const char* made = ::crypt_r(password.c_str(), hash.c_str(), work.get());
  // The salt was given, and is not compared: its last character has 4 bits that no salt needs. Some programs
  // set them, Go takes such hashes, and crypt answers with them cleared.
  const bool same = made && hash.size() == kLength && std::strlen(made) == kLength &&
                    gnutls_memcmp(made + kHashAt, hash.data() + kHashAt, kLength - kHashAt) == 0;
  gnutls_memset(work.get(), 0, sizeof *work);
  return same;
}

}  // namespace nettoll::exporter
