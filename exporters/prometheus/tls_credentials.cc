// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/tls_credentials.h"

#include <gnutls/x509.h>

#include "base/settings_file.h"

namespace nettoll::exporter {
namespace {

/// GnuTLS says "Error while reading file." whatever it was, and reads a FIFO or device for ever.
Status check_readable(const char* key, const std::string& path) {
  const auto fd = open_settings_file(path);
  if (fd) return {};
  const int code = fd.error().code;
  if (code == 0) return failure(fmt::format("{}: {}", key, fd.error().message), "give a PEM file");
  return system_error(fmt::format("cannot read {} {}", key, path), code,
                      code == EACCES ? "let the user that nettoll runs as read it" : "");
}

std::string priority_of(const TlsConfig& config) {
  std::string text = "NORMAL:-VERS-ALL";
  if (config.max_version == TlsVersion::TLS13) text += ":+VERS-TLS1.3";
  if (config.min_version == TlsVersion::TLS12) text += ":+VERS-TLS1.2";
  return text;
}

/// GnuTLS calls this for the certificate that a client showed; anything but 0 ends the handshake.
int verify_client(gnutls_session_t session) {
  gnutls_typed_vdata_st purpose{};
  purpose.type = GNUTLS_DT_KEY_PURPOSE_OID;
  purpose.data = reinterpret_cast<unsigned char*>(const_cast<char*>(GNUTLS_KP_TLS_WWW_CLIENT));
  unsigned status = 0;
  const int code = gnutls_certificate_verify_peers(session, &purpose, 1, &status);
  return code == GNUTLS_E_SUCCESS && status == 0 ? 0 : GNUTLS_E_CERTIFICATE_ERROR;
}

}  // namespace

Result<std::shared_ptr<const TlsCredentials>> TlsCredentials::load(const TlsConfig& config) {
  std::shared_ptr<TlsCredentials> made(new TlsCredentials(config));
  if (auto ok = made->read(); !ok) return ok.error();
  return std::shared_ptr<const TlsCredentials>(std::move(made));
}

Status TlsCredentials::read() {
  if (auto ok = check_readable("cert_file", config_.cert_file); !ok) return ok;
  if (auto ok = check_readable("key_file", config_.key_file); !ok) return ok;
  const auto says = [](int code) { return std::string(gnutls_strerror(code)); };
  if (const int code = gnutls_certificate_allocate_credentials(&certificate_); code < 0)
    return failure(says(code));
  if (const int code = gnutls_certificate_set_x509_key_file2(
          certificate_, config_.cert_file.c_str(), config_.key_file.c_str(), GNUTLS_X509_FMT_PEM, nullptr, 0);
      code < 0) {
    return failure(fmt::format("cannot use cert_file {} with key_file {}: {}", config_.cert_file,
                               config_.key_file, says(code)),
                   "give PEM files that belong together, the key without a password");
  }
  if (!config_.client_ca_file.empty()) {
    if (auto ok = check_readable("client_ca_file", config_.client_ca_file); !ok) return ok;
    const int found = gnutls_certificate_set_x509_trust_file(certificate_, config_.client_ca_file.c_str(),
                                                             GNUTLS_X509_FMT_PEM);
    if (found <= 0) {
      return failure(fmt::format("client_ca_file {} holds no certificate{}", config_.client_ca_file,
                                 found < 0 ? ": " + says(found) : ""),
                     "give a PEM file");
    }
  }
  if (const int code = gnutls_priority_init(&priority_, priority_of(config_).c_str(), nullptr); code < 0)
    return failure(
        fmt::format("this host's GnuTLS does not serve the TLS versions asked for: {}", says(code)));
  return {};
}

TlsCredentials::~TlsCredentials() {
  if (certificate_) gnutls_certificate_free_credentials(certificate_);
  if (priority_) gnutls_priority_deinit(priority_);
}

void TlsCredentials::apply(gnutls_session_t session) const {
  gnutls_priority_set(session, priority_);
  gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, certificate_);
  switch (config_.client_auth) {
    case ClientAuth::NoClientCert:
      gnutls_certificate_server_set_request(session, GNUTLS_CERT_IGNORE);
      return;
    case ClientAuth::RequestClientCert:
      gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST);
      return;
    case ClientAuth::RequireAnyClientCert:
      gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUIRE);
      return;
    case ClientAuth::VerifyClientCertIfGiven:
      gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST);
      break;
    case ClientAuth::RequireAndVerifyClientCert:
      gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUIRE);
      break;
  }
  gnutls_session_set_verify_function(session, verify_client);
}

}  // namespace nettoll::exporter
