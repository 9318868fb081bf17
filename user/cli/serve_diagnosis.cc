// SPDX-License-Identifier: Apache-2.0
#include "cli/serve_diagnosis.h"

#include <utility>

#include "base/cpu_time.h"
#include "base/log.h"
#include "cli/diagnosis_interval.h"
#include "correlate/correlate.h"
#include "diagnose/diagnose.h"
#include "diagnose/imbalance.h"
#include "diagnose/ledger.h"

namespace nettoll {
namespace {

double in_seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

exporter::DiagnosedWindow judge(const HostState& host, const Profile& profile) {
  const CostTable costs = correlate(profile);
  exporter::DiagnosedWindow window;
  window.diagnosis = diagnose(host, &profile, &costs);
  window.ledger = make_ledger(host, &profile);
  window.imbalances = rx_imbalances(host, &profile);
  window.end_seconds = static_cast<double>(profile.wall_start_ns + profile.duration_ns) / 1e9;
  return window;
}

}  // namespace

Result<std::unique_ptr<ServeDiagnosis>> ServeDiagnosis::create(const KernelFs& fs,
                                                               std::chrono::nanoseconds interval) {
  auto watch = HostWatch::create(fs);
  if (!watch) return watch.error();
  return std::unique_ptr<ServeDiagnosis>(new ServeDiagnosis(std::move(*watch), interval));
}

void ServeDiagnosis::ask(std::chrono::nanoseconds interval) {
  if (interval == asked_) return;
  asked_ = interval;
  interval_ = interval;
  due_ = std::min(due_, Clock::now() + interval);
  said_stretched_ = false;
}

ServeDiagnosis::Clock::time_point ServeDiagnosis::step(Clock::time_point now) {
  if (!reading_ && now >= due_) {
    watch_->begin();
    reading_ = true;
  }
  // While a reading runs its end is waited for, not a time.
  return reading_ ? Clock::time_point::max() : due_;
}

void ServeDiagnosis::add(const Profile& profile, bool closes, exporter::Exposition& exposition) {
  const auto before = thread_cpu_time();
  if (open_) trace_.add(profile);
  if (!closes) {
    cpu_ += thread_cpu_time() - before;
    return;
  }
  reading_ = false;
  const auto reading = watch_->take();
  if (!reading) {
    failed(reading.error(), exposition);
  } else if (reading->window) {
    auto window = judge(*reading->window, trace_.take());
    cpu_ += reading->cpu + thread_cpu_time() - before;
    set_interval();
    window.interval_seconds = in_seconds(interval_);
    exposition.diagnosed(window);
  }
  if (reading) {
    open_ = true;
    said_failed_ = false;
  }
  cpu_ = {};
  due_ = Clock::now() + interval_;
}

/// By what the window took.
void ServeDiagnosis::set_interval() {
  interval_ = diagnosis_interval(asked_, cpu_);
  if (interval_ > asked_ && !std::exchange(said_stretched_, true))
    spdlog::info(
        "diagnosis takes {:.3g} s of CPU time here, so it is made every {:.3g} s, not every {:.3g} s",
        in_seconds(cpu_), in_seconds(interval_), in_seconds(asked_));
}

void ServeDiagnosis::failed(const Error& error, exporter::Exposition& exposition) {
  open_ = false;
  trace_.take();
  exposition.diagnosis_failed();
  if (!std::exchange(said_failed_, true))
    spdlog::warn("no diagnosis, no ledger of drops: {}; tried again every {:.3g} s", error.text(),
                 in_seconds(interval_));
}

}  // namespace nettoll
