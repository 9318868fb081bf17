// SPDX-License-Identifier: Apache-2.0
// What a client may take of the server.
#pragma once

#include <chrono>
#include <cstddef>

namespace nettoll::exporter {

struct HttpLimits {
  /// Open at once. One more costs the one that has waited longest its place.
  size_t connections = 256;
  /// For the head of a request, in bytes; a longer one is answered 431.
  size_t memory = size_t{16} << 10;
  /// What the kernel may hold of a reply that the client does not read, in bytes.
  int send_buffer = 128 << 10;
  /// From the first packet to the end of the first request's head, with the TLS handshake.
  std::chrono::milliseconds first_request{10'000};
  /// From the end of a reply to the end of the next request's head: longer than scrapes are apart.
  std::chrono::milliseconds next_request{90'000};
  /// From the end of a request's head to the end of the reply.
  std::chrono::milliseconds reply{30'000};
};

}  // namespace nettoll::exporter
