// SPDX-License-Identifier: Apache-2.0
// Sends an exact number of UDP packets from one network namespace to another, some to an open port whose
// receiver lives here too, the rest to a closed port, all from one thread on one CPU, and prints what the
// kernel took as one line of JSON. Uses nothing but the C library, so that it can be linked statically and
// run in a bare guest.
//
// A socket stays in the namespace it was made in, so one thread serves both ends: with veth the receive path
// runs on the sender's CPU inside the send, and draining between sends needs no second thread that could be
// late. The sending socket is not connected, therefore it is never told of ICMP errors: each packet is one
// send that succeeds. The last packet goes to the open port where any does: once it is received, all before
// it were processed.
#include <arpa/inet.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr uint64_t kSecond = 1'000'000'000;  // nanoseconds

constexpr char kUsage[] =
    R"(usage: udp_blast --to ADDRESS [options]
  --to ADDRESS             IPv4 or IPv6 address of the receiving side
  --packets N              packets to send (100000)
  --open N                 how many of them go to the open port, spread evenly (all)
  --size BYTES             UDP payload (64)
  --open-port P            port of the receiver (9000)
  --closed-port P          port nobody listens on (9001)
  --from-netns PATH        namespace to send from (the caller's)
  --to-netns PATH          namespace to receive in (the caller's)
  --cpu N                  run on this CPU alone
  --rate N                 packets a second, 0 for as fast as it goes (0)
  --no-drain               leave received packets in the socket, whose buffer then overflows
  --receive-buffer BYTES   SO_RCVBUFFORCE (8388608)
  --limit SECONDS          give up after this time, exit status 1 (120)
)";

struct Options {
  const char* to = nullptr;
  uint64_t packets = 100000;
  uint64_t open = UINT64_MAX;
  size_t size = 64;
  uint16_t open_port = 9000;
  uint16_t closed_port = 9001;
  const char* from_netns = nullptr;
  const char* to_netns = nullptr;
  long cpu = -1;
  uint64_t rate = 0;
  bool drain = true;
  int receive_buffer = 8 << 20;
  unsigned limit = 120;
};

[[noreturn]] void die(const char* what, const char* on = "") {
  std::fprintf(stderr, "udp_blast: %s %s: %s\n", what, on, std::strerror(errno));
  std::exit(1);
}

[[noreturn]] void usage(const char* complaint) {
  std::fprintf(stderr, "udp_blast: %s\n%s", complaint, kUsage);
  std::exit(2);
}

uint64_t number(const char* text, uint64_t most) {
  char* end = nullptr;
  errno = 0;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (errno || end == text || *end || *text == '-' || value > most) usage("a number is out of range");
  return value;
}

Options parse(int argc, char** argv) {
  const option names[] = {
      {"to", 1, nullptr, 't'},         {"packets", 1, nullptr, 'n'},   {"open", 1, nullptr, 'm'},
      {"size", 1, nullptr, 's'},       {"open-port", 1, nullptr, 'o'}, {"closed-port", 1, nullptr, 'c'},
      {"from-netns", 1, nullptr, 'F'}, {"to-netns", 1, nullptr, 'T'},  {"cpu", 1, nullptr, 'C'},
      {"rate", 1, nullptr, 'r'},       {"no-drain", 0, nullptr, 'D'},  {"receive-buffer", 1, nullptr, 'b'},
      {"limit", 1, nullptr, 'l'},      {nullptr, 0, nullptr, 0}};
  Options options;
  for (int letter; (letter = ::getopt_long(argc, argv, "", names, nullptr)) != -1;) {
    switch (letter) {
      case 't':
        options.to = optarg;
        break;
      case 'n':
        options.packets = number(optarg, UINT64_MAX / 2);
        break;
      case 'm':
        options.open = number(optarg, UINT64_MAX / 2);
        break;
      case 's':
        options.size = number(optarg, 65000);
        break;
      case 'o':
        options.open_port = static_cast<uint16_t>(number(optarg, 65535));
        break;
      case 'c':
        options.closed_port = static_cast<uint16_t>(number(optarg, 65535));
        break;
      case 'F':
        options.from_netns = optarg;
        break;
      case 'T':
        options.to_netns = optarg;
        break;
      case 'C':
        options.cpu = static_cast<long>(number(optarg, CPU_SETSIZE - 1));
        break;
      case 'r':
        options.rate = number(optarg, 1000000000);
        break;
      case 'D':
        options.drain = false;
        break;
      case 'b':
        options.receive_buffer = static_cast<int>(number(optarg, 1 << 30));
        break;
      case 'l':
        options.limit = static_cast<unsigned>(number(optarg, 86400));
        break;
      default:
        usage("unknown option");
    }
  }
  if (!options.to || optind != argc) usage("--to and no other word is needed");
  if (options.open == UINT64_MAX) options.open = options.packets;
  if (options.open > options.packets) usage("--open exceeds --packets");
  return options;
}

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
  int family() const { return storage.ss_family; }
};

Address address(const char* text, uint16_t port) {
  Address result;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&result.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&result.storage);
  if (::inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    result.size = sizeof *v4;
  } else if (::inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    result.size = sizeof *v6;
  } else {
    usage("--to is no address");
  }
  return result;
}

void enter(const char* netns) {
  if (!netns) return;
  const int fd = ::open(netns, O_RDONLY | O_CLOEXEC);
  if (fd < 0) die("cannot open", netns);
  if (::setns(fd, CLONE_NEWNET) != 0) die("cannot enter", netns);
  ::close(fd);
}

int udp_socket(int family) {
  const int fd = ::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) die("cannot make a UDP socket");
  return fd;
}

uint64_t now(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * kSecond + static_cast<uint64_t>(time.tv_nsec);
}

/// Takes what waits in `fd`. Returns the number of packets.
uint64_t drain(int fd) {
  constexpr unsigned kBatch = 64;
  static char data[kBatch][16];  // truncation is fine, nobody reads the payload
  uint64_t total = 0;
  while (true) {
    mmsghdr messages[kBatch] = {};
    iovec vectors[kBatch];
    for (unsigned i = 0; i < kBatch; ++i) {
      vectors[i] = {data[i], sizeof data[i]};
      messages[i].msg_hdr.msg_iov = &vectors[i];
      messages[i].msg_hdr.msg_iovlen = 1;
    }
    const int got = ::recvmmsg(fd, messages, kBatch, MSG_DONTWAIT, nullptr);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno != EAGAIN) die("cannot receive");
    if (got <= 0) return total;
    total += static_cast<uint64_t>(got);
    if (got < static_cast<int>(kBatch)) return total;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  ::alarm(options.limit + 5);  // whatever hangs, this process ends
  const Address open = address(options.to, options.open_port);
  const Address closed = address(options.to, options.closed_port);
  if (options.cpu >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<size_t>(options.cpu), &set);
    if (::sched_setaffinity(0, sizeof set, &set) != 0) die("cannot run on the CPU asked for");
  }

  enter(options.to_netns);
  const int receiver = udp_socket(open.family());
  if (::setsockopt(receiver, SOL_SOCKET, SO_RCVBUFFORCE, &options.receive_buffer, sizeof(int)) != 0 &&
      ::setsockopt(receiver, SOL_SOCKET, SO_RCVBUF, &options.receive_buffer, sizeof(int)) != 0)
    die("SO_RCVBUF");
  if (::bind(receiver, reinterpret_cast<const sockaddr*>(&open.storage), open.size) != 0)
    die("cannot bind", options.to);
  enter(options.from_netns);
  const int sender = udp_socket(open.family());

  const std::vector<char> payload(options.size);
  constexpr uint64_t kDrainEvery = 64;
  const uint64_t period = options.rate ? kSecond / options.rate : 0;
  uint64_t sent_open = 0, sent_closed = 0, errors = 0, received = 0, share = 0;
  const uint64_t cpu_start = now(CLOCK_THREAD_CPUTIME_ID);
  const uint64_t start = now(CLOCK_MONOTONIC);
  const uint64_t deadline = start + options.limit * kSecond;
  bool late = false;
  for (uint64_t i = 0; i < options.packets && !late; ++i) {
    // Open exactly where the running share passes a whole: spreads them evenly and ends with an open one.
    share += options.open;
    const bool to_open = share >= options.packets;
    if (to_open) share -= options.packets;
    const Address& to = to_open ? open : closed;
    const ssize_t result = ::sendto(sender, payload.data(), payload.size(), 0,
                                    reinterpret_cast<const sockaddr*>(&to.storage), to.size);
    if (result == static_cast<ssize_t>(payload.size()))
      ++(to_open ? sent_open : sent_closed);
    else
      ++errors;
    if (i % kDrainEvery == 0 || period) {
      if (options.drain) received += drain(receiver);
      late = now(CLOCK_MONOTONIC) > deadline;
    }
    if (period) {
      const uint64_t due = start + (i + 1) * period;
      const timespec wake{static_cast<time_t>(due / kSecond), static_cast<long>(due % kSecond)};
      ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr);
    }
  }
  // Usually nothing is left to wait for; where ksoftirqd took over, give it the CPU. Yielding would not do where it has
  // the lower priority.
  constexpr uint64_t kPatience = 5 * kSecond;
  uint64_t patience = now(CLOCK_MONOTONIC) + kPatience;
  while (options.drain && received < sent_open && now(CLOCK_MONOTONIC) < patience) {
    const uint64_t got = drain(receiver);
    received += got;
    if (got)
      patience = now(CLOCK_MONOTONIC) + kPatience;
    else
      ::usleep(1000);
  }
  const uint64_t elapsed = now(CLOCK_MONOTONIC) - start;
  const uint64_t cpu_time = now(CLOCK_THREAD_CPUTIME_ID) - cpu_start;

  std::printf("{\"sent\":%" PRIu64 ",\"sent_open\":%" PRIu64 ",\"sent_closed\":%" PRIu64
              ",\"send_errors\":%" PRIu64 ",\"received\":%" PRIu64 ",\"elapsed_ns\":%" PRIu64
              ",\"cpu_ns\":%" PRIu64 ",\"complete\":%s}\n",
              sent_open + sent_closed, sent_open, sent_closed, errors, received, elapsed, cpu_time,
              late ? "false" : "true");
  return late ? 1 : 0;
}
