// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/basic_auth.h"

#include <gtest/gtest.h>

namespace nettoll::exporter {
namespace {

TEST(BasicAuth, Parses) {
  const struct {
    std::string header;
    std::optional<Credentials> credentials;
  } cases[] = {
      {"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", Credentials{"Aladdin", "open sesame"}},  // RFC 7617
      {"basic  QWxhZGRpbjpvcGVuIHNlc2FtZQ==", Credentials{"Aladdin", "open sesame"}},
      {"Basic dXNlcjphOmI=", Credentials{"user", "a:b"}},
      {"Basic Og==", Credentials{"", ""}},
      {"Basic dXNlcg==", std::nullopt},  // no colon
      {"Basic !!!!", std::nullopt},
      {"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=", std::nullopt},
      {"Basic ", std::nullopt},
      {"Basic    ", std::nullopt},
      {"Basic", std::nullopt},
      {"Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ==", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& c : cases) EXPECT_EQ(parse_basic_auth(c.header), c.credentials) << c.header;
}

}  // namespace
}  // namespace nettoll::exporter
