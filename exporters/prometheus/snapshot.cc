// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/snapshot.h"

#include <prometheus/text_serializer.h>

#include <sstream>
#include <utility>

#include "base/gzip.h"
#include "base/log.h"
#include "exporters/prometheus/metrics.h"

namespace nettoll::exporter {
namespace {

/// `size_hint` is the size of the last text: the next is about as long.
std::string render(const Totals& totals, const ProcessStats& process, const std::string& version,
                   size_t size_hint) {
  std::string space;
  space.reserve(size_hint + size_hint / 8);
  const prometheus::TextSerializer serializer;
  std::ostringstream out(std::move(space));
  std::vector<prometheus::MetricFamily> one(1);
  for_each_family(totals, process, version, [&](prometheus::MetricFamily family) {
    one[0] = std::move(family);
    serializer.Serialize(out, one);
  });
  return std::move(out).str();
}

/// A reference to the totals, taken and given back under their mutex, also when rendering throws: the
/// collecting thread decides by the number of references whether it may write in place.
class StateReference {
 public:
  StateReference(std::mutex& mutex, const std::shared_ptr<Cumulative>& state) : mutex_(mutex) {
    const std::lock_guard lock(mutex_);
    state_ = state;
  }
  StateReference(const StateReference&) = delete;
  StateReference& operator=(const StateReference&) = delete;
  ~StateReference() {
    std::shared_ptr<const Cumulative> last;  // goes after the lock: freeing takes a while
    const std::lock_guard lock(mutex_);
    if (state_.use_count() == 1) last = std::move(state_);
    state_.reset();
  }
  const Cumulative* operator->() const { return state_.get(); }

 private:
  std::mutex& mutex_;
  std::shared_ptr<const Cumulative> state_;
};

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
    : options_(std::move(options)),
      state_(std::make_shared<Cumulative>(options_.limits)),
      interval_(options_.interval) {}

/// The state to add to. For who holds the lock.
Cumulative& Exposition::writable() {
  // Exact here, see StateReference.
  if (state_.use_count() > 1) state_ = std::make_shared<Cumulative>(*state_);
  return *state_;
}

void Exposition::tick(const Profile& profile, const CostTable& costs, Clock::time_point now) {
  const std::lock_guard lock(state_mutex_);
  writable().add(profile, costs);
  last_tick_ = now;
}

void Exposition::set_interval(Clock::duration interval) {
  const std::lock_guard lock(state_mutex_);
  interval_ = interval;
}

void Exposition::overhead(const std::optional<Overhead>& overhead) {
  const std::lock_guard lock(state_mutex_);
  writable().set(overhead);
}

void Exposition::estimated(const std::vector<EstimatedCalls>& calls) {
  if (calls.empty()) return;
  const std::lock_guard lock(state_mutex_);
  writable().add(calls);
}

void Exposition::diagnosed(const DiagnosedWindow& window) {
  const std::lock_guard lock(state_mutex_);
  writable().add(window);
}

void Exposition::diagnosis_failed() {
  const std::lock_guard lock(state_mutex_);
  writable().diagnosis_failed();
}

std::shared_ptr<const Snapshot> Exposition::render_tick(size_t size_hint) {
  auto next = std::make_shared<Snapshot>();
  {
    const StateReference held(state_mutex_, state_);
    next->tick = held->totals().ticks;
    next->change = held->totals().changes;
    next->text = render(held->totals(), read_process(options_.fs), options_.version, size_hint);
  }
  if (auto compressed = gzip(next->text)) {
    next->gzip = *std::move(compressed);
  } else {
    spdlog::warn("metrics are served uncompressed: {}", compressed.error().text());
  }
  return next;
}

std::shared_ptr<const Snapshot> Exposition::scrape() {
  const std::lock_guard one_renders(render_mutex_);
  if (rendered_) {
    const std::lock_guard lock(state_mutex_);
    if (rendered_->change == state_->totals().changes) return rendered_;
  }
  const size_t size_hint = rendered_ ? rendered_->text.size() : 0;
  rendered_.reset();  // before its successor is made, so that memory holds one
  rendered_ = render_tick(size_hint);
  return rendered_;
}

Health Exposition::health(Clock::time_point now) const {
  const std::lock_guard lock(state_mutex_);
  return check_health(last_tick_, start_, now, interval_);
}

}  // namespace nettoll::exporter
