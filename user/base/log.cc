// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>

namespace nettoll {

void set_up_log(spdlog::level::level_enum level) {
  auto logger =
      std::make_shared<spdlog::logger>("nettoll", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  logger->set_level(level);
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace nettoll
