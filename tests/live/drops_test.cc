// SPDX-License-Identifier: Apache-2.0
// Real drops, each made in a pair of namespaces so many times: reason, function, device, namespace and count
// must be those.
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/capabilities.h"
#include "cli/drop_session.h"
#include "live/frames.h"
#include "live/kernel_counters.h"
#include "live/traffic.h"
#include "model/drop_class.h"

namespace nettoll::live {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr uint16_t kIp = 0x0800, kArp = 0x0806;
constexpr uint16_t kClosed = 9001, kOpen = 9002;

class DropsLive : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_for_netns(); !missing.empty()) GTEST_SKIP() << missing;
    if (auto ok = check_tracing_rights(KernelFs()); !ok) GTEST_SKIP() << ok.error().text();
    auto facts = DropFacts::load();
    if (!facts) GTEST_SKIP() << facts.error().text();
    facts_ = std::move(*facts);
    if (!facts_.reason_argument) GTEST_SKIP() << "this kernel gives no drop reasons";
    VethOptions options;
    options.ipv6 = ::access("/proc/sys/net/ipv6", F_OK) == 0;
    auto pair = VethPair::create(options);
    ASSERT_TRUE(pair) << pair.error().text();
    pair_.emplace(std::move(*pair));
  }

  const VethEnd& a() const { return pair_->a; }
  const VethEnd& b() const { return pair_->b; }

  void must(const Status& status) { ASSERT_TRUE(status) << status.error().text(); }
  /// Runs a command inside an end's namespace; false where it fails.
  static bool command(const VethEnd& end, const std::vector<std::string>& argv) {
    return static_cast<bool>(end.ns.run([&]() -> Status {
      auto done = run_checked(argv);
      if (!done) return done.error();
      return {};
    }));
  }
  static void sysctl(const VethEnd& end, const std::string& name, const std::string& value) {
    const auto ok = end.ns.run([&] { return set_sysctl(name, value); });
    ASSERT_TRUE(ok) << ok.error().text();
  }

  DropFilter at(const VethEnd& end) const {
    DropFilter filter;
    filter.netns = static_cast<uint32_t>(end.ns.inode());
    return filter;
  }
  uint32_t reason(const std::string& name) const {
    for (const auto& [value, text] : facts_.reasons.reasons)
      if (text == name) return value;
    return UINT32_MAX;
  }
  bool has_reason(const std::string& name) const { return reason(name) != UINT32_MAX; }

  Result<DropSession> start(const DropFilter& filter, uint32_t per_second = 1000) {
    return DropSession::start(facts_, filter, per_second, KernelFs());
  }
  /// What was dropped while `body` ran.
  DropWindow window_of(const DropFilter& filter, const std::function<void()>& body,
                       uint32_t per_second = 1000) {
    auto session = start(filter, per_second);
    EXPECT_TRUE(session) << session.error().text();
    if (!session) return {};
    body();
    auto window = session->read({});
    EXPECT_TRUE(window) << window.error().text();
    return window ? std::move(*window) : DropWindow();
  }
  /// The rows of a reason, which must be one.
  static Drops only_row(const DropWindow& window, const std::string& name) {
    std::vector<Drops> rows;
    for (const Drops& row : window.drops)
      if (row.reason == name) rows.push_back(row);
    std::string all;
    for (const Drops& row : window.drops)
      all += fmt::format("{} {} {} {} {}\n", row.reason, row.function, row.protocol, row.device, row.packets);
    EXPECT_EQ(rows.size(), 1u) << "rows of " << name << " among\n" << all;
    return rows.empty() ? Drops() : rows.front();
  }
  static const DropSample* sample_of(const DropWindow& window, const std::string& name) {
    for (const DropSample& sample : window.samples)
      if (sample.drop.reason == name) return &sample;
    return nullptr;
  }
  /// Counts and samples agree on what was dropped where.
  static void expect_sample_like(const DropWindow& window, const Drops& row) {
    const DropSample* sample = sample_of(window, row.reason);
    ASSERT_NE(sample, nullptr) << "no sample of " << row.reason;
    EXPECT_EQ(sample->drop.function, row.function);
    EXPECT_EQ(sample->drop.module, row.module);
    EXPECT_EQ(sample->drop.helper, row.helper);
    EXPECT_EQ(sample->drop.protocol, row.protocol);
    EXPECT_EQ(sample->drop.device, row.device);
    EXPECT_EQ(sample->drop.netns, row.netns);
  }
  void expect_row(const DropWindow& window, const VethEnd& end, const std::string& name, uint64_t packets,
                  const std::string& protocol = "ipv4") {
    const Drops row = only_row(window, name);
    EXPECT_EQ(row.packets, packets) << name;
    EXPECT_EQ(row.device, end.device) << name;
    EXPECT_EQ(row.netns, end.ns.inode()) << name;
    EXPECT_EQ(row.protocol, protocol) << name;
    EXPECT_EQ(row.subsystem, "core") << name;
    EXPECT_EQ(classify(row), DropClass::loss) << name;
    expect_sample_like(window, row);
  }
  static void expect_adds_up(const DropWindow& window) {
    ASSERT_TRUE(window.account);
    const SampleAccount& n = *window.account;
    EXPECT_EQ(n.matched, n.emitted + n.rate_limited + n.ring_full);
    EXPECT_EQ(n.emitted, window.samples.size());
  }
  /// Tables, account and examples all have so many drops.
  static void expect_selected(const DropWindow& window, uint64_t packets) {
    uint64_t counted = 0;
    for (const Drops& row : window.drops) counted += row.packets;
    EXPECT_EQ(counted, packets);
    EXPECT_EQ(window.account->matched, packets);
    EXPECT_EQ(window.samples.size(), packets);
    expect_adds_up(window);
  }
  /// Has all that comes to an end dropped before the stack sees it.
  static Status drop_by_xdp(const VethEnd& end) {
    const bpf_insn drop[] = {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, XDP_DROP},
                             {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
    const UniqueFd program(
        bpf_prog_load(BPF_PROG_TYPE_XDP, "toll_xdp_drop", "GPL", drop, std::size(drop), nullptr));
    if (!program) return system_error("no XDP program can be loaded", errno);
    constexpr uint32_t kGeneric = 1U << 1;  // XDP_FLAGS_SKB_MODE
    return end.ns.run([&]() -> Status {
      const int err = bpf_xdp_attach(static_cast<int>(::if_nametoindex(end.device.c_str())), program.get(),
                                     kGeneric, nullptr);
      return err ? Status(system_error("cannot attach an XDP program", -err)) : Status();
    });
  }
  Ipv4Packet from_a_to_b() const {
    Ipv4Packet ip;
    ip.source = a().ipv4;
    ip.destination = b().ipv4;
    return ip;
  }
  /// A socket in b that nobody reads.
  UniqueFd listener(int type, uint16_t port, int protocol = 0) {
    UniqueFd fd;
    must(b().ns.run([&]() -> Status {
      fd.reset(::socket(AF_INET, type | SOCK_CLOEXEC, protocol));
      sockaddr_in address = {};
      address.sin_family = AF_INET;
      address.sin_port = htons(port);
      if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
        return system_error("cannot bind", errno);
      if (type == SOCK_STREAM && ::listen(fd.get(), 8) != 0) return system_error("cannot listen", errno);
      return {};
    }));
    return fd;
  }

  DropFacts facts_;
  std::optional<VethPair> pair_;
};

TEST_F(DropsLive, NoSocket) {
  const auto window = window_of(at(b()), [&] {
    auto sent = send_udp(a(), b(), {.packets = 700, .open = 0, .closed_port = kClosed});
    ASSERT_TRUE(sent) << sent.error().text();
  });
  expect_row(window, b(), "NO_SOCKET", 700);
  EXPECT_EQ(only_row(window, "NO_SOCKET").function, "__udp4_lib_rcv");
  const DropSample* sample = sample_of(window, "NO_SOCKET");
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->headers.source, a().ipv4);
  EXPECT_EQ(sample->headers.destination, b().ipv4);
  EXPECT_EQ(sample->headers.destination_port, kClosed);
  EXPECT_EQ(sample->transport, "udp");
  EXPECT_TRUE(sample->headers.ethernet);
  EXPECT_EQ(sample->raw.length, 14u + 20 + 8 + 64);
  EXPECT_EQ(sample->headers.headers_size, 14u + 20 + 8) << "no payload";
  EXPECT_EQ(sample->raw.id.netns, b().ns.inode());
  EXPECT_FALSE(sample->raw.task.empty());
  ASSERT_FALSE(sample->stack.empty());
  EXPECT_EQ(sample->stack.front().name, "__udp4_lib_rcv");
  EXPECT_TRUE(sample->in_softirq);
  EXPECT_EQ(window.account->matched, 700u);
  expect_adds_up(window);
}

TEST_F(DropsLive, NoSocketOverIpv6) {
  if (b().ipv6.empty()) GTEST_SKIP() << "this kernel has no IPv6";
  const auto window = window_of(at(b()), [&] {
    auto sent = send_udp(a(), b(), {.packets = 300, .open = 0, .closed_port = kClosed, .ipv6 = true});
    ASSERT_TRUE(sent) << sent.error().text();
  });
  expect_row(window, b(), "NO_SOCKET", 300, "ipv6");
  const DropSample* sample = sample_of(window, "NO_SOCKET");
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->headers.source, a().ipv6);
  EXPECT_EQ(sample->headers.destination_port, kClosed);
}

TEST_F(DropsLive, ReceiveBufferFull) {
  const auto before = read_kernel_counters(b().ns);
  ASSERT_TRUE(before);
  const auto window = window_of(at(b()), [&] {
    auto sent = send_udp(a(), b(), {.packets = 500, .open = 500, .drain = false, .receive_buffer = 4096});
    ASSERT_TRUE(sent) << sent.error().text();
  });
  const auto after = read_kernel_counters(b().ns);
  ASSERT_TRUE(after);
  const auto full = static_cast<uint64_t>(difference(*after, *before).protocol("UdpRcvbufErrors"));
  ASSERT_GT(full, 400u);
  expect_row(window, b(), "SOCKET_RCVBUFF", full);
  EXPECT_THAT(only_row(window, "SOCKET_RCVBUFF").function, HasSubstr("udp"));
}

TEST_F(DropsLive, Netfilter) {
  const bool filtered =
      command(b(), {"nft",
                    "add table ip t; add chain ip t in { type filter hook input priority 0; }; "
                    "add rule ip t in udp dport 9001 drop"}) ||
      command(b(), {"iptables", "-A", "INPUT", "-p", "udp", "--dport", "9001", "-j", "DROP"});
  if (!filtered) GTEST_SKIP() << "neither nft nor iptables works here";
  const auto window = window_of(at(b()), [&] {
    auto sent = send_udp(a(), b(), {.packets = 400, .open = 0, .closed_port = kClosed});
    ASSERT_TRUE(sent) << sent.error().text();
  });
  expect_row(window, b(), "NETFILTER_DROP", 400);
  EXPECT_THAT(only_row(window, "NETFILTER_DROP").function, AnyOf("nf_hook_slow", "nft_do_chain"));
}

TEST_F(DropsLive, TimeToLiveExceeded) {
  sysctl(b(), "net.ipv4.ip_forward", "1");
  ASSERT_TRUE(command(b(), {"ip", "link", "add", "toll-c", "type", "veth", "peer", "name", "toll-d"}));
  ASSERT_TRUE(command(b(), {"ip", "address", "add", "10.98.0.1/24", "dev", "toll-c"}));
  ASSERT_TRUE(command(b(), {"ip", "link", "set", "toll-c", "up"}));
  Ipv4Packet ip = from_a_to_b();
  ip.destination = "10.98.0.2";
  ip.ttl = 1;
  const auto bytes = udp_bytes(ip, 1, 2);
  const auto window = window_of(at(b()), [&] { must(send_frames(a(), b(), kIp, bytes, 60)); });
  expect_row(window, b(), "IP_INHDR", 60);
  EXPECT_EQ(only_row(window, "IP_INHDR").function, "ip_forward");
}

TEST_F(DropsLive, NoRoute) {
  if (!has_reason("IP_INNOROUTES")) GTEST_SKIP() << "this kernel has no such reason";
  sysctl(b(), "net.ipv4.ip_forward", "1");
  Ipv4Packet ip = from_a_to_b();
  ip.destination = "10.97.0.1";
  const auto bytes = udp_bytes(ip, 1, 2);
  const auto window = window_of(at(b()), [&] { must(send_frames(a(), b(), kIp, bytes, 50)); });
  expect_row(window, b(), "IP_INNOROUTES", 50);
  EXPECT_EQ(only_row(window, "IP_INNOROUTES").function, "ip_error");
}

TEST_F(DropsLive, BadUdpChecksum) {
  const auto bytes = udp_bytes(from_a_to_b(), 1, kClosed, false);
  const auto window = window_of(at(b()), [&] { must(send_frames(a(), b(), kIp, bytes, 70)); });
  expect_row(window, b(), "UDP_CSUM", 70);
  EXPECT_EQ(only_row(window, "UDP_CSUM").function, "__udp4_lib_rcv");
}

TEST_F(DropsLive, ReversePathFilter) {
  if (!has_reason("IP_RPFILTER")) GTEST_SKIP() << "this kernel has no such reason";
  // Both must ask for it: the larger of the two counts.
  sysctl(b(), "net.ipv4.conf.all.rp_filter", "1");
  Ipv4Packet ip = from_a_to_b();
  ip.source = "10.96.0.9";
  const auto bytes = udp_bytes(ip, 1, kClosed);
  const auto window = window_of(at(b()), [&] { must(send_frames(a(), b(), kIp, bytes, 30)); });
  expect_row(window, b(), "IP_RPFILTER", 30);
  EXPECT_THAT(only_row(window, "IP_RPFILTER").function, StartsWith("ip_rcv"));
}

TEST_F(DropsLive, UnhandledProtocol) {
  const auto window =
      window_of(at(b()), [&] { must(send_frames(a(), b(), 0x88b5, std::vector<uint8_t>(64, 7), 40)); });
  expect_row(window, b(), "UNHANDLED_PROTO", 40, "0x88b5");
  EXPECT_THAT(only_row(window, "UNHANDLED_PROTO").function, StartsWith("__netif_receive_skb"));
}

/// Packets that a qdisc dropped, as tc tells.
uint64_t qdisc_drops(const VethEnd& end) {
  uint64_t drops = 0;
  const auto ok = end.ns.run([&]() -> Status {
    auto out = run_checked({"tc", "-s", "-j", "qdisc", "show", "dev", end.device});
    if (!out) return out.error();
    // The child has the same drops again.
    for (const auto& qdisc : nlohmann::json::parse(*out))
      if (qdisc.value("root", false)) drops = qdisc.at("drops").get<uint64_t>();
    return {};
  });
  EXPECT_TRUE(ok) << ok.error().text();
  return drops;
}

TEST_F(DropsLive, QdiscDropIsNoFreeHelpers) {
  if (!command(a(), {"tc", "qdisc", "replace", "dev", a().device, "root", "tbf", "rate", "8kbit", "burst",
                     "2000", "limit", "3000"}))
    GTEST_SKIP() << "this kernel has no tbf, or tc is missing";
  const auto window = window_of(at(a()), [&] {
    // What finds no room is an error to the sender, so this need not succeed.
    must(a().ns.run([&]() -> Status {
      const UniqueFd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
      sockaddr_in address = {};
      address.sin_family = AF_INET;
      address.sin_port = htons(kClosed);
      ::inet_pton(AF_INET, b().ipv4.c_str(), &address.sin_addr);
      const std::string payload(500, 'q');
      for (int i = 0; i < 200; ++i)
        (void)::sendto(fd.get(), payload.data(), payload.size(), 0,
                       reinterpret_cast<const sockaddr*>(&address), sizeof(address));
      return {};
    }));
  });
  const uint64_t dropped = qdisc_drops(a());
  ASSERT_GT(dropped, 150u);
  std::string name;
  for (const Drops& row : window.drops)
    if (row.reason.starts_with("QDISC_")) name = row.reason;
  ASSERT_FALSE(name.empty());
  const Drops row = only_row(window, name);
  EXPECT_EQ(row.packets, dropped);
  EXPECT_EQ(row.device, a().device);
  EXPECT_THAT(row.function,
              AnyOf(HasSubstr("dev_queue_xmit"), HasSubstr("dev_xmit_skb"), HasSubstr("enqueue")));
  expect_sample_like(window, row);
}

TEST_F(DropsLive, APurgedQueueIsItsOwners) {
  // Frames wait in a packet socket; closing it frees them through skb_queue_purge_reason.
  UniqueFd fd;
  must(b().ns.run([&]() -> Status {
    fd.reset(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(0x88b5)));
    return fd ? Status() : Status(system_error("cannot open a packet socket", errno));
  }));
  const auto send = [&](unsigned count) {
    must(send_frames(a(), b(), 0x88b5, std::vector<uint8_t>(64, 7), count));
  };
  send(25);
  DropFilter filter;  // a packet socket takes frames off their device
  filter.ethertype = 0x88b5;
  filter.reasons = {reason("QUEUE_PURGE"), reason("NOT_SPECIFIED")};
  auto session = start(filter);
  ASSERT_TRUE(session) << session.error().text();
  // Twice: once for the hash of new kinds, once for the mapped table.
  for (int round = 0; round < 2; ++round) {
    fd.reset();
    const auto window = session->read({});
    ASSERT_TRUE(window) << window.error().text();
    ASSERT_EQ(window->drops.size(), 1u);
    const Drops& row = window->drops.front();
    EXPECT_EQ(row.packets, 25u);
    EXPECT_THAT(row.function, AnyOf("packet_release", "packet_sock_destruct")) << "not " << row.helper;
    EXPECT_THAT(row.helper, StartsWith("skb_queue_purge"));
    expect_sample_like(*window, row);
    const DropSample& sample = window->samples.front();
    EXPECT_EQ(sample.stack.front().name, row.helper) << "the stack still begins where the packet was freed";
    must(b().ns.run([&]() -> Status {
      fd.reset(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(0x88b5)));
      return {};
    }));
    send(25);
    (void)session->read({});
  }
}

TEST_F(DropsLive, NeighbourFailure) {
  if (!has_reason("NEIGH_FAILED")) GTEST_SKIP() << "this kernel has no such reason";
  sysctl(a(), "net.ipv4.neigh." + a().device + ".mcast_solicit", "1");
  sysctl(a(), "net.ipv4.neigh." + a().device + ".retrans_time_ms", "100");
  ASSERT_TRUE(command(a(), {"ip", "link", "set", a().device, "arp", "on"}));
  DropFilter filter = at(a());
  filter.reasons = {reason("NEIGH_FAILED")};
  const auto window = window_of(filter, [&] {
    must(a().ns.run([&]() -> Status {
      const UniqueFd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
      sockaddr_in address = {};
      address.sin_family = AF_INET;
      address.sin_port = htons(kClosed);
      ::inet_pton(AF_INET, "10.99.0.77", &address.sin_addr);
      for (int i = 0; i < 3; ++i)
        (void)::sendto(fd.get(), "x", 1, 0, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
      return {};
    }));
    std::this_thread::sleep_for(std::chrono::milliseconds(2000));
  });
  expect_row(window, a(), "NEIGH_FAILED", 3);
}

TEST_F(DropsLive, TcpToAClosedPort) {
  const auto bytes = tcp_bytes(from_a_to_b(), 1234, kClosed, 0x02);
  DropFilter filter = at(b());
  filter.transports = {IPPROTO_TCP};
  const auto window = window_of(filter, [&] { must(send_frames(a(), b(), kIp, bytes, 20)); });
  expect_row(window, b(), "NO_SOCKET", 20);
  EXPECT_EQ(only_row(window, "NO_SOCKET").function, "tcp_v4_rcv");
  const DropSample* sample = sample_of(window, "NO_SOCKET");
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->tcp_flags, "SYN");
  EXPECT_EQ(sample->headers.source_port, 1234);
}

TEST_F(DropsLive, TcpFlagsThatMakeNoSense) {
  if (!has_reason("TCP_FLAGS")) GTEST_SKIP() << "this kernel has no such reason";
  if (!facts_.socket_argument) GTEST_SKIP() << "this kernel does not tell the socket of a drop";
  const UniqueFd listening = listener(SOCK_STREAM, kOpen);
  const auto bytes = tcp_bytes(from_a_to_b(), 1234, kOpen, 0);
  const auto window = window_of(at(b()), [&] { must(send_frames(a(), b(), kIp, bytes, 15)); });
  const Drops row = only_row(window, "TCP_FLAGS");
  EXPECT_EQ(row.packets, 15u);
  EXPECT_EQ(row.protocol, "ipv4");
  EXPECT_EQ(row.device, "") << "TCP takes packets off their device";
  EXPECT_EQ(row.netns, b().ns.inode()) << "by the socket";
  EXPECT_THAT(row.function, StartsWith("tcp_"));
  EXPECT_NE(row.function, "tcp_drop_reason");
  const DropSample* sample = sample_of(window, "TCP_FLAGS");
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->tcp_flags, "none");
  expect_sample_like(window, row);
}

TEST_F(DropsLive, Xdp) {
  const auto attached = drop_by_xdp(b());
  if (!attached) GTEST_SKIP() << attached.error().text();
  const auto bytes = udp_bytes(from_a_to_b(), 1, kClosed);
  const auto window = window_of(at(b()), [&] { must(send_frames(a(), b(), kIp, bytes, 35)); });
  // Kernels differ in whether generic XDP gives its own reason.
  const std::string name = sample_of(window, "XDP") ? "XDP" : "NOT_SPECIFIED";
  expect_row(window, b(), name, 35);
  EXPECT_THAT(only_row(window, name).function, HasSubstr("xdp"));
  const DropSample* sample = sample_of(window, name);
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->headers.destination_port, kClosed) << "the network header is not set yet where XDP drops";
}

TEST_F(DropsLive, UnixSocketsAreNoise) {
  const auto window = window_of({}, [&] {
    for (int i = 0; i < 8; ++i) {
      int ends[2];
      ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
      ASSERT_EQ(::write(ends[0], "x", 1), 1);
      ::close(ends[1]);
      ::close(ends[0]);
    }
  });
  uint64_t noise = 0;
  for (const Drops& row : window.drops) noise += classify(row) == DropClass::local_socket ? row.packets : 0;
  EXPECT_GE(noise, 8u);
}

TEST_F(DropsLive, FiltersSelect) {
  const auto traffic = [&] {
    must(send_frames(a(), b(), kIp, tcp_bytes(from_a_to_b(), 1, kClosed, 2), 11));
    must(send_frames(a(), b(), kIp, udp_bytes(from_a_to_b(), 1, kClosed), 13));
    must(send_frames(a(), b(), kIp, udp_bytes(from_a_to_b(), 1, kClosed, false), 17));
    must(send_frames(a(), b(), 0x88b5, std::vector<uint8_t>(64, 7), 19));
  };
  const auto matched = [&](const DropFilter& filter) {
    const auto window = window_of(filter, traffic);
    expect_adds_up(window);
    return window.account->matched;
  };
  const auto rows = [&](const DropFilter& filter) {
    uint64_t packets = 0;
    for (const Drops& row : window_of(filter, traffic, 0).drops) packets += row.packets;
    return packets;
  };
  DropFilter filter = at(b());
  EXPECT_EQ(matched(filter), 60u);
  EXPECT_EQ(rows(filter), 60u);
  filter.transports = {IPPROTO_TCP};
  EXPECT_EQ(matched(filter), 11u);
  EXPECT_EQ(rows(filter), 11u);
  filter.transports = {IPPROTO_UDP};
  EXPECT_EQ(matched(filter), 30u);
  EXPECT_EQ(rows(filter), 30u);
  filter.transports = {};
  filter.ethertype = 0x88b5;
  EXPECT_EQ(matched(filter), 19u);
  EXPECT_EQ(rows(filter), 19u);
  filter.ethertype = kArp;
  EXPECT_EQ(matched(filter), 0u);
  filter.ethertype = kIp;
  filter.reasons = {reason("UDP_CSUM"), reason("XDP")};
  EXPECT_EQ(matched(filter), 17u);
  EXPECT_EQ(rows(filter), 17u);
  filter.reasons = {};
  filter.ifindex = 54321;
  EXPECT_EQ(matched(filter), 0u);
  EXPECT_EQ(rows(filter), 0u);
  must(b().ns.run([&]() -> Status {
    filter.ifindex = ::if_nametoindex(b().device.c_str());
    return {};
  }));
  EXPECT_EQ(matched(filter), 41u);
  EXPECT_EQ(matched(at(a())), 11u) << "the answers to the TCP segments find no socket";
}

/// Bytes of an IPv6 packet: these extension headers, then 8 bytes.
std::vector<uint8_t> ipv6_bytes(const VethEnd& from, const VethEnd& to, uint8_t first,
                                const std::vector<uint8_t>& extensions) {
  const auto size = static_cast<uint8_t>(extensions.size() + 8);
  std::vector<uint8_t> bytes{0x60, 0, 0, 0, 0, size, first, 64};
  bytes.resize(40);
  ::inet_pton(AF_INET6, from.ipv6.c_str(), &bytes[8]);
  ::inet_pton(AF_INET6, to.ipv6.c_str(), &bytes[24]);
  bytes.insert(bytes.end(), extensions.begin(), extensions.end());
  const uint8_t udp[] = {0x10, 0, 0x23, 0x29,
                         0,    8, 0,    0};  // port 9001; no checksum, which IPv6 does not allow
  bytes.insert(bytes.end(), std::begin(udp), std::end(udp));
  return bytes;
}

TEST_F(DropsLive, ProtocolsAreFoundBehindExtensionHeaders) {
  if (b().ipv6.empty()) GTEST_SKIP() << "this kernel has no IPv6";
  using Bytes = std::vector<uint8_t>;
  const auto chain = [](size_t count, uint8_t last) {
    Bytes all;
    for (size_t i = 0; i < count; ++i)
      for (const int byte : {i + 1 < count ? 60 : int{last}, 0, 1, 4, 0, 0, 0, 0})
        all.push_back(static_cast<uint8_t>(byte));
    return all;
  };
  const struct {
    const char* name;
    uint8_t first;
    Bytes extensions;
    bool found;
  } cases[] = {
      {"none", 17, {}, true},
      {"hop-by-hop options", 0, {17, 0, 1, 4, 0, 0, 0, 0}, true},
      {"destination options", 60, {17, 0, 1, 4, 0, 0, 0, 0}, true},
      {"routing", 43, {17, 0, 4, 0, 0, 0, 0, 0}, true},
      {"fragment that is whole", 44, {17, 0, 0, 0, 0, 0, 0, 1}, true},
      {"authentication", 51, {17, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}, true},
      {"eight", 60, chain(8, 17), true},
      {"nine", 60, chain(9, 17), false},
      {"destination options, then TCP", 60, chain(1, 6), false},
  };
  constexpr uint16_t kIpv6 = 0x86dd;
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    DropFilter filter = at(b());
    filter.transports = {IPPROTO_UDP};
    const auto window = window_of(
        filter, [&] { must(send_frames(a(), b(), kIpv6, ipv6_bytes(a(), b(), c.first, c.extensions), 6)); });
    expect_selected(window, c.found ? 6 : 0);
    for (const DropSample& sample : window.samples) EXPECT_EQ(sample.transport, "udp") << sample.flow;
  }
}

/// A UDP datagram behind a tag of 802.1Q.
std::vector<uint8_t> tagged_bytes(const Ipv4Packet& ip) {
  const auto udp = udp_bytes(ip, 1, kClosed);
  std::vector<uint8_t> bytes{0, 5, 0x81, 0, 0, 6, 0x08, 0};
  bytes.insert(bytes.end(), udp.begin(), udp.end());
  return bytes;
}

TEST_F(DropsLive, ProtocolsAreFoundInAndBehindVlanTags) {
  const auto frames = [&] { must(send_frames(a(), b(), 0x88a8, tagged_bytes(from_a_to_b()), 50)); };
  // On reception the kernel takes the outer tag off.
  for (const auto& [ethertype, found] :
       {std::pair{0x8100, true}, {0x0800, true}, {0x88a8, false}, {0x86dd, false}, {0, false}}) {
    SCOPED_TRACE(ethertype);
    DropFilter filter = at(b());
    filter.ethertype = static_cast<uint16_t>(ethertype);
    const auto window = window_of(filter, frames);
    expect_selected(window, found ? 50 : 0);
    for (const DropSample& sample : window.samples) {
      EXPECT_EQ(sample.drop.protocol, "0x8100") << "what the kernel takes the packet as";
      EXPECT_EQ(sample.transport, "udp");
    }
  }
  for (const uint8_t transport : {IPPROTO_UDP, IPPROTO_TCP}) {
    SCOPED_TRACE(+transport);
    DropFilter filter = at(b());
    filter.transports = {transport};
    expect_selected(window_of(filter, frames), transport == IPPROTO_UDP ? 50 : 0);
  }
}

TEST_F(DropsLive, ProtocolsAreFoundBehindTwoVlanTags) {
  const auto attached = drop_by_xdp(b());
  if (!attached) GTEST_SKIP() << attached.error().text();
  for (const uint16_t ethertype : {0x88a8, 0x8100, 0x0800, 0x86dd}) {
    SCOPED_TRACE(ethertype);
    DropFilter filter = at(b());
    filter.ethertype = ethertype;
    const auto window =
        window_of(filter, [&] { must(send_frames(a(), b(), 0x88a8, tagged_bytes(from_a_to_b()), 9)); });
    expect_selected(window, ethertype == 0x86dd ? 0 : 9);
    for (const DropSample& sample : window.samples) EXPECT_EQ(sample.transport, "udp") << sample.flow;
  }
}

TEST_F(DropsLive, TheRateIsALimit) {
  DropFilter filter = at(b());
  filter.reasons = {reason("NO_SOCKET")};
  const auto window = window_of(
      filter,
      [&] {
        auto sent = send_udp(a(), b(), {.packets = 30'000, .open = 0, .closed_port = kClosed});
        ASSERT_TRUE(sent) << sent.error().text();
      },
      5);
  EXPECT_EQ(window.account->matched, 30'000u);
  expect_adds_up(window);
  const auto seconds = static_cast<uint64_t>(window.duration_ns / 1'000'000'000 + 1);
  EXPECT_GE(window.samples.size(), 5u);
  EXPECT_LE(window.samples.size(), 5 * seconds + 5);
  EXPECT_EQ(window.account->ring_full, 0u);
}

TEST_F(DropsLive, AFullRingIsCounted) {
  DropFilter filter = at(b());
  filter.reasons = {reason("NO_SOCKET")};
  const auto window = window_of(
      filter,
      [&] {
        auto sent = send_udp(a(), b(), {.packets = 60'000, .open = 0, .closed_port = kClosed});
        ASSERT_TRUE(sent) << sent.error().text();
      },
      1'000'000);
  EXPECT_EQ(window.account->matched, 60'000u);
  EXPECT_GT(window.account->ring_full, 0u) << "a ring of 16 MiB holds less than that";
  EXPECT_EQ(window.account->rate_limited, 0u);
  expect_adds_up(window);
  EXPECT_EQ(only_row(window, "NO_SOCKET").packets, 60'000u) << "counts do not depend on samples";
}

/// Runs nettoll drops around `body`, which must be done within its time.
Finished drops_command(std::vector<std::string> arguments, const std::function<void()>& body) {
  std::vector<std::string> argv{NETTOLL_BINARY, "drops"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  auto child = ChildProcess::start(argv);
  if (!child) throw std::runtime_error(child.error().text());
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  body();
  auto done = child->wait(std::chrono::seconds(60));
  if (!done) throw std::runtime_error(done.error().text());
  return *done;
}

TEST_F(DropsLive, TheCommandWritesACaptureThatTcpdumpReads) {
  char folder[] = "/tmp/nettoll-drops-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  const std::string file = std::string(folder) + "/drops.pcapng";
  const auto done = drops_command(
      {"-d", "4", "--json", "--netns", std::to_string(b().ns.inode()), "--samples", "1000", "--pcap", file},
      [&] {
        must(send_frames(a(), b(), kIp, tcp_bytes(from_a_to_b(), 4321, kClosed, 2), 6));
        must(send_frames(a(), b(), kIp, udp_bytes(from_a_to_b(), 1, kClosed), 5));
      });
  EXPECT_EQ(done.status, 0) << done.err;
  const auto json = nlohmann::json::parse(done.out);
  EXPECT_EQ(json.at("samples").at("matched"), 11);
  EXPECT_EQ(json.at("samples").at("emitted"), 11);
  EXPECT_EQ(json.at("loss").at("packets"), 11);
  EXPECT_EQ(json.at("examples").size(), 11u);
  EXPECT_EQ(json.at("examples").at(0).at("source"), a().ipv4);
  EXPECT_THAT(done.err, HasSubstr("11 packets written"));
  auto read = run({"tcpdump", "-nr", file});
  ::unlink(file.c_str());
  ::rmdir(folder);
  if (!read) GTEST_SKIP() << "tcpdump is missing";
  EXPECT_EQ(read->status, 0) << read->err;
  EXPECT_EQ(std::count(read->out.begin(), read->out.end(), '\n'), 11) << read->out;
  EXPECT_THAT(read->out, HasSubstr("10.99.0.1.4321 > 10.99.0.2.9001: Flags [S]"));
  EXPECT_THAT(read->out, HasSubstr("10.99.0.1.1 > 10.99.0.2.9001: UDP"));
}

TEST_F(DropsLive, TheCommandShowsTablesAndExamples) {
  const auto done = drops_command({"-d", "3", "--netns", b().ns.path()}, [&] {
    must(send_frames(a(), b(), kIp, udp_bytes(from_a_to_b(), 7, kClosed), 25));
  });
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("Lost: 25 packets"));
  EXPECT_THAT(done.out, ::testing::ContainsRegex(
                            "NO_SOCKET +core +__udp4_lib_rcv +vmlinux +ipv4 +toll-b +[0-9]+ +25 "));
  EXPECT_THAT(done.out, HasSubstr("10.99.0.1:7 > 10.99.0.2:9001 udp"));
  EXPECT_THAT(done.out,
              HasSubstr("Samples: 25 drops matched, 10 sampled, 10 shown, 15 over the rate limit, 0 lost"));
}

}  // namespace
}  // namespace nettoll::live
