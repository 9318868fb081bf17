// SPDX-License-Identifier: Apache-2.0
// A reading of this very host. Needs no root.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>

#include "host/live_ethtool.h"
#include "host/live_route.h"
#include "host/read_host.h"
#include "host/window.h"

namespace nettoll::live {
namespace {

class HostStateLive : public ::testing::Test {
 protected:
  static HostState read() {
    auto ethtool = LiveEthtool::open();
    auto route = LiveRoute::open();
    if (!ethtool) throw std::runtime_error(ethtool.error().text());
    if (!route) throw std::runtime_error(route.error().text());
    auto state = read_host(KernelFs(), *ethtool, *route);
    if (!state) throw std::runtime_error(state.error().text());
    return std::move(*state);
  }
  static const Nic* device(const HostState& state, const std::string& name) {
    const auto found =
        std::find_if(state.nics.begin(), state.nics.end(), [&](const Nic& nic) { return nic.name == name; });
    return found == state.nics.end() ? nullptr : &*found;
  }
};

/// Sockets of 127.0.0.1: `receiver` listens, `sender` is connected to it.
struct Loopback {
  UniqueFd receiver{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  UniqueFd sender{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  uint16_t port = 0;

  bool connect(int receive_buffer) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::setsockopt(receiver.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer)) != 0)
      return false;
    if (::bind(receiver.get(), generic, length) != 0 || ::getsockname(receiver.get(), generic, &length) != 0)
      return false;
    port = ntohs(address.sin_port);
    return ::connect(sender.get(), generic, length) == 0;
  }
  bool send(int packets) const {
    const char payload[64] = {};
    for (int i = 0; i < packets; ++i) {
      if (::send(sender.get(), payload, sizeof(payload), 0) < 0) return false;
    }
    return true;
  }
};

TEST_F(HostStateLive, KnowsLoAndTheCpus) {
  const HostState state = read();
  const Nic* const lo = device(state, "lo");
  ASSERT_NE(lo, nullptr);
  EXPECT_EQ(lo->ifindex, 1u);
  EXPECT_FALSE(lo->physical);
  EXPECT_EQ(lo->driver, "");
  EXPECT_EQ(lo->rx_queues.size(), 1u);
  EXPECT_FALSE(lo->channels);
  EXPECT_EQ(lo->channels.reason, "Operation not supported");
  EXPECT_FALSE(lo->statistics);
  EXPECT_GT(lo->features.size(), 20u);
  EXPECT_TRUE(lo->features.contains("rx-gro"));
  if (lo->up) {
    EXPECT_FALSE(lo->qdiscs.empty());
  }

  const auto online = KernelFs().online_cpus();
  ASSERT_TRUE(online);
  ASSERT_EQ(state.cpus.size(), online->size());
  for (const HostCpu& cpu : state.cpus) {
    EXPECT_TRUE(online->contains(cpu.id));
    ASSERT_TRUE(cpu.softnet);
    EXPECT_TRUE(cpu.softirqs.contains("NET_RX"));
    ASSERT_TRUE(cpu.times);
    EXPECT_GT(cpu.times->total(), 0u);
  }
  EXPECT_TRUE(state.protocols.contains("Udp.RcvbufErrors"));
  EXPECT_TRUE(state.settings.rmem_max);
}

TEST_F(HostStateLive, WindowCountsWhatWasSentOverLo) {
  const HostState before = read();
  const Nic* const lo = device(before, "lo");
  if (!lo || !lo->up) GTEST_SKIP() << "lo is down";
  Loopback loopback;
  ASSERT_TRUE(loopback.connect(1 << 20));
  constexpr int kPackets = 500;
  ASSERT_TRUE(loopback.send(kPackets));
  const HostState state = window(before, read(), 1);
  const Nic* const counted = device(state, "lo");
  ASSERT_NE(counted, nullptr);
  // Others may use it too.
  EXPECT_GE(counted->link.tx_packets, static_cast<uint64_t>(kPackets));
  EXPECT_GE(counted->link.rx_packets, static_cast<uint64_t>(kPackets));
  EXPECT_LT(counted->link.rx_packets, lo->link.rx_packets + 1'000'000);
  EXPECT_GE(state.protocols.at("Udp.OutDatagrams"), static_cast<uint64_t>(kPackets));
  uint64_t processed = 0, net_rx = 0;
  for (const HostCpu& cpu : state.cpus) {
    processed += cpu.softnet ? cpu.softnet->processed : 0;
    net_rx += cpu.softirqs.contains("NET_RX") ? cpu.softirqs.at("NET_RX") : 0;
  }
  EXPECT_GE(processed, static_cast<uint64_t>(kPackets));
  EXPECT_GT(net_rx, 0u);
}

TEST_F(HostStateLive, ASocketThatIsNotReadIsThisPrograms) {
  const HostState before = read();
  const Nic* const lo = device(before, "lo");
  if (!lo || !lo->up) GTEST_SKIP() << "lo is down";
  Loopback loopback;
  ASSERT_TRUE(loopback.connect(1));  // the kernel's least
  ASSERT_TRUE(loopback.send(200));
  const HostState state = window(before, read(), 1);
  const auto socket = std::find_if(state.udp.begin(), state.udp.end(), [&](const UdpSocket& row) {
    return !row.ipv6 && row.port == loopback.port;
  });
  ASSERT_NE(socket, state.udp.end());
  EXPECT_GT(socket->queued_bytes, 0u);
  EXPECT_GT(socket->drops, 0u);
  EXPECT_LT(socket->drops, 200u);
  const auto comm = KernelFs().read_line("/proc/self/comm");
  ASSERT_TRUE(comm);
  EXPECT_EQ(socket->process, *comm);
  EXPECT_GE(state.protocols.at("Udp.RcvbufErrors"), socket->drops);
}

TEST_F(HostStateLive, NicsOfThisHostHaveTheirVectorsAndQueues) {
  const HostState state = read();
  bool any = false;
  for (const Nic& nic : state.nics) {
    if (!nic.physical || !nic.up) continue;
    any = true;
    EXPECT_FALSE(nic.driver.empty()) << nic.name;
    EXPECT_FALSE(nic.rx_queues.empty()) << nic.name;
    if (nic.driver != "virtio_net") continue;
    const bool receives = std::any_of(nic.vectors.begin(), nic.vectors.end(), [](const Vector& vector) {
      return vector.role == Vector::Role::rx || vector.role == Vector::Role::both;
    });
    EXPECT_TRUE(nic.vectors.empty() || receives) << nic.name;
    EXPECT_TRUE(nic.channels) << nic.channels.reason;
    EXPECT_TRUE(nic.statistics) << nic.statistics.reason;
  }
  if (!any) GTEST_SKIP() << "no NIC is up here";
}

TEST_F(HostStateLive, AnUnknownDevice) {
  auto ethtool = LiveEthtool::open();
  ASSERT_TRUE(ethtool);
  EXPECT_EQ(ethtool->channels("nosuchdevice").error().code, ENODEV);
  EXPECT_EQ(ethtool->statistics("a-name-that-is-too-long-for-linux").error().code, ENODEV);
}

}  // namespace
}  // namespace nettoll::live
