// SPDX-License-Identifier: Apache-2.0
#include "cli/held_log.h"

namespace nettoll {
namespace {

constexpr size_t kKept = 100;

}  // namespace

HeldLog::HeldLog()
    : before_(spdlog::default_logger()), sink_(std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(kKept)) {
  auto logger = std::make_shared<spdlog::logger>("nettoll", sink_);
  logger->set_level(before_->level());
  spdlog::set_default_logger(std::move(logger));
}

HeldLog::~HeldLog() {
  spdlog::set_default_logger(before_);
  for (const auto& message : sink_->last_raw())
    before_->log(message.level, std::string_view(message.payload.data(), message.payload.size()));
}

std::vector<std::string> HeldLog::lines() const {
  std::vector<std::string> lines;
  for (const auto& message : sink_->last_raw())
    lines.emplace_back(message.payload.data(), message.payload.size());
  return lines;
}

}  // namespace nettoll
