// SPDX-License-Identifier: Apache-2.0
// A command that runs while nettoll records.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll {

/// A child process that waits at its start line until tracing is on. Killed and reaped with the object if
/// still there.
class ChildCommand {
 public:
  /// Forks; the child executes nothing before go().
  static Result<ChildCommand> prepare(std::vector<std::string> arguments);
  ChildCommand(ChildCommand&& other) noexcept;
  ChildCommand& operator=(ChildCommand&&) = delete;
  ~ChildCommand();

  /// Lets the child execute the command. A usage error if it cannot be executed.
  Status go();
  /// Readable when the child has ended (pidfd_open(2)).
  int fd() const { return pidfd_.get(); }
  /// Ends it if it still runs, by SIGTERM and after two seconds by SIGKILL, and tells how it ended: "exited
  /// with status 3", "was killed by signal 9".
  std::string end();

 private:
  ChildCommand() = default;
  std::string reap();

  pid_t pid_ = -1;
  std::string name_;
  UniqueFd pidfd_;
  UniqueFd start_;   ///< closing it with a byte written starts the child
  UniqueFd failed_;  ///< the child writes errno here if exec fails
};

}  // namespace nettoll
