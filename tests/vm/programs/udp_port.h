// SPDX-License-Identifier: Apache-2.0
// A UDP port that a program of the guests receives on.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>

#include <cstdint>
#include <cstdlib>

#include "base/unique_fd.h"

/// A socket bound to that port of all addresses; empty, with errno, where that fails.
inline nettoll::UniqueFd udp_port(const char* number) {
  nettoll::UniqueFd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(std::atoi(number)));
  if (fd && ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) < 0) fd.reset();
  return fd;
}
