// SPDX-License-Identifier: Apache-2.0
#include "cli/host_watch.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>

#include "base/cpu_time.h"

namespace nettoll {

Result<std::unique_ptr<HostWatch>> HostWatch::create(const KernelFs& fs) {
  UniqueFd done(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!done) return system_error("cannot make an eventfd", errno);
  return std::unique_ptr<HostWatch>(new HostWatch(fs, std::move(done)));
}

void HostWatch::begin() {
  if (reading_.valid()) return;
  const auto read_here = [this] {
    const auto before = thread_cpu_time();
    auto reading = read();
    if (reading) reading->cpu = thread_cpu_time() - before;
    finish();
    return reading;
  };
  try {
    reading_ = std::async(std::launch::async, read_here);
  } catch (const std::system_error& error) {  // RLIMIT_NPROC, or the pids controller of the control group
    std::promise<Result<HostReading>> none;
    none.set_value(system_error("cannot start a thread to read the host", error.code().value(),
                                "raise the limit on tasks (ulimit -u, TasksMax=)"));
    reading_ = none.get_future();
    finish();
  }
}

void HostWatch::finish() {
  finished_ = true;
  ::eventfd_write(done_.get(), 1);
}

Result<HostReading> HostWatch::read() {
  if (reader_) {
    auto window = reader_->next();
    if (!window) return window.error();
    return HostReading{std::move(*window)};
  }
  auto opened = HostReader::open(fs_);
  if (!opened) return opened.error();
  reader_.emplace(std::move(*opened));
  return HostReading{};
}

Result<HostReading> HostWatch::take() {
  auto reading = reading_.get();
  eventfd_t written = 0;
  ::eventfd_read(done_.get(), &written);
  finished_ = false;
  if (!reading) reader_.reset();
  return reading;
}

}  // namespace nettoll
