// SPDX-License-Identifier: Apache-2.0
#include "cli/drop_session.h"

#include <time.h>

#include <algorithm>

#include "cli/drop_filter_options.h"
#include "collect/btf_facts.h"
#include "symbolize/drop_code.h"
#include "symbolize/drop_samples.h"

namespace nettoll {
namespace {

uint64_t clock_ns(clockid_t id) {
  timespec now = {};
  ::clock_gettime(id, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

Result<DropFacts> DropFacts::load() {
  auto btf = BtfFacts::load();
  if (!btf) return btf.error();
  return DropFacts{btf->drop_reason_argument(), btf->drop_socket_argument(), btf->drop_reasons()};
}

Result<DropSession> DropSession::start(const DropFacts& facts, const DropFilter& filter, uint32_t per_second,
                                       const KernelFs& fs) {
  auto symbols = KernelSymbols::load(fs);
  if (!symbols) return symbols.error();
  auto possible = fs.possible_cpus();
  if (!possible) return possible.error();
  NetPathConfig counting;
  counting.possible = *possible;
  counting.drop_reason_argument = facts.reason_argument;
  counting.drop_socket_argument = facts.socket_argument;
  counting.drop_code = find_drop_code(*symbols);
  counting.drops_only = true;
  counting.drop_protocol = filter;
  auto counts = NetPath::attach(counting);
  if (!counts) return counts.error();
  std::optional<DropSampler> sampler;
  if (per_second) {
    auto attached =
        DropSampler::attach({*possible, facts.reason_argument, facts.socket_argument, filter, per_second});
    if (!attached) return attached.error();
    sampler.emplace(std::move(*attached));
  }
  // What came before both were there belongs to no window.
  RawBatch before;
  if (auto ok = counts->read(before, {}); !ok) return ok.error();
  Session session;
  session.drop_reasons = facts.reason_argument != 0;
  auto symbolizer = std::make_unique<Symbolizer>(fs, std::move(*symbols), facts.reasons, std::move(session));
  DropSession live(std::move(*counts), std::move(sampler), std::move(symbolizer));
  live.facts_ = facts;
  live.filter_ = filter;
  live.code_ = counting.drop_code;
  live.last_read_ns_ = clock_ns(CLOCK_MONOTONIC);
  return live;
}

Status DropSession::take_samples(const TakeSample& take) {
  if (!sampler_) return {};
  std::vector<RawDropSample> taken;
  if (auto ok = sampler_->read(taken); !ok) return ok;
  const uint64_t boot = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
  const DropSampleNames names{symbolizer_->kernel_symbols(), code_, facts_.reasons,
                              facts_.reason_argument != 0};
  for (RawDropSample& raw : taken) {
    raw.time_ns += boot;
    DropSample sample = name_drop_sample(std::move(raw), names);
    if (take) take(sample);
    if (samples_.size() < kMostKept)
      samples_.push_back(std::move(sample));
    else
      ++not_kept_;
  }
  return {};
}

void DropSession::name_namespaces(DropWindow& window) {
  std::vector<uint32_t> inodes;
  for (const Drops& row : window.drops) inodes.push_back(row.netns);
  for (const DropSample& sample : window.samples) inodes.push_back(sample.raw.id.netns);
  window.netns_names = netns_.names(std::move(inodes));
}

Result<DropWindow> DropSession::read(const TakeSample& take) {
  RawBatch batch;
  batch.start_ns = last_read_ns_;
  if (auto ok = counts_.read(batch, {}); !ok) return ok.error();
  batch.end_ns = last_read_ns_ = clock_ns(CLOCK_MONOTONIC);
  std::erase_if(batch.drops, [&](const RawDrops& drops) { return !matches(filter_, drops); });
  DropWindow window;
  window.duration_ns = batch.end_ns - batch.start_ns;
  window.wall_start_ns = clock_ns(CLOCK_REALTIME) - window.duration_ns;
  window.drop_reasons = facts_.reason_argument != 0;
  Profile profile = symbolizer_->symbolize(std::move(batch), window.wall_start_ns);
  window.drops = std::move(profile.drops);
  window.losses = std::move(profile.losses);
  if (!sampler_) {
    name_namespaces(window);
    return window;
  }
  // The account first: a sample that is in it is in the ring.
  const SampleAccount now = sampler_->account();
  if (auto ok = take_samples(take); !ok) return ok.error();
  window.account = now - account_seen_;
  account_seen_ = now;
  window.samples = std::exchange(samples_, {});
  name_namespaces(window);
  if (const uint64_t lost = std::exchange(not_kept_, 0))
    window.notes.push_back(
        fmt::format("{} samples are not among the stacks and examples: a window keeps {}", lost, kMostKept));
  return window;
}

}  // namespace nettoll
