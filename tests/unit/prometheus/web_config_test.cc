// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/web_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll::exporter {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kHash = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

TEST(WebConfig, ReadsAll) {
  const auto config = parse_web_config(R"(tls_server_config:
  cert_file: server.crt
  key_file: /keys/server.key
  client_auth_type: RequireAndVerifyClientCert
  client_ca_file: ca.crt
  min_version: TLS13
  prefer_server_cipher_suites: true
http_server_config:
  http2: false
  headers:
    X-Frame-Options: deny
basic_auth_users:
  prometheus: )" + kHash + "\n",
                                       "/etc/nettoll/web.yml");
  ASSERT_TRUE(config) << config.error().text();
  WebConfig expected;
  expected.tls =
      TlsConfig{"/etc/nettoll/server.crt", "/keys/server.key", ClientAuth::RequireAndVerifyClientCert,
                "/etc/nettoll/ca.crt",     TlsVersion::TLS13,  TlsVersion::TLS13};
  expected.headers = {{"X-Frame-Options", "deny"}};
  expected.users = {{"prometheus", kHash}};
  EXPECT_EQ(*config, expected);
}

TEST(WebConfig, MayBeEmpty) {
  for (const char* text : {"", "# nothing\n", "basic_auth_users:\n", "{}", "---\n{}\n...\n"}) {
    const auto config = parse_web_config(text, "web.yml");
    ASSERT_TRUE(config) << text;
    EXPECT_EQ(*config, WebConfig());
  }
}

TEST(WebConfig, RefusesWithTheLine) {
  const std::string tls = "tls_server_config:\n  cert_file: a\n  key_file: b\n";
  const struct {
    std::string text;
    const char* says;
  } cases[] = {
      {"tls_server_cofnig: {}\n", "web.yml, line 1: the web configuration knows no key tls_server_cofnig"},
      {tls + "  ciphers: x\n", "web.yml, line 4: tls_server_config knows no key ciphers"},
      {tls + "  cipher_suites: [x]\n", "web.yml, line 4: cipher_suites is not served here"},
      {tls + "  min_version: TLS10\n",
       "web.yml, line 4: min_version cannot be TLS10; it is one of TLS12, TLS13"},
      {tls + "  min_version: TLS13\n  max_version: TLS12\n", "min_version is above max_version"},
      {tls + "  client_auth_type: Always\n", "web.yml, line 4: client_auth_type cannot be Always"},
      {tls + "  client_auth_type: VerifyClientCertIfGiven\n", "there is no client_ca_file"},
      {tls + "  client_ca_file: ca\n", "client_auth_type asks for no certificate"},
      {tls + "  cert_file: c\n", "web.yml, line 4: cert_file is given twice"},
      {"tls_server_config:\n  cert_file: a\n", "needs cert_file and key_file"},
      {"tls_server_config:\n  cert_file: [a]\n  key_file: b\n", "line 2: cert_file is no text"},
      {"tls_server_config: x\n", "web.yml, line 1: tls_server_config is no mapping"},
      {"http_server_config:\n  http2: maybe\n", "line 2: http2 is neither true nor false"},
      {"http_server_config:\n  headers:\n    Server: x\n", "line 3: headers knows no key Server"},
      {"http_server_config:\n  headers:\n    X-Frame-Options: \"a\\r\\nb\"\n", "has a control character"},
      {"basic_auth_users:\n  a: hunter2\n", "web.yml, line 2: the hash of user a is no bcrypt hash"},
      {"basic_auth_users:\n  a:b: x\n", "web.yml"},
      {"basic_auth_users:\n  a:\n", "user a has no hash"},
      {"- a\n", "is no mapping"},
      {"a: [\n", "web.yml, line"},
      {"a: 'b\n", "web.yml, line"},
      {"---\n{}\n---\nbasic_auth_users: {}\n", "web.yml, line 4: a second document begins here"},
  };
  for (const auto& c : cases) {
    const auto config = parse_web_config(c.text, "web.yml");
    ASSERT_FALSE(config) << c.text;
    EXPECT_EQ(config.error().kind, ErrorKind::usage);
    EXPECT_THAT(config.error().text(), HasSubstr(c.says)) << c.text;
    EXPECT_THAT(config.error().text(), Not(HasSubstr("hunter2"))) << "secrets are not repeated";
    EXPECT_THAT(config.error().text(), StartsWith("web.yml"));
  }
}

}  // namespace
}  // namespace nettoll::exporter
