// SPDX-License-Identifier: Apache-2.0
// Child processes of tests: run to the end with a time limit, or kept in the background and always reaped.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll::live {

/// What a process left behind. `status` is its exit status, or 128 + the signal that killed it, as shells say
/// it.
struct Finished {
  int status = 0;
  std::string out;
  std::string err;
};

/// A running child whose output goes to unnamed temporary files, so that it never blocks on a full pipe. It
/// runs in the network namespace of the thread that starts it. Killed (SIGKILL) and reaped with the object.
class ChildProcess {
 public:
  /// Starts `argv` (argv[0] is looked up in PATH). Fails, naming the program, where it cannot be executed.
  static Result<ChildProcess> start(const std::vector<std::string>& argv);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  /// What it has written so far.
  std::string out() const;
  std::string err() const;
  Status signal(int number) const;
  bool running() const;
  /// Waits for the end. After `limit` the child is killed and an error says so, with the end of its stderr.
  Result<Finished> wait(std::chrono::milliseconds limit);

 private:
  ChildProcess() = default;
  void kill_and_reap();

  std::string name_;
  pid_t pid_ = -1;
  UniqueFd process_;  // pidfd: readable when the child has ended
  UniqueFd out_;
  UniqueFd err_;
};

/// Runs `argv` to its end. An error if it cannot start or outlasts `limit`; any exit status is a result.
Result<Finished> run(const std::vector<std::string>& argv,
                     std::chrono::milliseconds limit = std::chrono::seconds(30));

/// The same where only exit status 0 will do: otherwise an error with the command and its stderr. Returns
/// stdout.
Result<std::string> run_checked(const std::vector<std::string>& argv,
                                std::chrono::milliseconds limit = std::chrono::seconds(30));

}  // namespace nettoll::live
