// SPDX-License-Identifier: Apache-2.0
// Who may connect, as loaded from the file of --web.config.file and those that it names.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "exporters/prometheus/tls_credentials.h"
#include "exporters/prometheus/web_config.h"

namespace nettoll::exporter {

/// Does not change; a reload makes a new one.
struct WebAccess {
  WebConfig config;
  std::shared_ptr<const TlsCredentials> tls;  ///< null: plain HTTP
  std::string nobody;  ///< a hash that takes as long as the dearest user's; "" without users
};

/// Reads `path`, or gives free access over plain HTTP where that is empty. A file that is wrong is a usage
/// error.
Result<std::shared_ptr<const WebAccess>> load_web_access(const std::string& path);

}  // namespace nettoll::exporter
