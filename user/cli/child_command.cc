// SPDX-License-Identifier: Apache-2.0
#include "cli/child_command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "cli/stop_signals.h"

namespace nettoll {
namespace {

[[noreturn]] void run_child(int start, int failed, const std::vector<char*>& argv) {
  StopSignals::unblock();
  char go = 0;
  if (::read(start, &go, 1) != 1) ::_exit(0);
  ::execvp(argv[0], argv.data());
  const int code = errno;
  [[maybe_unused]] const ssize_t ignored = ::write(failed, &code, sizeof(code));
  ::_exit(127);
}

}  // namespace

Result<ChildCommand> ChildCommand::prepare(std::vector<std::string> arguments) {
  int start[2], failed[2];
  if (::pipe2(start, O_CLOEXEC) < 0) return system_error("cannot make a pipe", errno);
  UniqueFd start_read(start[0]), start_write(start[1]);
  if (::pipe2(failed, O_CLOEXEC) < 0) return system_error("cannot make a pipe", errno);
  UniqueFd failed_read(failed[0]), failed_write(failed[1]);

  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  ChildCommand child;
  child.name_ = arguments.front();
  child.pid_ = ::fork();
  if (child.pid_ < 0) return system_error("cannot fork", errno);
  if (child.pid_ == 0) {
    start_write.reset();
    run_child(start_read.get(), failed_write.get(), argv);
  }
  child.pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, child.pid_, 0)));
  if (!child.pidfd_) return system_error("cannot watch the command", errno);
  child.start_ = std::move(start_write);
  child.failed_ = std::move(failed_read);
  return child;
}

ChildCommand::ChildCommand(ChildCommand&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      name_(std::move(other.name_)),
      pidfd_(std::move(other.pidfd_)),
      start_(std::move(other.start_)),
      failed_(std::move(other.failed_)) {}

ChildCommand::~ChildCommand() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  reap();
}

Status ChildCommand::go() {
  const char byte = 1;
  if (::write(start_.get(), &byte, 1) != 1) return system_error("cannot start the command", errno);
  start_.reset();
  int code = 0;
  // The pipe closes when exec succeeds, since it is close-on-exec.
  if (::read(failed_.get(), &code, sizeof(code)) == static_cast<ssize_t>(sizeof(code))) {
    Error error = usage_error(fmt::format("cannot run {}: {}", name_, std::strerror(code)));
    error.code = code;
    return error;
  }
  return {};
}

std::string ChildCommand::reap() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

std::string ChildCommand::end() {
  constexpr int kGraceMs = 2000;
  pollfd ended = {pidfd_.get(), POLLIN, 0};
  if (::poll(&ended, 1, 0) == 0) {
    ::kill(pid_, SIGTERM);
    if (::poll(&ended, 1, kGraceMs) == 0) ::kill(pid_, SIGKILL);
  }
  return reap();
}

}  // namespace nettoll
