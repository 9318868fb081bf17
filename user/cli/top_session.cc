// SPDX-License-Identifier: Apache-2.0
#include "cli/top_session.h"

#include <sys/resource.h>

#include <utility>

#include "correlate/correlate.h"
#include "diagnose/diagnose.h"
#include "diagnose/ledger.h"
#include "model/append_window.h"

namespace nettoll {
namespace {

using Clock = std::chrono::steady_clock;

/// CPU time of this process, in the kernel too.
uint64_t own_cpu_ns() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_usec) * 1000;
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

}  // namespace

Result<TopSession> TopSession::start(const TraceOptions& options, const KernelFs& fs) {
  auto session = LiveSession::start(options, fs);
  if (!session) return session.error();
  auto host = HostReader::open(fs);
  if (!host) return host.error();
  TopSession top(std::move(*session), std::move(*host));
  top.host_read_ = Clock::now();
  top.cpu_ns_ = own_cpu_ns();
  return top;
}

Result<std::shared_ptr<tui::TopData>> TopSession::read() {
  auto profile = session_.read();
  if (!profile) return profile.error();
  auto data = std::make_shared<tui::TopData>();
  data->profile = std::move(*profile);
  data->cost = correlate(data->profile);
  if (auto ok = judge(data->profile); !ok)
    data->notes.push_back("the host's counters cannot be read, so nothing is judged: " + ok.error().text());
  data->judgement = judgement_;
  const uint64_t cpu_ns = own_cpu_ns();
  data->own = {cpu_ns - std::exchange(cpu_ns_, cpu_ns), data->profile.duration_ns};
  return data;
}

/// The trace and the host's counters have to be of the same time, so both begin anew together.
Status TopSession::judge(const Profile& window) {
  const bool whole = !unjudged_ || append_window(*unjudged_, window);
  if (!unjudged_) unjudged_ = window;
  if (whole && Clock::now() - host_read_ < kJudgedWindow) return {};
  auto state = host_.next();
  host_read_ = Clock::now();
  const Profile traced = *std::exchange(unjudged_, std::nullopt);
  if (!state) return state.error();
  if (!whole) return {};
  const CostTable costs = correlate(traced);
  judgement_ = {diagnose(*state, &traced, &costs), make_ledger(*state, &traced), state->seconds,
                state->notes};
  return {};
}

}  // namespace nettoll
