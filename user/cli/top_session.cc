// SPDX-License-Identifier: Apache-2.0
#include "cli/top_session.h"

#include <utility>

#include "base/cpu_time.h"
#include "cli/diagnosis_interval.h"
#include "correlate/correlate.h"
#include "diagnose/diagnose.h"
#include "diagnose/ledger.h"

namespace nettoll {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

Result<TopSession> TopSession::start(const TraceOptions& options, const KernelFs& fs) {
  auto session = LiveSession::start(options, fs);
  if (!session) return session.error();
  auto host = HostReader::open(fs);
  if (!host) return host.error();
  TopSession top(std::move(*session), std::move(*host));
  top.host_read_ = Clock::now();
  top.cpu_ = process_cpu_time();
  return top;
}

Result<std::shared_ptr<tui::TopData>> TopSession::read() {
  auto profile = session_.read();
  if (!profile) return profile.error();
  auto data = std::make_shared<tui::TopData>();
  data->profile = std::move(*profile);
  netns_.name(data->profile);
  data->cost = correlate(data->profile);
  if (auto ok = judge(data->profile); !ok)
    data->notes.push_back("the host's counters cannot be read, so nothing is judged: " + ok.error().text());
  data->judgement = judgement_;
  const auto cpu = process_cpu_time();
  data->own = {static_cast<uint64_t>((cpu - std::exchange(cpu_, cpu)).count()), data->profile.duration_ns};
  return data;
}

/// The trace and the host's counters have to be of the same time, so both begin anew together.
Status TopSession::judge(const Profile& window) {
  const auto cpu = thread_cpu_time();
  unjudged_.add(window);
  if (Clock::now() - host_read_ < judged_every_) return {};
  auto state = host_.next();
  host_read_ = Clock::now();
  const Profile traced = unjudged_.take();
  if (!state) return state.error();
  const CostTable costs = correlate(traced);
  judgement_ = {diagnose(*state, &traced, &costs), make_ledger(*state, &traced), state->seconds,
                state->notes};
  judged_every_ = diagnosis_interval(kJudgedWindow, thread_cpu_time() - cpu);
  return {};
}

}  // namespace nettoll
