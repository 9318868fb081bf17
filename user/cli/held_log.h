// SPDX-License-Identifier: Apache-2.0
// The log while a screen is drawn: lines on standard error would be written over it.
#pragma once

#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>
#include <vector>

namespace nettoll {

/// Keeps the last lines of the default logger. They are logged as ever once this ends.
class HeldLog {
 public:
  HeldLog();
  HeldLog(const HeldLog&) = delete;
  HeldLog& operator=(const HeldLog&) = delete;
  ~HeldLog();

  /// The lines so far, the newest last.
  std::vector<std::string> lines() const;

 private:
  std::shared_ptr<spdlog::logger> before_;
  std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt> sink_;
};

}  // namespace nettoll
