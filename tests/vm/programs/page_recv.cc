// SPDX-License-Identifier: Apache-2.0
// Receives datagrams of one size into one place of a large buffer after the other. A small one lies in one
// page, a large one strides over many, which the TLB has not got: the kernel's copy to user memory then
// misses at each.
//
//   page_recv DATAGRAMS BYTES
//
// The datagrams come from the program itself, over loopback. Prints how many were received.
#include <arpa/inet.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/unique_fd.h"

namespace {

using nettoll::Mapping;
using nettoll::UniqueFd;

constexpr size_t kSpan = size_t{64} << 20, kPage = 4096, kLargest = size_t{60} * 1024;

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

/// Small pages, all of them there: a page fault is not to be mistaken for a TLB miss.
Mapping make_buffer(size_t bytes) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) die("mmap");
  ::madvise(data, bytes, MADV_NOHUGEPAGE);
  std::memset(data, 1, bytes);
  return Mapping(data, bytes);
}

UniqueFd make_socket(sockaddr_in& address) {
  UniqueFd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  socklen_t size = sizeof(address);
  if (!fd || ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size) < 0 ||
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size) < 0)
    die("socket");
  return fd;
}

}  // namespace

int main(int argc, char** argv) {
  const long datagrams = argc == 3 ? std::atol(argv[1]) : 0, bytes = argc == 3 ? std::atol(argv[2]) : 0;
  if (datagrams <= 0 || bytes <= 0 || static_cast<size_t>(bytes) > kLargest) {
    std::fprintf(stderr, "usage: page_recv DATAGRAMS BYTES, of which %zu at most\n", kLargest);
    return 2;
  }
  const auto size = static_cast<size_t>(bytes);
  const Mapping buffer = make_buffer(kSpan);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const UniqueFd fd = make_socket(address);
  const std::vector<char> payload(size);
  const size_t step = (size + kPage - 1) / kPage * kPage;
  size_t at = 0;
  long received = 0;
  for (; received < datagrams; ++received) {
    if (::sendto(fd.get(), payload.data(), size, 0, reinterpret_cast<sockaddr*>(&address), sizeof(address)) <
        0)
      die("sendto");
    if (::recv(fd.get(), static_cast<char*>(buffer.data()) + at, size, 0) != bytes) die("recv");
    at = (at + step) % (kSpan - kLargest);
  }
  std::printf("received %ld\n", received);
  return 0;
}
