// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/web_access.h"

#include <algorithm>

#include "base/settings_file.h"
#include "exporters/prometheus/bcrypt.h"

namespace nettoll::exporter {

Result<std::shared_ptr<const WebAccess>> load_web_access(const std::string& path) {
  auto access = std::make_shared<WebAccess>();
  if (path.empty()) return std::shared_ptr<const WebAccess>(std::move(access));
  const auto text = read_settings_file(path);
  if (!text) return usage_error("--web.config.file: " + text.error().message, text.error().remedy);
  auto config = parse_web_config(*text, path);
  if (!config) return config.error();
  access->config = std::move(*config);
  if (access->config.tls) {
    auto tls = TlsCredentials::load(*access->config.tls);
    if (!tls) return usage_error(fmt::format("{}: {}", path, tls.error().message), tls.error().remedy);
    access->tls = std::move(*tls);
  }
  int cost = 0;
  for (const auto& [user, hash] : access->config.users) cost = std::max(cost, bcrypt_cost(hash));
  if (cost > 0) access->nobody = hash_of_nobody(cost);
  return std::shared_ptr<const WebAccess>(std::move(access));
}

}  // namespace nettoll::exporter
