// SPDX-License-Identifier: Apache-2.0
// Questions to the kernel by netlink(7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll {

/// A socket of one netlink family, of the namespace that the thread was in when it was opened.
class NetlinkSocket {
 public:
  /// `protocol` is NETLINK_ROUTE or another of linux/netlink.h.
  static Result<NetlinkSocket> open(int protocol);

  /// Takes what follows nlmsghdr in one message.
  using Take = std::function<void(uint16_t type, std::span<const std::byte> payload)>;

  /// Asks for a dump and hands on each message of it. Waits a few seconds at most. Fails with EAGAIN where
  /// the kernel says that what it dumped changed meanwhile (NLM_F_DUMP_INTR): what was taken is then not to
  /// be used.
  Status dump(uint16_t type, std::span<const std::byte> request, const Take& take);
  /// Asks for one thing: the answer, or the kernel's refusal as the error's code.
  Status ask(uint16_t type, std::span<const std::byte> request, const Take& take);

 private:
  explicit NetlinkSocket(UniqueFd socket) : socket_(std::move(socket)) {}
  Status exchange(uint16_t type, uint16_t flags, std::span<const std::byte> request, const Take& take);

  UniqueFd socket_;
  uint32_t sequence_ = 0;
};

}  // namespace nettoll
