// SPDX-License-Identifier: Apache-2.0
#include "cli/host_watch.h"

#include <sys/eventfd.h>

#include <cerrno>

#include "base/cpu_time.h"

namespace nettoll {

Result<std::unique_ptr<HostWatch>> HostWatch::create(const KernelFs& fs) {
  UniqueFd done(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!done) return system_error("cannot make an eventfd", errno);
  return std::unique_ptr<HostWatch>(new HostWatch(fs, std::move(done)));
}

void HostWatch::begin() {
  if (reading_.valid()) return;
  reading_ = std::async(std::launch::async, [this] {
    const auto before = thread_cpu_time();
    auto reading = read();
    if (reading) reading->cpu = thread_cpu_time() - before;
    finished_ = true;
    ::eventfd_write(done_.get(), 1);
    return reading;
  });
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
