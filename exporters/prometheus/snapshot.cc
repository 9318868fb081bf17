// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/snapshot.h"

#include <prometheus/text_serializer.h>

#include <sstream>
#include <utility>

#include "base/log.h"
#include "exporters/prometheus/gzip.h"
#include "exporters/prometheus/metrics.h"

namespace nettoll::exporter {
namespace {

std::string render(const Totals& totals, const ProcessStats& process, const std::string& version) {
  const prometheus::TextSerializer serializer;
  std::ostringstream out;
  std::vector<prometheus::MetricFamily> one(1);
  for_each_family(totals, process, version, [&](prometheus::MetricFamily family) {
    one[0] = std::move(family);
    serializer.Serialize(out, one);
  });
  return std::string(out.view());
}

}  // namespace

Health check_health(std::optional<Clock::time_point> last_tick, Clock::time_point start,
                    Clock::time_point now, Clock::duration interval) {
  const Clock::duration age = now - last_tick.value_or(start);
  if (age < 3 * interval) return {};
  const auto in_seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
  return {false, fmt::format("{} for {:.1f} s; one is due every {} s",
                             last_tick ? "no new data" : "no data since the start", in_seconds(age),
                             in_seconds(interval))};
}

Exposition::Exposition(Options options)
    : options_(std::move(options)), state_(std::make_shared<Cumulative>(options_.limits)) {}

void Exposition::tick(const Profile& profile, const CostTable& costs, Clock::time_point now) {
  const std::lock_guard lock(state_mutex_);
  // References are taken and given back under this mutex alone, so the count is exact here.
  if (state_.use_count() > 1) state_ = std::make_shared<Cumulative>(*state_);
  state_->add(profile, costs);
  last_tick_ = now;
}

std::shared_ptr<const Snapshot> Exposition::scrape() {
  const std::lock_guard one_renders(render_mutex_);
  std::shared_ptr<const Cumulative> state;
  {
    const std::lock_guard lock(state_mutex_);
    if (rendered_ && rendered_->tick == state_->totals().ticks) return rendered_;
    state = state_;
  }
  rendered_.reset();  // before its successor is made, so that memory holds one
  auto next = std::make_shared<Snapshot>();
  next->tick = state->totals().ticks;
  next->text = render(state->totals(), read_process(options_.fs), options_.version);
  {
    const std::lock_guard lock(state_mutex_);
    state.reset();
  }
  if (auto compressed = gzip(next->text)) {
    next->gzip = *std::move(compressed);
  } else {
    spdlog::warn("metrics are served uncompressed: {}", compressed.error().text());
  }
  rendered_ = std::move(next);
  return rendered_;
}

Health Exposition::health(Clock::time_point now) const {
  const std::lock_guard lock(state_mutex_);
  return check_health(last_tick_, start_, now, options_.interval);
}

}  // namespace nettoll::exporter
