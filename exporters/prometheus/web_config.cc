// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/web_config.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "exporters/prometheus/bcrypt.h"

namespace nettoll::exporter {
namespace {

/// Thrown through yaml-cpp's own way of failing; ends in parse_web_config().
struct Refused {
  YAML::Mark at;
  std::string message;
  std::string remedy;
};

constexpr std::pair<const char*, ClientAuth> kClientAuths[] = {
    {"NoClientCert", ClientAuth::NoClientCert},
    {"RequestClientCert", ClientAuth::RequestClientCert},
    {"RequireAnyClientCert", ClientAuth::RequireAnyClientCert},
    // The older name of the same.
    {"RequireClientCert", ClientAuth::RequireAnyClientCert},
    {"VerifyClientCertIfGiven", ClientAuth::VerifyClientCertIfGiven},
    {"RequireAndVerifyClientCert", ClientAuth::RequireAndVerifyClientCert},
};
constexpr std::pair<const char*, TlsVersion> kVersions[] = {{"TLS12", TlsVersion::TLS12},
                                                            {"TLS13", TlsVersion::TLS13}};

/// Those that the toolkit lets be set.
constexpr const char* kHeaders[] = {"Content-Security-Policy", "Strict-Transport-Security",
                                    "X-Content-Type-Options", "X-Frame-Options", "X-XSS-Protection"};

using TakeKey = std::function<bool(const std::string& key, const YAML::Node& value)>;

/// Each key of a mapping once; `take` says whether it knows the key.
void for_each_key(const YAML::Node& node, const std::string& of, const TakeKey& take) {
  if (node.IsNull()) return;
  if (!node.IsMap())
    throw Refused{node.Mark(), fmt::format("{} is no mapping", of), "write 'key: value' lines"};
  std::set<std::string> seen;
  for (const auto& entry : node) {
    if (!entry.first.IsScalar())
      throw Refused{entry.first.Mark(), fmt::format("a key of {} is no text", of), ""};
    const auto& key = entry.first.Scalar();
    if (!seen.insert(key).second)
      throw Refused{entry.first.Mark(), fmt::format("{} is given twice", key), ""};
    if (!take(key, entry.second))
      throw Refused{entry.first.Mark(), fmt::format("{} knows no key {}", of, key),
                    "deploy/docs/web.md lists the keys"};
  }
}

std::string text_of(const std::string& key, const YAML::Node& value) {
  if (!value.IsScalar() || value.Scalar().empty())
    throw Refused{value.Mark(), fmt::format("{} is no text", key), ""};
  return value.Scalar();
}

template <typename T, size_t N>
T choice_of(const std::string& key, const YAML::Node& value, const std::pair<const char*, T> (&choices)[N]) {
  const std::string text = text_of(key, value);
  std::string names;
  for (const auto& [name, choice] : choices) {
    if (text == name) return choice;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw Refused{value.Mark(), fmt::format("{} cannot be {}", key, text), "it is one of " + names};
}

void check_bool(const std::string& key, const YAML::Node& value) {
  bool ignored = false;
  if (!YAML::convert<bool>::decode(value, ignored))
    throw Refused{value.Mark(), fmt::format("{} is neither true nor false", key), ""};
}

std::string path_of(const std::string& key, const YAML::Node& value, const std::filesystem::path& folder) {
  return (folder / text_of(key, value)).string();  // an absolute one stays as it is
}

TlsConfig read_tls(const YAML::Node& node, const std::filesystem::path& folder) {
  TlsConfig tls;
  for_each_key(node, "tls_server_config", [&](const std::string& key, const YAML::Node& value) {
    if (key == "cert_file")
      tls.cert_file = path_of(key, value, folder);
    else if (key == "key_file")
      tls.key_file = path_of(key, value, folder);
    else if (key == "client_ca_file")
      tls.client_ca_file = path_of(key, value, folder);
    else if (key == "client_auth_type")
      tls.client_auth = choice_of(key, value, kClientAuths);
    else if (key == "min_version")
      tls.min_version = choice_of(key, value, kVersions);
    else if (key == "max_version")
      tls.max_version = choice_of(key, value, kVersions);
    else if (key == "prefer_server_cipher_suites")
      check_bool(key, value);  // without effect in the toolkit too
    else if (key == "cipher_suites" || key == "curve_preferences" || key == "client_allowed_sans")
      throw Refused{value.Mark(), fmt::format("{} is not served here", key), "leave it out"};
    else
      return false;
    return true;
  });
  const auto refuse = [&](const char* message, const char* remedy) {
    throw Refused{node.Mark(), message, remedy};
  };
  if (tls.cert_file.empty() || tls.key_file.empty())
    refuse("tls_server_config needs cert_file and key_file", "name the PEM files");
  if (tls.min_version > tls.max_version) refuse("min_version is above max_version", "swap them");
  const bool verifies = tls.client_auth == ClientAuth::VerifyClientCertIfGiven ||
                        tls.client_auth == ClientAuth::RequireAndVerifyClientCert;
  if (verifies && tls.client_ca_file.empty())
    refuse("client_auth_type asks to verify certificates, and there is no client_ca_file",
           "name the CA's PEM file");
  if (!tls.client_ca_file.empty() && tls.client_auth == ClientAuth::NoClientCert)
    refuse("client_ca_file is given, and client_auth_type asks for no certificate",
           "add client_auth_type: RequireAndVerifyClientCert");
  return tls;
}

void read_http(const YAML::Node& node, WebConfig& config) {
  for_each_key(node, "http_server_config", [&](const std::string& key, const YAML::Node& value) {
    if (key == "http2") {
      check_bool(key, value);  // it allows HTTP/2; HTTP/1.1 is what is served
      return true;
    }
    if (key != "headers") return false;
    for_each_key(value, "headers", [&](const std::string& name, const YAML::Node& text) {
      if (std::find(std::begin(kHeaders), std::end(kHeaders), name) == std::end(kHeaders)) return false;
      const std::string content = text_of(name, text);
      if (std::any_of(content.begin(), content.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
        throw Refused{text.Mark(), fmt::format("{} has a control character", name), ""};
      config.headers.emplace_back(name, content);
      return true;
    });
    return true;
  });
}

void read_users(const YAML::Node& node, WebConfig& config) {
  for_each_key(node, "basic_auth_users", [&](const std::string& user, const YAML::Node& value) {
    const std::string remedy = "make one with: htpasswd -nBC 10 \"\" | tr -d ':\\n'";
    if (user.empty() || user.find(':') != std::string::npos)
      throw Refused{value.Mark(), "a user's name is empty or has a colon", ""};
    if (!value.IsScalar()) throw Refused{value.Mark(), fmt::format("user {} has no hash", user), remedy};
    if (const auto wrong = what_is_wrong_with_bcrypt(value.Scalar()))
      throw Refused{value.Mark(), fmt::format("the hash of user {} {}", user, *wrong), remedy};
    config.users[user] = value.Scalar();
    return true;
  });
}

WebConfig read_all(const std::string& text, const std::filesystem::path& folder) {
  WebConfig config;
  const std::vector<YAML::Node> documents = YAML::LoadAll(text);
  // Those behind the first would be left out in silence, and users or TLS with them.
  if (documents.size() > 1)
    throw Refused{documents[1].Mark(), "a second document begins here", "leave out the line ---"};
  const YAML::Node root = documents.empty() ? YAML::Node() : documents.front();
  for_each_key(root, "the web configuration", [&](const std::string& key, const YAML::Node& value) {
    if (key == "tls_server_config")
      config.tls = read_tls(value, folder);
    else if (key == "basic_auth_users")
      read_users(value, config);
    else if (key == "http_server_config")
      read_http(value, config);
    else
      return false;
    return true;
  });
  return config;
}

Error located(const std::string& name, const YAML::Mark& at, const std::string& message,
              const std::string& remedy) {
  if (at.is_null()) return usage_error(fmt::format("{}: {}", name, message), remedy);
  return usage_error(fmt::format("{}, line {}: {}", name, at.line + 1, message), remedy);
}

}  // namespace

Result<WebConfig> parse_web_config(const std::string& text, const std::string& name) {
  try {
    return read_all(text, std::filesystem::path(name).parent_path());
  } catch (const Refused& refused) {
    return located(name, refused.at, refused.message, refused.remedy);
  } catch (const YAML::Exception& error) {
    // Its message says what was expected, and never what was found.
    return located(name, error.mark, error.msg, "write it as YAML");
  }
}

}  // namespace nettoll::exporter
