// SPDX-License-Identifier: Apache-2.0
// The sampler on the running kernel. Needs the right to sample all CPUs; skips where that is missing.
#include "collect/sampler.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <set>
#include <thread>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

/// The lower half of all 64-bit address spaces is user mode's.
constexpr uint64_t kFirstKernelAddress = uint64_t{1} << 63;

SamplerConfig config_for(const std::vector<std::string>& names, uint64_t frequency) {
  SamplerConfig config;
  config.events = *plan_events(names, {frequency, 0}, KernelFs());
  return config;
}

/// The sampler, or nothing after having skipped the test.
std::optional<Sampler> open_or_skip(const SamplerConfig& config, const KernelFs& fs = KernelFs()) {
  auto sampler = Sampler::open(config, fs);
  if (!sampler) {
    ADD_FAILURE() << sampler.error().text();
    return std::nullopt;
  }
  for (const auto& missing : sampler->missing()) {
    if (missing.event.name == "cpu-clock") return std::nullopt;
  }
  return std::move(*sampler);
}

#define OPEN_OR_SKIP(name, ...)          \
  auto name = open_or_skip(__VA_ARGS__); \
  if (!name) GTEST_SKIP() << "cpu-clock cannot be sampled here: needs root or CAP_PERFMON, and perf_event"

void wait_ms(Sampler& sampler, int ms) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
  while (std::chrono::steady_clock::now() < end) {
    const auto ready = sampler.wait(20);
    ASSERT_TRUE(ready) << ready.error().text();
    if (*ready) sampler.drain();
  }
}

/// A thread in user mode on one CPU, so that there is one.
class UserLoad {
 public:
  explicit UserLoad(uint32_t cpu)
      : thread_([this] {
          while (!stop_.load(std::memory_order_relaxed)) {
          }
        }) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    ::pthread_setaffinity_np(thread_.native_handle(), sizeof(set), &set);
  }
  ~UserLoad() {
    stop_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

uint64_t total(const RawBatch& batch, LossKind kind) {
  uint64_t sum = 0;
  for (const auto& loss : batch.losses) sum += loss.kind == kind ? loss.count : 0;
  return sum;
}

TEST(SamplerLive, SamplesAndCountsEveryOnlineCpu) {
  OPEN_OR_SKIP(sampler, config_for({"cpu-clock"}, 997));
  const CpuSet online = *KernelFs().online_cpus();
  EXPECT_EQ(sampler->cpus(), online);
  ASSERT_EQ(sampler->events().size(), 1u);
  EXPECT_EQ(sampler->events()[0].name, "cpu-clock");

  RawBatch batch;
  {
    UserLoad load(online.ids[0]);
    sampler->enable();
    wait_ms(*sampler, 500);
    sampler->disable();
  }
  sampler->read(batch);

  std::map<uint32_t, uint64_t> samples, periods;
  uint64_t user = 0, kernel = 0;
  size_t deepest = 0;
  for (const auto& row : batch.samples) {
    EXPECT_EQ(row.event, 0u);
    samples[row.cpu] += row.samples;
    periods[row.cpu] += row.period;
    const auto stack = batch.stacks[row.stack];
    ASSERT_FALSE(stack.empty());
    deepest = std::max(deepest, stack.size());
    if (stack[0] == kUserFrame) {
      EXPECT_EQ(stack.size(), 1u);
      user += row.samples;
      continue;
    }
    if (stack[0] == kGuestFrame) continue;
    kernel += row.samples;
    for (const uint64_t frame : stack) EXPECT_GE(frame, kFirstKernelAddress);
  }
  EXPECT_GT(user, 0u);
  EXPECT_GT(kernel, 0u);
  EXPECT_GT(deepest, 3u);
  ASSERT_EQ(batch.counts.size(), online.size());
  for (const auto& count : batch.counts) {
    EXPECT_TRUE(online.contains(count.cpu));
    EXPECT_GT(count.running_ns, 0u);
    EXPECT_LE(count.running_ns, count.enabled_ns);
    EXPECT_GT(count.value, 0u);
    EXPECT_GT(samples[count.cpu], 0u) << "CPU " << count.cpu;
    // The timer's periods cannot exceed its clock by more than the one that is under way.
    EXPECT_LE(periods[count.cpu], count.value + 2'000'000) << "CPU " << count.cpu;
  }
  EXPECT_EQ(total(batch, LossKind::unmatched_sample), 0u);
  EXPECT_EQ(total(batch, LossKind::ring_full), 0u);
}

TEST(SamplerLive, CountsAreDifferencesAndNothingComesFromNothing) {
  OPEN_OR_SKIP(sampler, config_for({"cpu-clock"}, 499));
  RawBatch before;
  sampler->read(before);
  EXPECT_TRUE(before.counts.empty());  // not enabled yet: not measured, so no row
  EXPECT_TRUE(before.samples.empty());

  sampler->enable();
  wait_ms(*sampler, 60);
  RawBatch first;
  sampler->read(first);
  wait_ms(*sampler, 60);
  sampler->disable();
  RawBatch second;
  sampler->read(second);
  ASSERT_EQ(first.counts.size(), second.counts.size());
  // Sums since the start would make the second about twice the first or more; its own window is bounded by
  // the time it was enabled.
  for (const auto& count : second.counts) EXPECT_LE(count.value, count.enabled_ns + 1'000'000);

  RawBatch after;
  sampler->read(after);
  EXPECT_TRUE(after.counts.empty());
  EXPECT_TRUE(after.samples.empty());
}

TEST(SamplerLive, SeveralEventsShareARing) {
  OPEN_OR_SKIP(sampler, config_for({"cpu-clock,context-switches,task-clock"}, 499));
  ASSERT_EQ(sampler->events().size(), 3u) << sampler->missing()[0].event.reason;
  sampler->enable();
  wait_ms(*sampler, 200);
  RawBatch batch;
  sampler->read(batch);
  std::set<uint32_t> seen;
  for (const auto& row : batch.samples) seen.insert(row.event);
  EXPECT_TRUE(seen.contains(0));
  EXPECT_TRUE(seen.contains(1));  // wait() sleeps and wakes
  EXPECT_EQ(batch.counts.size(), 3 * sampler->cpus().size());
  EXPECT_EQ(total(batch, LossKind::unmatched_sample), 0u);
}

TEST(SamplerLive, AnEventThatCannotBeOpenedCostsItselfOnly) {
  // A raw code is EINVAL or ENOENT on hosts without a PMU, and this one has all reserved bits set.
  OPEN_OR_SKIP(sampler, config_for({"cpu-clock,rffffffffffffffff"}, 99));
  ASSERT_EQ(sampler->events().size(), 1u);
  ASSERT_EQ(sampler->missing().size(), 1u);
  EXPECT_EQ(sampler->missing()[0].event.name, "rffffffffffffffff");
  EXPECT_FALSE(sampler->missing()[0].event.reason.empty());
  EXPECT_NE(sampler->missing()[0].code, 0);
}

TEST(SamplerLive, FollowsCpusThatComeAndGo) {
  const CpuSet online = *KernelFs().online_cpus();
  if (online.size() < 2) GTEST_SKIP() << "needs two CPUs";
  const CpuSet first{{online.ids[0]}}, both{{online.ids[0], online.ids[1]}};
  FakeRoot root;
  root.write("/sys/devices/system/cpu/online", format_cpu_list(first));
  root.write("/sys/devices/system/cpu/possible", format_cpu_list(both));
  OPEN_OR_SKIP(sampler, config_for({"cpu-clock"}, 199), KernelFs(root.path()));
  EXPECT_EQ(sampler->cpus(), first);
  sampler->enable();
  wait_ms(*sampler, 20);

  root.write("/sys/devices/system/cpu/online", format_cpu_list(both));
  ASSERT_TRUE(sampler->rescan());
  EXPECT_EQ(sampler->cpus(), both);
  wait_ms(*sampler, 100);

  // What the second CPU counted stays after it has gone.
  root.write("/sys/devices/system/cpu/online", format_cpu_list(first));
  ASSERT_TRUE(sampler->rescan());
  EXPECT_EQ(sampler->cpus(), first);
  RawBatch batch;
  sampler->read(batch);
  ASSERT_EQ(batch.counts.size(), 2u);
  EXPECT_EQ(batch.counts[1].cpu, both.ids[1]);
  EXPECT_GT(batch.counts[1].running_ns, 0u);

  RawBatch next;
  wait_ms(*sampler, 20);
  sampler->read(next);
  ASSERT_EQ(next.counts.size(), 1u);
  EXPECT_EQ(next.counts[0].cpu, first.ids[0]);
}

TEST(SamplerLive, MergesCountsOfACpuThatCameBackInOneWindow) {
  const CpuSet online = *KernelFs().online_cpus();
  if (online.size() < 2) GTEST_SKIP() << "needs two CPUs";
  FakeRoot root;
  const auto set_online = [&](const CpuSet& cpus) {
    root.write("/sys/devices/system/cpu/online", format_cpu_list(cpus));
  };
  set_online(online);
  OPEN_OR_SKIP(sampler, config_for({"cpu-clock"}, 199), KernelFs(root.path()));
  sampler->enable();
  wait_ms(*sampler, 20);
  set_online(CpuSet{{online.ids[0]}});
  ASSERT_TRUE(sampler->rescan());
  set_online(online);
  ASSERT_TRUE(sampler->rescan());
  wait_ms(*sampler, 20);
  RawBatch batch;
  sampler->read(batch);
  EXPECT_EQ(batch.counts.size(), online.size());
}

TEST(SamplerLive, LimitsItselfToTheCpusAskedFor) {
  const CpuSet online = *KernelFs().online_cpus();
  auto config = config_for({"cpu-clock"}, 99);
  config.cpus = CpuSet{{online.ids.back(), 60000}};
  OPEN_OR_SKIP(sampler, config);
  EXPECT_EQ(sampler->cpus(), CpuSet{{online.ids.back()}});
  ASSERT_EQ(sampler->notes().size(), 1u);
  EXPECT_NE(sampler->notes()[0].find("60000"), std::string::npos);

  config.cpus = CpuSet{{60000}};
  const auto none = Sampler::open(config, KernelFs());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::usage);
}

TEST(SamplerLive, CountsWhatAFullRingLoses) {
  auto config = config_for({"cpu-clock"}, 10000);
  config.drain_interval_ms = 1;  // the smallest ring
  OPEN_OR_SKIP(sampler, config);
  sampler->enable();
  ::usleep(400'000);  // 4,000 samples a CPU of 100 bytes or more do not fit into 64 KB
  sampler->disable();
  RawBatch batch;
  sampler->read(batch);
  uint64_t taken = 0;
  for (const auto& row : batch.samples) taken += row.samples;
  const uint64_t lost = total(batch, LossKind::ring_full);
  EXPECT_GT(lost, 0u);
  uint64_t clock_ns = 0;
  for (const auto& count : batch.counts) clock_ns += count.value;
  // Together no more than the timer fired: a loss is not counted twice.
  EXPECT_LE((taken + lost) * 100'000, clock_ns + 100'000 * 2 * batch.counts.size());
}

TEST(SamplerLive, WaitReportsOtherDescriptors) {
  OPEN_OR_SKIP(sampler, config_for({"cpu-clock"}, 99));
  UniqueFd event(::eventfd(1, EFD_CLOEXEC));
  pollfd extra[] = {{event.get(), POLLIN, 0}};
  const auto ready = sampler->wait(10'000, extra);
  ASSERT_TRUE(ready);
  EXPECT_TRUE(*ready);
  EXPECT_EQ(extra[0].revents, POLLIN);
}

}  // namespace
}  // namespace nettoll
