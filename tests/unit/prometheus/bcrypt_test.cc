// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/bcrypt.h"

#include <gtest/gtest.h>

namespace nettoll::exporter {
namespace {

// "secret", at the lowest cost.
const std::string kSecret = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

TEST(Bcrypt, Matches) {
  EXPECT_TRUE(bcrypt_matches("secret", kSecret));
  std::string y = kSecret;  // what htpasswd writes
  y[2] = 'y';
  EXPECT_TRUE(bcrypt_matches("secret", y));
  EXPECT_FALSE(bcrypt_matches("Secret", kSecret));
  EXPECT_FALSE(bcrypt_matches("", kSecret));
  EXPECT_FALSE(bcrypt_matches(std::string("secret\0x", 8), kSecret));
  EXPECT_FALSE(bcrypt_matches("secret", hash_of_nobody(4)));
  EXPECT_FALSE(bcrypt_matches("secret", "nonsense"));
}

// Of the salt's last character two bits are salt: u, and v that some programs write for it.
TEST(Bcrypt, PaddingBitsOfTheSaltDoNotCount) {
  std::string padded = kSecret;
  ASSERT_EQ(padded[28], 'u');
  padded[28] = 'v';
  EXPECT_TRUE(bcrypt_matches("secret", padded));
  EXPECT_FALSE(bcrypt_matches("Secret", padded));
  padded[28] = 'e';  // another salt
  EXPECT_FALSE(bcrypt_matches("secret", padded));
}

TEST(Bcrypt, TellsWhatIsWrong) {
  EXPECT_EQ(what_is_wrong_with_bcrypt(kSecret), std::nullopt);
  EXPECT_EQ(what_is_wrong_with_bcrypt(hash_of_nobody(10)), std::nullopt);
  EXPECT_EQ(bcrypt_cost(hash_of_nobody(12)), 12);
  const auto with = [](size_t at, const std::string& text) {
    std::string hash = kSecret;
    return hash.replace(at, text.size(), text);
  };
  for (const auto& hash : {std::string(), std::string("secret"), kSecret + "x", kSecret.substr(1),
                           with(2, "x"), with(4, "x"), with(30, "$"), std::string("$6$salt$hash")})
    EXPECT_EQ(what_is_wrong_with_bcrypt(hash), "is no bcrypt hash ($2a$, $2b$ or $2y$)") << hash;
  EXPECT_EQ(what_is_wrong_with_bcrypt(with(4, "31")), "has the cost 31, which is not from 4 to 14");
  EXPECT_EQ(what_is_wrong_with_bcrypt(with(4, "03")), "has the cost 3, which is not from 4 to 14");
}

}  // namespace
}  // namespace nettoll::exporter
