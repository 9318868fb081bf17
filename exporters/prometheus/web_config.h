// SPDX-License-Identifier: Apache-2.0
// The file of --web.config.file: the keys that Prometheus exporters share (prometheus/exporter-toolkit,
// docs/web-configuration.md), as far as they are served here.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace nettoll::exporter {

/// What a client has to show. The names are those of the file.
enum class ClientAuth {
  NoClientCert,
  RequestClientCert,
  RequireAnyClientCert,
  VerifyClientCertIfGiven,
  RequireAndVerifyClientCert
};

enum class TlsVersion { TLS12, TLS13 };

struct TlsConfig {
  std::string cert_file;
  std::string key_file;
  ClientAuth client_auth = ClientAuth::NoClientCert;
  std::string client_ca_file;  ///< empty where none is given
  TlsVersion min_version = TlsVersion::TLS12;
  TlsVersion max_version = TlsVersion::TLS13;

  bool operator==(const TlsConfig&) const = default;
};

struct WebConfig {
  std::optional<TlsConfig> tls;
  std::map<std::string, std::string> users;  ///< name to bcrypt hash; empty: no password is asked for
  std::vector<std::pair<std::string, std::string>> headers;  ///< added to each reply

  bool operator==(const WebConfig&) const = default;
};

/// `name` is the file's, for messages and for the folder that relative paths are below. All errors are usage
/// errors that name file, line and key, and never a value of a secret.
Result<WebConfig> parse_web_config(const std::string& text, const std::string& name);

}  // namespace nettoll::exporter
