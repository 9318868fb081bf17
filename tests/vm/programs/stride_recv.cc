// SPDX-License-Identifier: Apache-2.0
// Receives datagrams into one place of a buffer after the other, so that the kernel's copy to user memory
// meets a page that the TLB has not got, or, with a stride of 0, always the same.
//
//   stride_recv DATAGRAMS MEGABYTES STRIDE
//
// The datagrams come from the program itself, over loopback. Prints how many were received.
#include <arpa/inet.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/unique_fd.h"

namespace {

using nettoll::Mapping;
using nettoll::UniqueFd;

constexpr size_t kPieces = 64, kPiece = 16, kPayload = kPieces * kPiece;

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
  if (argc != 4) {
    std::fprintf(stderr, "usage: stride_recv DATAGRAMS MEGABYTES STRIDE\n");
    return 2;
  }
  const long datagrams = std::atol(argv[1]);
  const size_t span = static_cast<size_t>(std::atol(argv[2])) << 20,
               stride = static_cast<size_t>(std::atol(argv[3]));
  const size_t step = stride ? stride : kPiece;  // from piece to piece
  if (step < kPiece || span < kPieces * step + kPiece) {
    std::fprintf(stderr, "stride_recv: the buffer is too small, or the stride\n");
    return 2;
  }
  const Mapping buffer = make_buffer(span);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const UniqueFd fd = make_socket(address);
  const char payload[kPayload] = {};
  size_t at = 0;
  long received = 0;
  for (long i = 0; i < datagrams; ++i) {
    if (::sendto(fd.get(), payload, kPayload, 0, reinterpret_cast<sockaddr*>(&address), sizeof(address)) < 0)
      die("sendto");
    iovec pieces[kPieces];
    for (iovec& piece : pieces) {
      piece = {static_cast<char*>(buffer.data()) + at, kPiece};
      at = (at + step) % (span - kPiece);
    }
    if (!stride) at = 0;
    msghdr message = {};
    message.msg_iov = pieces;
    message.msg_iovlen = kPieces;
    if (::recvmsg(fd.get(), &message, 0) != static_cast<ssize_t>(kPayload)) die("recvmsg");
    ++received;
  }
  std::printf("received %ld\n", received);
  return 0;
}
