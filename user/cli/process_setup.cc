// SPDX-License-Identifier: Apache-2.0
#include "cli/process_setup.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace nettoll {
namespace {

/// An open takes the lowest number that is free, and those below `fd` are taken. The wrong way round, so that
/// its use fails.
void occupy(int fd) {
  if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
    (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

void prepare_process() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) occupy(fd);
  // A handler and not SIG_IGN, which a command of `record --` would inherit (execve(2)).
  struct sigaction nothing = {};
  nothing.sa_handler = [](int) {};
  ::sigaction(SIGXFSZ, &nothing, nullptr);
}

}  // namespace nettoll
