// SPDX-License-Identifier: Apache-2.0
#include "base/service_manager.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>

namespace nettoll {
namespace {

using std::chrono::milliseconds;
using Clock = ServiceManager::Clock;

/// The manager's end: a socket at a path or at a name without a file.
class Manager {
 public:
  explicit Manager(const std::string& name) : name_(name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path, sizeof(address.sun_path) - 1);
    if (name[0] == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
  }
  ~Manager() {
    if (name_[0] == '/') ::unlink(name_.c_str());
  }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  /// The next datagram; "" where none is waiting.
  std::string next() {
    char buffer[256];
    const auto got = ::recv(fd_.get(), buffer, sizeof(buffer), MSG_DONTWAIT);
    return got > 0 ? std::string(buffer, static_cast<size_t>(got)) : std::string();
  }

 private:
  std::string name_;
  UniqueFd fd_{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

std::string path_of_a_socket() {
  return testing::TempDir() + "nettoll-notify-" + std::to_string(::getpid());
}

ServiceManager heard_by(std::map<std::string, std::string> variables) {
  return ServiceManager([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(ServiceManager, HearsEachState) {
  for (const std::string& name : {path_of_a_socket(), "@nettoll-notify-" + std::to_string(::getpid())}) {
    Manager manager(name);
    auto service = heard_by({{"NOTIFY_SOCKET", name}});
    service.ready();
    EXPECT_EQ(manager.next(), "READY=1");
    const auto before =
        std::chrono::floor<std::chrono::microseconds>(Clock::now().time_since_epoch()).count();
    service.reloading();
    const std::string reload = manager.next();
    const std::string head = "RELOADING=1\nMONOTONIC_USEC=";
    ASSERT_EQ(reload.substr(0, head.size()), head);
    EXPECT_GE(std::atoll(reload.c_str() + head.size()), before);
    service.stopping();
    EXPECT_EQ(manager.next(), "STOPPING=1");
    EXPECT_EQ(manager.next(), "");
  }
}

TEST(ServiceManager, IsToldTwiceInTheTimeThatItGrants) {
  Manager manager(path_of_a_socket());
  auto service = heard_by({{"NOTIFY_SOCKET", path_of_a_socket()},
                           {"WATCHDOG_USEC", "2000000"},
                           {"WATCHDOG_PID", std::to_string(::getpid())}});
  const Clock::time_point start(milliseconds(5'000));
  EXPECT_EQ(service.alive(start), start + milliseconds(1'000));
  EXPECT_EQ(manager.next(), "WATCHDOG=1");
  EXPECT_EQ(service.alive(start + milliseconds(999)), start + milliseconds(1'000));
  EXPECT_EQ(manager.next(), "");
  EXPECT_EQ(service.alive(start + milliseconds(1'200)), start + milliseconds(2'200));
  EXPECT_EQ(manager.next(), "WATCHDOG=1");
}

TEST(ServiceManager, IsNotToldOfLifeWhereItDoesNotAsk) {
  Manager manager(path_of_a_socket());
  const std::map<std::string, std::string> cases[] = {
      {},
      {{"WATCHDOG_USEC", "0"}},
      {{"WATCHDOG_USEC", "-1"}},
      {{"WATCHDOG_USEC", "soon"}},
      {{"WATCHDOG_USEC", "10s"}},
      {{"WATCHDOG_USEC", "10"}, {"WATCHDOG_PID", "1"}},
      {{"WATCHDOG_USEC", "10"}, {"WATCHDOG_PID", ""}},
  };
  for (auto variables : cases) {
    variables["NOTIFY_SOCKET"] = path_of_a_socket();
    EXPECT_EQ(heard_by(variables).alive(Clock::now()), Clock::time_point::max());
    EXPECT_EQ(manager.next(), "");
  }
}

/// As a manager does that hangs: net.unix.max_dgram_qlen datagrams wait, and no more. A sender that waited
/// would never come back from here.
TEST(ServiceManager, MayReadNothingWithoutHoldingUpTheService) {
  Manager manager(path_of_a_socket());
  auto filler = heard_by({{"NOTIFY_SOCKET", path_of_a_socket()}});
  const Clock::time_point start(milliseconds(5'000));
  size_t waiting = 0;
  while (filler.alive(start) == Clock::time_point::max()) {
    filler.ready();
    ASSERT_LT(++waiting, 100'000U);
  }
  // What comes next is told when there is room, the newest state alone.
  auto service = heard_by({{"NOTIFY_SOCKET", path_of_a_socket()}, {"WATCHDOG_USEC", "60000000"}});
  service.reloading();
  service.ready();
  EXPECT_EQ(service.alive(start), start + milliseconds(1'000));
  for (; waiting > 1; --waiting) EXPECT_EQ(manager.next(), "READY=1");
  EXPECT_EQ(manager.next(), "");
  EXPECT_EQ(service.alive(start + milliseconds(1'000)), start + milliseconds(30'000));
  EXPECT_EQ(manager.next(), "READY=1");
  EXPECT_EQ(service.alive(start + milliseconds(30'000)), start + milliseconds(60'000));
  EXPECT_EQ(manager.next(), "WATCHDOG=1");
  EXPECT_EQ(manager.next(), "");
}

TEST(ServiceManager, MayBeAbsentOrGone) {
  const std::string longest(200, 'x');
  for (const std::string& name :
       {std::string(), std::string("@"), std::string("vsock:2:1"), "/" + longest, path_of_a_socket()}) {
    auto service = heard_by({{"NOTIFY_SOCKET", name}, {"WATCHDOG_USEC", "10"}});
    service.ready();
    EXPECT_EQ(service.alive(Clock::now()), Clock::time_point::max()) << name;
  }
  auto manager = std::make_unique<Manager>(path_of_a_socket());
  auto service = heard_by({{"NOTIFY_SOCKET", path_of_a_socket()}});
  manager.reset();
  service.ready();
  service.stopping();
}

}  // namespace
}  // namespace nettoll
