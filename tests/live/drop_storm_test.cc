// SPDX-License-Identifier: Apache-2.0
// Drops of random kinds at the highest rate that one sender makes: counted to the unit, samples that were
// lost counted, memory flat. Ten seconds long; NETTOLL_STORM_SECONDS makes it longer.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/if_packet.h>
#include <malloc.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <thread>

#include "base/capabilities.h"
#include "cli/drop_session.h"
#include "live/frames.h"

namespace nettoll::live {
namespace {

using Clock = std::chrono::steady_clock;

/// Packets that are dropped for a reason each.
struct Kind {
  std::string reason;
  uint16_t ethertype;
  std::vector<uint8_t> bytes;
  uint64_t sent = 0;
};

std::vector<Kind> kinds_of_drops(const VethEnd& from, const VethEnd& to) {
  Ipv4Packet ip;
  ip.source = from.ipv4;
  ip.destination = to.ipv4;
  constexpr uint16_t kIp = 0x0800, kClosed = 9001;
  std::vector<uint8_t> damaged = udp_bytes(ip, 1, kClosed);
  damaged[10] ^= 0xff;  // the header's checksum
  std::vector<uint8_t> unknown =
      ipv4_bytes({from.ipv4, to.ipv4, 253, 64, std::vector<uint8_t>(16, 'x')});  // RFC 3692: for experiments
  return {{"NO_SOCKET", kIp, udp_bytes(ip, 1, kClosed)},
          {"UDP_CSUM", kIp, udp_bytes(ip, 1, kClosed, false)},
          {"IP_CSUM", kIp, damaged},
          {"IP_NOPROTO", kIp, unknown},
          {"UNHANDLED_PROTO", 0x88b5, std::vector<uint8_t>(64, 'x')}};
}

/// Sends batches of kinds chosen at random until `stop`.
Status send_at_random(const VethEnd& from, const VethEnd& to, std::vector<Kind>& kinds,
                      const std::atomic<bool>& stop) {
  return from.ns.run([&]() -> Status {
    const UniqueFd fd(::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!fd) return system_error("cannot open a packet socket", errno);
    sockaddr_ll address = link_address(from, to, 0);
    std::mt19937 random(7);
    std::uniform_int_distribution<size_t> any_kind(0, kinds.size() - 1);
    std::uniform_int_distribution<unsigned> any_size(1, 64);
    std::array<mmsghdr, 64> messages = {};
    while (!stop.load(std::memory_order_relaxed)) {
      Kind& kind = kinds[any_kind(random)];
      address.sll_protocol = htons(kind.ethertype);
      iovec bytes = {kind.bytes.data(), kind.bytes.size()};
      for (auto& message : messages) {
        message.msg_hdr = {};
        message.msg_hdr.msg_name = &address;
        message.msg_hdr.msg_namelen = sizeof(address);
        message.msg_hdr.msg_iov = &bytes;
        message.msg_hdr.msg_iovlen = 1;
      }
      const int sent = ::sendmmsg(fd.get(), messages.data(), any_size(random), 0);
      if (sent < 0 && errno != ENOBUFS) return system_error("cannot send", errno);
      if (sent > 0) kind.sent += static_cast<uint64_t>(sent);
    }
    return {};
  });
}

/// Resident memory that belongs to no file, in kB (proc_pid_status(5)).
long resident_kb() {
  std::FILE* file = std::fopen("/proc/self/status", "re");
  char line[256];
  long kb = 0;
  while (file && std::fgets(line, sizeof(line), file)) std::sscanf(line, "RssAnon: %ld", &kb);
  if (file) std::fclose(file);
  return kb;
}

/// Bytes of the heap that are in use: what a reader keeps from one window to the next.
size_t heap_in_use() {
  const struct mallinfo2 heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

int open_descriptors() {
  int count = 0;
  for (int fd = 0; fd < 1024; ++fd) count += ::fcntl(fd, F_GETFD) >= 0;
  return count;
}

TEST(DropStorm, CountsToTheUnitWithFlatMemory) {
  if (const std::string missing = missing_for_netns(); !missing.empty()) GTEST_SKIP() << missing;
  if (auto ok = check_tracing_rights(KernelFs()); !ok) GTEST_SKIP() << ok.error().text();
  const auto facts = DropFacts::load();
  if (!facts) GTEST_SKIP() << facts.error().text();
  if (!facts->reason_argument) GTEST_SKIP() << "this kernel gives no drop reasons";
  const char* asked = std::getenv("NETTOLL_STORM_SECONDS");
  const std::chrono::seconds length(asked ? std::atoi(asked) : 10);

  auto pair = VethPair::create({});
  ASSERT_TRUE(pair) << pair.error().text();
  DropFilter filter;
  filter.netns = static_cast<uint32_t>(pair->b.ns.inode());
  // More samples than any reader takes: the ring fills, and what it loses must be counted.
  auto session = DropSession::start(*facts, filter, 1'000'000, KernelFs());
  ASSERT_TRUE(session) << session.error().text();

  std::vector<Kind> kinds = kinds_of_drops(pair->a, pair->b);
  std::atomic<bool> stop = false;
  Status sending;
  std::thread sender([&] { sending = send_at_random(pair->a, pair->b, kinds, stop); });
  std::map<std::string, uint64_t> counted;
  SampleAccount account;
  uint64_t seen = 0;
  long early_kb = 0;
  size_t early_heap = 0;
  int early_fds = 0;
  const auto take_window = [&] {
    auto window = session->read([&](const DropSample&) { ++seen; });
    ASSERT_TRUE(window) << window.error().text();
    for (const Drops& row : window->drops) counted[row.reason] += row.packets;
    ASSERT_TRUE(window->account);
    account.matched += window->account->matched;
    account.emitted += window->account->emitted;
    account.rate_limited += window->account->rate_limited;
    account.ring_full += window->account->ring_full;
    account.missed_runs += window->account->missed_runs;
  };
  const auto start = Clock::now();
  while (Clock::now() - start < length) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    take_window();
    if (Clock::now() - start <= length / 4) continue;
    if (!early_fds) early_fds = open_descriptors();
    // Pages of the ring become resident when they are read for the first time: all are once it was full.
    if (!early_kb && account.ring_full > 0) {
      early_kb = resident_kb();
      early_heap = heap_in_use();
    }
  }
  const long late_kb = resident_kb();
  const size_t late_heap = heap_in_use();
  const int late_fds = open_descriptors();
  stop = true;
  sender.join();
  ASSERT_TRUE(sending) << sending.error().text();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  take_window();

  uint64_t sent = 0, dropped = 0;
  for (const Kind& kind : kinds) sent += kind.sent;
  for (const auto& [reason, packets] : counted) dropped += packets;
  std::printf(
      "%.0f s: %lu packets sent, %.0f a second; %lu samples taken, %lu lost in the ring; %ld kB, then %ld "
      "kB\n",
      seconds, static_cast<unsigned long>(sent), static_cast<double>(sent) / seconds,
      static_cast<unsigned long>(account.emitted), static_cast<unsigned long>(account.ring_full), early_kb,
      late_kb);
  ASSERT_GT(sent, 10'000u);
  EXPECT_EQ(dropped, sent);
  // What a CPU's backlog had no room for is a drop of another reason.
  const uint64_t backlog = counted["CPU_BACKLOG"];
  for (const Kind& kind : kinds) {
    EXPECT_LE(counted[kind.reason], kind.sent) << kind.reason;
    EXPECT_GE(counted[kind.reason] + backlog, kind.sent) << kind.reason;
  }
  EXPECT_EQ(account.matched + account.missed_runs, sent);
  EXPECT_EQ(account.matched, account.emitted + account.rate_limited + account.ring_full);
  EXPECT_EQ(account.emitted, seen);
  EXPECT_EQ(late_fds, early_fds);
  if (!early_kb) {
    std::printf("memory is not judged: this host is too slow to fill the ring\n");
    return;
  }
  std::printf("heap in use between windows: %zu kB, then %zu kB\n", early_heap / 1024, late_heap / 1024);
  EXPECT_LT(late_kb, early_kb + early_kb / 4 + 1024) << "memory grows";
  // Room for the samples of one more full ring.
  EXPECT_LT(late_heap, early_heap + (8u << 20)) << "something is kept";
}

}  // namespace
}  // namespace nettoll::live
