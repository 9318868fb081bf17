// SPDX-License-Identifier: Apache-2.0
#include "cli/serve_loop.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include "base/log.h"
#include "collect/slice_turns.h"

namespace nettoll {
namespace {

/// The first window is short, so that data are there soon after the start.
constexpr std::chrono::milliseconds kFirstWindow{1000};

}  // namespace

/// A window of diagnosis ends when the host was read, and the trace is then read at once, whatever the
/// interval is.
Status ServeLoop::run() {
  if (auto ok = follow_diagnose_interval(); !ok) return ok;
  follow_budget();
  manager_.ready();
  next_ = Clock::now() + std::min<Clock::duration>(setup_.settings.interval, kFirstWindow);
  while (true) {
    const auto now = Clock::now();
    const auto alive = manager_.alive(now);
    const auto wake =
        std::min({next_, alive, diagnosis_ ? diagnosis_->step(now) : next_, follow_slices(now)});
    // Looked at before the trace is read: what ends in between waits for the next reading.
    const bool closes = diagnosis_ && diagnosis_->host_was_read();
    if (now >= next_ || closes) {
      if (auto ok = tick(closes); !ok) return ok;
      continue;
    }
    pollfd watched[] = {{signals_.fd(), POLLIN, 0}, {diagnosis_ ? diagnosis_->fd() : -1, POLLIN, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(wake - now).count();
    auto ready = session_.wait(static_cast<int>(std::min<int64_t>(left, 60'000)), watched);
    if (!ready) return ready.error();
    if (watched[0].revents && take_signals()) break;
  }
  manager_.stopping();
  return {};
}

Status ServeLoop::tick(bool closes) {
  const bool due = Clock::now() >= next_;
  auto profile = session_.read();
  if (!profile) return profile.error();
  for (const CounterWatch::Notice& notice : counters_.judge(*profile))
    spdlog::log(notice.lost ? spdlog::level::warn : spdlog::level::info, "{}", notice.text);
  exposition_.tick(*profile, correlate(*profile, &carry_));
  if (diagnosis_) diagnosis_->add(*profile, closes, exposition_);
  if (due) exposition_.estimated(session_.take_estimates());
  // Intervals that diagnosis cut short are judged with the rest of them.
  if (due) exposition_.overhead(budget_.judge(session_));
  if (due) slices_.begin_interval(Clock::now(), setup_.settings.interval);
  if (due) next_ = std::max(next_ + setup_.settings.interval, Clock::now());
  return {};
}

/// Begins or ends a slice where it is time. Returns when it is again.
ServeLoop::Clock::time_point ServeLoop::follow_slices(Clock::time_point now) {
  const SliceClock::Step step = slices_.step(now);
  if (step == SliceClock::Step::end) session_.end_slice();
  if (step == SliceClock::Step::begin) {
    if (const auto ok = session_.begin_slice(slice_room(setup_.settings.interval)); !ok)
      spdlog::warn("a slice of calls is left out: {}", ok.error().text());
    // Attaching takes a while; the slice is what comes after it.
    slices_.begun(Clock::now());
  }
  return slices_.next();
}

/// Whether to stop.
bool ServeLoop::take_signals() {
  bool again = false;
  while (const auto signal = signals_.next()) {
    if (*signal != SIGHUP) return true;
    again = true;
  }
  if (!again) return false;
  // Without a file there is nothing to read again, and the signal says that the terminal went away.
  if (source_.config.empty() && setup_.options.web_config.empty()) return true;
  manager_.reloading();
  reload();
  manager_.ready();
  return false;
}

/// All of it or nothing.
void ServeLoop::reload() {
  auto wanted = load_setup(source_.typed, source_.config);
  if (!wanted) {
    spdlog::error("the configuration stays as it was: {}", wanted.error().text());
    return;
  }
  if (!wanted->access->tls != !setup_.access->tls) {
    spdlog::error("the configuration stays as it was: TLS begins or ends at a start only; restart nettoll");
    return;
  }
  if (const auto waiting = changes_for_restart(setup_.options, wanted->options); !waiting.empty())
    spdlog::warn("changed, and taken up at the next start: {}", fmt::join(waiting, ", "));
  // What runs on is compared with the next time.
  wanted->options.trace = setup_.options.trace;
  wanted->options.address = setup_.options.address;
  wanted->options.max_functions = setup_.options.max_functions;
  setup_ = std::move(*wanted);
  server_.use(setup_.access);
  exposition_.set_interval(setup_.settings.interval);
  next_ = std::min<Clock::time_point>(next_, Clock::now() + setup_.settings.interval);
  if (const auto ok = follow_diagnose_interval(); !ok) spdlog::error("no diagnosis: {}", ok.error().text());
  follow_budget();
  spdlog::info("configuration read again: every {}, diagnosis {}, {}, {}, {}", setup_.options.interval,
               setup_.settings.diagnose_interval ? "every " + setup_.options.diagnose_interval : "off",
               setup_.settings.max_overhead
                   ? fmt::format("at most {:g}% of CPU time", *setup_.settings.max_overhead * 100)
                   : "no --max-overhead",
               setup_.access->tls ? "TLS" : "no TLS",
               setup_.access->config.users.empty()
                   ? "no users"
                   : fmt::format("{} users", setup_.access->config.users.size()));
}

/// Data without a budget are better than none.
void ServeLoop::follow_budget() {
  if (const auto ok = budget_.use(setup_.settings.max_overhead, session_); !ok)
    spdlog::error("--max-overhead is not kept: {}", ok.error().text());
}

Status ServeLoop::follow_diagnose_interval() {
  const auto& interval = setup_.settings.diagnose_interval;
  if (!interval) {
    diagnosis_.reset();
    return {};
  }
  if (diagnosis_) {
    diagnosis_->ask(*interval);
    return {};
  }
  auto created = ServeDiagnosis::create(KernelFs(), *interval);
  if (!created) return created.error();
  diagnosis_ = std::move(*created);
  return {};
}

}  // namespace nettoll
