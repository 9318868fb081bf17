// SPDX-License-Identifier: Apache-2.0
// Passwords against bcrypt hashes, by libxcrypt's crypt_r(3).
#pragma once

#include <optional>
#include <string>

namespace nettoll::exporter {

/// A hash that takes longer than this would let anybody keep a CPU busy: 2^14 rounds take about a second.
inline constexpr int kMaxBcryptCost = 14;

/// The end of the sentence "the hash ...", or nothing for a hash of the forms $2a$, $2b$, $2y$ (crypt(5)).
std::optional<std::string> what_is_wrong_with_bcrypt(const std::string& hash);
/// Of a hash with which nothing is wrong.
int bcrypt_cost(const std::string& hash);
/// A hash of that cost which no password has, so that unknown users take as long as known ones.
std::string hash_of_nobody(int cost);
/// Takes as long as the hash's cost asks for.
bool bcrypt_matches(const std::string& password, const std::string& hash);

}  // namespace nettoll::exporter
