// SPDX-License-Identifier: Apache-2.0
// Certificate, key and rules of a TLS server: GnuTLS behind an owner.
#pragma once

#include <gnutls/gnutls.h>

#include <memory>

#include "base/result.h"
#include "exporters/prometheus/web_config.h"

namespace nettoll::exporter {

/// What the files held when they were loaded. Does not change, and outlives the sessions that use it.
class TlsCredentials {
 public:
  /// Reads certificate, key and CA. The error names the file and says what is wrong with it.
  static Result<std::shared_ptr<const TlsCredentials>> load(const TlsConfig& config);
  TlsCredentials(const TlsCredentials&) = delete;
  TlsCredentials& operator=(const TlsCredentials&) = delete;
  ~TlsCredentials();

  /// Makes `session`, which has not begun its handshake, go by these.
  void apply(gnutls_session_t session) const;

 private:
  explicit TlsCredentials(TlsConfig config) : config_(std::move(config)) {}
  Status read();

  TlsConfig config_;
  gnutls_certificate_credentials_t certificate_ = nullptr;
  gnutls_priority_t priority_ = nullptr;
};

}  // namespace nettoll::exporter
