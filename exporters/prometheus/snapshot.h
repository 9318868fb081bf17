// SPDX-License-Identifier: Apache-2.0
// Where the collecting thread and the scrapes meet.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/kernel_fs.h"
#include "exporters/prometheus/cumulative.h"
#include "model/cost_table.h"
#include "model/estimated_calls.h"
#include "model/overhead.h"
#include "model/profile.h"

namespace nettoll::exporter {

/// The rendered text of one moment between additions. Does not change.
struct Snapshot {
  uint64_t tick = 0;
  std::string text;     ///< text exposition format 0.0.4
  std::string gzip;     ///< the same, compressed; empty if zlib failed
  uint64_t change = 0;  ///< Totals::changes
};

/// Whether ticks still come. `reason` is a person's sentence when they do not.
struct Health {
  bool ok = true;
  std::string reason;
};

using Clock = std::chrono::steady_clock;

/// Healthy while the last tick, or the start where there was none yet, is younger than three intervals.
Health check_health(std::optional<Clock::time_point> last_tick, Clock::time_point start,
                    Clock::time_point now, Clock::duration interval);

/// Takes ticks in and gives consistent snapshots out.
///
/// A tick adds numbers and renders nothing, so that a server nobody scrapes costs no more than the addition.
/// The first scrape after an addition renders and compresses; the others share the result. Two locks:
/// `state_` is held for an addition, or by a scrape for the copy of a pointer; `render_` by a scrape while it
/// renders. So a scrape cannot hold up a tick. If a tick comes while a scrape reads the totals, the tick
/// works on a copy and leaves the scrape its own.
class Exposition {
 public:
  struct Options {
    std::string version;
    Clock::duration interval = std::chrono::seconds(1);
    SeriesLimits limits = {};
    KernelFs fs = {};  ///< for process_*
  };

  explicit Exposition(Options options);
  Exposition(const Exposition&) = delete;
  Exposition& operator=(const Exposition&) = delete;

  /// Adds one tick. For one thread, the one that collects.
  void tick(const Profile& profile, const CostTable& costs, Clock::time_point now = Clock::now());
  /// Another time between ticks, for health(). For any thread.
  void set_interval(Clock::duration interval);
  /// What nettoll took in the last interval, and what it sheds; empty: there is no budget. Likewise.
  void overhead(const std::optional<Overhead>& overhead);
  /// Adds calls that were estimated; likewise.
  void estimated(const std::vector<EstimatedCalls>& calls);
  /// Adds what diagnosis found; likewise.
  void diagnosed(const DiagnosedWindow& window);
  /// The host's counters could not be read; likewise.
  void diagnosis_failed();

  /// The last tick. For any thread. Before the first tick it holds what is known without one.
  std::shared_ptr<const Snapshot> scrape();

  Health health(Clock::time_point now = Clock::now()) const;
  const std::string& version() const { return options_.version; }

 private:
  std::shared_ptr<const Snapshot> render_tick(size_t size_hint);
  Cumulative& writable();

  const Options options_;
  const Clock::time_point start_ = Clock::now();

  mutable std::mutex state_mutex_;
  std::shared_ptr<Cumulative> state_;
  std::optional<Clock::time_point> last_tick_;
  Clock::duration interval_;

  std::mutex render_mutex_;
  std::shared_ptr<const Snapshot> rendered_;
};

}  // namespace nettoll::exporter
