// SPDX-License-Identifier: Apache-2.0
// Text as a label value may hold it.
#pragma once

#include <string>
#include <string_view>

namespace nettoll::exporter {

/// `text` as valid UTF-8: each byte that is none becomes U+FFFD. One invalid label value makes Prometheus
/// refuse the whole scrape, and the kernel lets any byte but a few into a device's name (dev_valid_name,
/// net/core/dev.c). Escaping is the serializer's.
std::string label_value(std::string_view text);

}  // namespace nettoll::exporter
