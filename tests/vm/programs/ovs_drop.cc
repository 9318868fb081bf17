// SPDX-License-Identifier: Apache-2.0
// Makes openvswitch drop an exact number of packets for a reason of its own: each has a flow without actions
// (OVS_DROP_LAST_ACTION). Needs the module, and root.
//
//   ovs_drop PACKETS
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/openvswitch.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "base/unique_fd.h"

namespace {

using nettoll::UniqueFd;

constexpr char kDatapath[] = "ovs0";

[[noreturn]] void die(const char* what, int code) {
  std::fprintf(stderr, "ovs_drop: %s: %s\n", what, std::strerror(code));
  std::exit(1);
}

/// A request of generic netlink (linux/genetlink.h), answered by an acknowledgement.
class Request {
 public:
  Request(uint16_t family, uint8_t command, uint8_t version) {
    append(nlmsghdr{0, family, NLM_F_REQUEST | NLM_F_ACK, 0, 0});
    append(genlmsghdr{command, version, 0});
  }
  template <typename T>
  void append(const T& value) {
    append_bytes(&value, sizeof(value));
  }
  void attribute(uint16_t type, const void* data, size_t size) {
    append(nlattr{static_cast<uint16_t>(NLA_HDRLEN + size), type});
    append_bytes(data, size);
  }
  std::span<const char> finish() {
    const auto size = static_cast<uint32_t>(bytes_.size());
    std::memcpy(bytes_.data(), &size, sizeof(size));  // nlmsg_len
    return bytes_;
  }

 private:
  void append_bytes(const void* data, size_t size) {
    const auto* begin = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
    bytes_.resize(NLMSG_ALIGN(bytes_.size()));
  }
  std::vector<char> bytes_;
};

/// Sends, and waits for the acknowledgement. Returns the errno in it, and the number that an answer before it
/// has under `wanted`.
struct Answer {
  int code = 0;
  uint16_t number = 0;
};
Answer ask(const UniqueFd& socket, Request& request, uint16_t wanted = 0) {
  const auto bytes = request.finish();
  if (::send(socket.get(), bytes.data(), bytes.size(), 0) < 0) die("send", errno);
  Answer answer;
  alignas(nlmsghdr) std::array<char, 16384> buffer;
  while (true) {
    const ssize_t got = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
    if (got < 0) die("recv", errno);
    auto left = static_cast<unsigned>(got);
    for (auto* head = reinterpret_cast<nlmsghdr*>(buffer.data()); NLMSG_OK(head, left);
         head = NLMSG_NEXT(head, left)) {
      auto* data = static_cast<char*>(NLMSG_DATA(head));
      if (head->nlmsg_type == NLMSG_ERROR) {
        answer.code = -reinterpret_cast<nlmsgerr*>(data)->error;
        return answer;
      }
      const char* end = reinterpret_cast<char*>(head) + head->nlmsg_len;
      for (char* at = data + GENL_HDRLEN; at + NLA_HDRLEN <= end;) {
        const auto* attribute = reinterpret_cast<nlattr*>(at);
        if (attribute->nla_type == wanted)
          std::memcpy(&answer.number, at + NLA_HDRLEN, sizeof(answer.number));
        at += NLA_ALIGN(attribute->nla_len);
      }
    }
  }
}

uint16_t family_id(const UniqueFd& socket, const char* name) {
  Request request(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1);
  request.attribute(CTRL_ATTR_FAMILY_NAME, name, std::strlen(name) + 1);
  const Answer answer = ask(socket, request, CTRL_ATTR_FAMILY_ID);
  if (answer.code) die(name, answer.code);
  return answer.number;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) die("usage: ovs_drop PACKETS", EINVAL);
  const UniqueFd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC));
  if (!socket) die("socket", errno);
  const uint16_t datapaths = family_id(socket, OVS_DATAPATH_FAMILY),
                 packets = family_id(socket, OVS_PACKET_FAMILY);

  Request make(datapaths, OVS_DP_CMD_NEW, OVS_DATAPATH_VERSION);
  make.append(ovs_header{0});
  make.attribute(OVS_DP_ATTR_NAME, kDatapath, sizeof(kDatapath));
  const uint32_t nobody = 0;
  make.attribute(OVS_DP_ATTR_UPCALL_PID, &nobody, sizeof(nobody));
  if (const int code = ask(socket, make).code; code && code != EEXIST) die("cannot make a datapath", code);

  const std::array<unsigned char, 64> frame = {2, 0, 0, 0, 0, 1,    2,
                                               0, 0, 0, 0, 2, 0x88, 0xb5};  // local experimental
  for (long i = 0; i < std::atol(argv[1]); ++i) {
    Request execute(packets, OVS_PACKET_CMD_EXECUTE, OVS_PACKET_VERSION);
    execute.append(ovs_header{static_cast<int>(::if_nametoindex(kDatapath))});
    execute.attribute(OVS_PACKET_ATTR_PACKET, frame.data(), frame.size());
    execute.attribute(OVS_PACKET_ATTR_KEY | NLA_F_NESTED, nullptr, 0);
    execute.attribute(OVS_PACKET_ATTR_ACTIONS | NLA_F_NESTED, nullptr, 0);
    if (const int code = ask(socket, execute).code) die("cannot execute", code);
  }
  return 0;
}
