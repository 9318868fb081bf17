// SPDX-License-Identifier: Apache-2.0
#include "host/proc_net_udp.h"

#include <optional>

#include "host/text.h"

namespace nettoll {
namespace {

std::string_view after_colon(std::string_view word) {
  const size_t colon = word.rfind(':');
  return colon == std::string_view::npos ? std::string_view{} : word.substr(colon + 1);
}

/// "sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode ref pointer
/// drops"
std::optional<UdpSocket> parse_row(const std::vector<std::string_view>& words) {
  constexpr size_t kLocal = 1, kQueues = 4, kInode = 9, kDrops = 12, kColumns = 13;
  if (words.size() != kColumns) return std::nullopt;
  const auto port = number_of<uint16_t>(after_colon(words[kLocal]), 16);
  const auto queued = number_of(after_colon(words[kQueues]), 16);
  const auto inode = number_of(words[kInode]);
  const auto drops = number_of(words[kDrops]);
  if (!port || !queued || !inode || !drops) return std::nullopt;
  UdpSocket socket;
  socket.port = *port;
  socket.inode = *inode;
  socket.queued_bytes = *queued;
  socket.drops = *drops;
  return socket;
}

}  // namespace

Result<UdpTable> parse_udp(std::string_view text, bool ipv6) {
  const std::vector<std::string_view> head = words_of(take_line(text));
  if (head.size() < 2 || head.front() != "sl" || head.back() != "drops")
    return failure("its first line is not that of a table of UDP sockets");
  UdpTable table;
  while (!text.empty()) {
    const std::vector<std::string_view> words = words_of(take_line(text));
    if (words.empty()) continue;
    auto socket = parse_row(words);
    if (!socket) {
      ++table.skipped;
    } else if (socket->drops > 0 || socket->queued_bytes > 0) {
      socket->ipv6 = ipv6;
      table.sockets.push_back(std::move(*socket));
    }
  }
  return table;
}

}  // namespace nettoll
