// SPDX-License-Identifier: Apache-2.0
#include "live/child_process.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <csignal>

extern char** environ;

namespace nettoll::live {
namespace {

std::string read_all(int fd) {
  std::string text;
  char buffer[4096];
  // pread: the child writes through the same open file and moves its offset.
  for (ssize_t got; (got = ::pread(fd, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  return text;
}

std::string tail(const std::string& text) {
  constexpr size_t kEnough = 2000;
  return text.size() <= kEnough ? text : "..." + text.substr(text.size() - kEnough);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& argv) {
  ChildProcess child;
  child.name_ = fmt::format("{}", fmt::join(argv, " "));
  child.out_.reset(::memfd_create("stdout", MFD_CLOEXEC));
  child.err_.reset(::memfd_create("stderr", MFD_CLOEXEC));
  if (!child.out_ || !child.err_) return system_error("cannot make files for a child's output", errno);

  std::vector<char*> pointers;
  pointers.reserve(argv.size() + 1);
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, child.out_.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, child.err_.get(), STDERR_FILENO);
  const int code = ::posix_spawnp(&child.pid_, pointers[0], &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) {
    child.pid_ = -1;
    return system_error(fmt::format("cannot start '{}'", child.name_), code,
                        "install it, or check PATH (sbin folders too)");
  }
  child.process_.reset(static_cast<int>(::syscall(SYS_pidfd_open, child.pid_, 0)));
  if (!child.process_) return system_error("pidfd_open", errno, "Linux 5.3 or newer is needed");
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : name_(std::move(other.name_)),
      pid_(std::exchange(other.pid_, -1)),
      process_(std::move(other.process_)),
      out_(std::move(other.out_)),
      err_(std::move(other.err_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    kill_and_reap();
    name_ = std::move(other.name_);
    pid_ = std::exchange(other.pid_, -1);
    process_ = std::move(other.process_);
    out_ = std::move(other.out_);
    err_ = std::move(other.err_);
  }
  return *this;
}

ChildProcess::~ChildProcess() {
  kill_and_reap();
}

void ChildProcess::kill_and_reap() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

std::string ChildProcess::out() const {
  return read_all(out_.get());
}
std::string ChildProcess::err() const {
  return read_all(err_.get());
}

Status ChildProcess::signal(int number) const {
  if (pid_ < 0) return failure(fmt::format("'{}' has ended already", name_));
  if (::kill(pid_, number) != 0) return system_error(fmt::format("cannot signal '{}'", name_), errno);
  return {};
}

bool ChildProcess::running() const {
  pollfd ended{process_.get(), POLLIN, 0};
  return pid_ >= 0 && ::poll(&ended, 1, 0) == 0;
}

Result<Finished> ChildProcess::wait(std::chrono::milliseconds limit) {
  if (pid_ < 0) return failure(fmt::format("'{}' was waited for already", name_));
  pollfd ended{process_.get(), POLLIN, 0};
  int ready = 0;
  do ready = ::poll(&ended, 1, static_cast<int>(limit.count()));
  while (ready < 0 && errno == EINTR);
  if (ready <= 0) {
    const std::string last = tail(err());
    kill_and_reap();
    return failure(
        fmt::format("'{}' ran longer than {} ms and was killed; it said: {}", name_, limit.count(), last));
  }
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return Finished{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), out(), err()};
}

Result<Finished> run(const std::vector<std::string>& argv, std::chrono::milliseconds limit) {
  auto child = ChildProcess::start(argv);
  if (!child) return child.error();
  return child->wait(limit);
}

Result<std::string> run_checked(const std::vector<std::string>& argv, std::chrono::milliseconds limit) {
  auto finished = run(argv, limit);
  if (!finished) return finished.error();
  if (finished->status != 0)
    return failure(fmt::format("'{}' ended with status {}: {}", fmt::join(argv, " "), finished->status,
                               tail(finished->err)));
  return finished->out;
}

}  // namespace nettoll::live
