// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/basic_auth.h"

#include <gnutls/gnutls.h>
#include <strings.h>

#include <algorithm>

namespace nettoll::exporter {

std::optional<Credentials> parse_basic_auth(std::string_view header) {
  constexpr std::string_view kScheme = "Basic ";
  if (header.size() <= kScheme.size() || ::strncasecmp(header.data(), kScheme.data(), kScheme.size()) != 0)
    return std::nullopt;
  header.remove_prefix(std::min(header.find_first_not_of(' ', kScheme.size()), header.size()));
  const gnutls_datum_t coded{reinterpret_cast<unsigned char*>(const_cast<char*>(header.data())),
                             static_cast<unsigned>(header.size())};
  gnutls_datum_t plain{};
  if (header.empty() || gnutls_base64_decode2(&coded, &plain) != GNUTLS_E_SUCCESS) return std::nullopt;
  std::string pair(reinterpret_cast<const char*>(plain.data), plain.size);
  gnutls_memset(plain.data, 0, plain.size);
  gnutls_free(plain.data);
  const size_t colon = pair.find(':');
  if (colon == std::string::npos) return std::nullopt;
  return Credentials{pair.substr(0, colon), pair.substr(colon + 1)};
}

}  // namespace nettoll::exporter
