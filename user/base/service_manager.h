// SPDX-License-Identifier: Apache-2.0
// What a service tells systemd, or another manager that speaks sd_notify(3): one datagram a state.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace nettoll {

/// Who started this process and waits to hear of it; nobody, where it was started by hand. For one thread.
/// Nothing here waits for the manager: a state that it has no room for is told again by alive(), unless a
/// newer one has come.
class ServiceManager {
 public:
  using Clock = std::chrono::steady_clock;
  /// The value of a variable of the environment, null where there is none.
  using Environment = std::function<const char*(const char*)>;

  /// By NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID. What they say is not relied on: wrong values mean that
  /// nobody listens.
  explicit ServiceManager(const Environment& environment);

  void ready() { tell("READY=1"); }
  /// Reading the configuration again; ready() ends it.
  void reloading();
  void stopping() { tell("STOPPING=1"); }
  /// To be called whenever the loop that has to stay alive comes round. Says so where it is due, twice in the
  /// time that the manager grants, and gives when it is due next at the latest; sooner while a state waits to
  /// be told again.
  Clock::time_point alive(Clock::time_point now);

 private:
  void tell(std::string state);
  bool send(std::string_view state);

  UniqueFd socket_;                          ///< connected; none: nobody listens
  std::optional<Clock::duration> watchdog_;  ///< between two signs of life
  Clock::time_point due_;
  std::string untold_;  ///< the newest state, where the manager had no room for it
  bool said_failed_ = false;
};

}  // namespace nettoll
