// SPDX-License-Identifier: Apache-2.0
#include "recording/cbor_check.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

using namespace std::string_literals;

// Encodings from RFC 8949, appendix A, and by hand.
TEST(CborCheck, TakesWellFormedItems) {
  const std::string cases[] = {
      "\x00"s,                                  // 0
      "\x18\x64"s,                              // 100
      "\x1b\xff\xff\xff\xff\xff\xff\xff\xff"s,  // 2^64 - 1
      "\x3a\x00\x01\x86\x9f"s,                  // -100000
      "\xf9\x3c\x00"s,                          // 1.0, half
      "\xfb\x3f\xf1\x99\x99\x99\x99\x99\x9a"s,  // 1.1
      "\xf5"s,                                  // true
      "\x60"s,                                  // ""
      "\x64IETF"s,                              // "IETF"
      "\x78\x04IETF"s,                          // the same with a longer length
      "\x44\x01\x02\x03\x04"s,                  // h'01020304'
      "\x80"s,                                  // []
      "\xa0"s,                                  // {}
      "\x82\x01\x82\x02\x80"s,                  // [1, [2, []]]
      "\xa2\x61"
      "a\x01\x61"
      "b\x82\x02\x03"s,     // {"a": 1, "b": [2, 3]}
      "\x98\x02\x01\x02"s,  // [1, 2]
  };
  for (const auto& bytes : cases) EXPECT_TRUE(check_cbor(bytes, 10)) << testing::PrintToString(bytes);
}

TEST(CborCheck, RefusesWhatIsCutOrGoesOn) {
  const std::string cases[] = {
      ""s,
      "\x18"s,          // its argument is missing
      "\x1b\x00\x00"s,  // part of its argument
      "\x64IET"s,       // 3 of 4 characters
      "\x81"s,          // no element
      "\x82\x01"s,      // 1 of 2
      "\xa1\x61"
      "a"s,                                             // a key without its value
      "\x00\x00"s,                                      // two items
      "\x81\x00\x00"s,                                  // an item behind the array
      "\x9b\xff\xff\xff\xff\xff\xff\xff\xff"s,          // 2^64 - 1 elements
      "\xbb\x80\x00\x00\x00\x00\x00\x00\x00\x01\x01"s,  // 2^63 pairs: twice that is 0
      "\x7b\xff\xff\xff\xff\xff\xff\xff\xff"s,          // 2^64 - 1 characters
  };
  for (const auto& bytes : cases) EXPECT_FALSE(check_cbor(bytes, 10)) << testing::PrintToString(bytes);
}

TEST(CborCheck, RefusesWhatRecordingsDoNotUse) {
  const std::string cases[] = {
      "\x9f\x01\xff"s,  // indefinite array
      "\xbf\xff"s,      // indefinite map
      "\x7f\x61"
      "a\xff"s,         // indefinite text
      "\x5f\xff"s,      // indefinite bytes
      "\xc0\x60"s,      // tag 0
      "\xd8\x20\x60"s,  // tag 32
      "\xf8\xff"s,      // simple value of two bytes
      "\x1c"s,          // reserved
      "\xff"s,          // break alone
  };
  for (const auto& bytes : cases) EXPECT_FALSE(check_cbor(bytes, 10)) << testing::PrintToString(bytes);
}

TEST(CborCheck, BoundsDepthAndItems) {
  const auto nested = [](size_t depth) { return std::string(depth, '\x81') + '\0'; };
  EXPECT_TRUE(check_cbor(nested(kMaxCborDepth), 100));
  EXPECT_FALSE(check_cbor(nested(kMaxCborDepth + 1), 100));
  EXPECT_FALSE(check_cbor(nested(10'000'000), 100'000'000));
  EXPECT_FALSE(check_cbor(std::string(10'000'000, '\x7f'), 100'000'000));
  const std::string three = "\x83\x00\x00\x00"s;
  EXPECT_TRUE(check_cbor(three, 4));
  EXPECT_FALSE(check_cbor(three, 3));
}

}  // namespace
}  // namespace nettoll
