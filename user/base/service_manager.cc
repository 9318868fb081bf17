// SPDX-License-Identifier: Apache-2.0
#include "base/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/log.h"
#include "base/result.h"

namespace nettoll {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;

/// How soon a state is told again that the manager had no room for.
constexpr std::chrono::seconds kTellAgain{1};

/// A path, or "@name" for a name that is in no file system (unix(7)).
UniqueFd connect_to(std::string_view name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.size() < 2 || name.size() >= sizeof(address.sun_path) || (name[0] != '/' && name[0] != '@'))
    return UniqueFd();
  std::memcpy(address.sun_path, name.data(), name.size());
  if (name[0] == '@') address.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) {
    spdlog::warn("the service manager that NOTIFY_SOCKET names cannot be reached: {}", error_name(errno));
    return UniqueFd();
  }
  return fd;
}

std::optional<int64_t> number_of(const char* text) {
  int64_t number = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc() && stop == end && number > 0 ? std::optional(number) : std::nullopt;
}

/// None too where it is meant for another process, such as a shell that started this one.
std::optional<microseconds> granted(const ServiceManager::Environment& environment) {
  const char* pid = environment("WATCHDOG_PID");
  if (pid && number_of(pid) != ::getpid()) return std::nullopt;
  const char* text = environment("WATCHDOG_USEC");
  const auto number = text ? number_of(text) : std::nullopt;
  return number ? std::optional<microseconds>(*number) : std::nullopt;
}

}  // namespace

ServiceManager::ServiceManager(const Environment& environment) {
  const char* name = environment("NOTIFY_SOCKET");
  if (!name) return;
  socket_ = connect_to(name);
  if (!socket_) return;
  if (const auto time = granted(environment)) watchdog_ = *time / 2;
}

void ServiceManager::reloading() {
  // The manager tells by the time which reload this is (CLOCK_MONOTONIC, which steady_clock is).
  const auto now = duration_cast<microseconds>(Clock::now().time_since_epoch());
  tell(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", now.count()));
}

ServiceManager::Clock::time_point ServiceManager::alive(Clock::time_point now) {
  if (!untold_.empty()) tell(std::exchange(untold_, {}));
  const auto again = untold_.empty() ? Clock::time_point::max() : now + kTellAgain;
  if (!watchdog_) return again;
  if (now >= due_) {
    // One that finds no room is missed: the manager has not read those before it either.
    send("WATCHDOG=1");
    due_ = now + *watchdog_;
  }
  return std::min(due_, again);
}

void ServiceManager::tell(std::string state) {
  untold_.clear();
  if (socket_ && !send(state)) untold_ = std::move(state);
}

/// False where the manager has no room for it now. Other failures stay: it is gone.
bool ServiceManager::send(std::string_view state) {
  if (::send(socket_.get(), state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return true;
  const int code = errno;
  if (!std::exchange(said_failed_, true))
    spdlog::warn("the service manager did not take '{}': {}", state, error_name(code));
  return code != EAGAIN && code != ENOBUFS;
}

}  // namespace nettoll
