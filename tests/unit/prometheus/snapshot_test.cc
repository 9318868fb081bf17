// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/snapshot.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "exporters/prometheus/process.h"
#include "fakes/gunzip.h"
#include "unit/prometheus/exposition_text.h"
#include "unit/prometheus/sample_tick.h"
#include "unit/prometheus/sample_window.h"

namespace nettoll::exporter {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Exposition::Options options() {
  return {.version = "0.1.0", .interval = seconds(1), .limits = {}, .fs = KernelFs()};
}

TEST(Health, IsGoodForThreeIntervals) {
  const Clock::time_point start{seconds(100)};
  const struct {
    std::optional<Clock::time_point> last;
    Clock::time_point now;
    bool ok;
  } cases[] = {
      {{}, start, true},
      {{}, start + milliseconds(2999), true},
      {{}, start + seconds(3), false},
      {start + seconds(50), start + milliseconds(52999), true},
      {start + seconds(50), start + seconds(53), false},
  };
  for (const auto& c : cases) {
    const Health health = check_health(c.last, start, c.now, seconds(1));
    EXPECT_EQ(health.ok, c.ok);
    EXPECT_EQ(health.reason.empty(), c.ok);
  }
  EXPECT_EQ(check_health(start, start, start + seconds(7), seconds(2)).reason,
            "no new data for 7.0 s; one is due every 2 s");
  EXPECT_EQ(check_health({}, start, start + seconds(7), seconds(2)).reason,
            "no data since the start for 7.0 s; one is due every 2 s");
}

TEST(Exposition, RendersOncePerTick) {
  Exposition exposition(options());
  const Tick tick = sample_tick();
  const auto empty = exposition.scrape();
  EXPECT_EQ(empty->tick, 0u);
  EXPECT_EQ(exposition.scrape(), empty);
  exposition.tick(tick.profile, tick.costs);
  const auto first = exposition.scrape();
  EXPECT_NE(first, empty);
  EXPECT_EQ(exposition.scrape(), first);
  EXPECT_EQ(gunzip(first->gzip), first->text);
  exposition.tick(tick.profile, tick.costs);
  EXPECT_EQ(parse_exposition(first->text).at(R"(nettoll_path_packets_total{path="rx"})"), 100);
  EXPECT_EQ(parse_exposition(exposition.scrape()->text).at(R"(nettoll_path_packets_total{path="rx"})"), 200);
}

TEST(Exposition, ShowsADiagnosisBetweenTicks) {
  Exposition exposition(options());
  const Tick tick = sample_tick();
  exposition.tick(tick.profile, tick.costs);
  const auto before = exposition.scrape();
  exposition.diagnosed(sample_window());
  EXPECT_EQ(parse_exposition(exposition.scrape()->text).at("nettoll_diagnosis_up"), 1);
  exposition.diagnosis_failed();
  EXPECT_EQ(parse_exposition(exposition.scrape()->text).at("nettoll_diagnosis_up"), 0);
  EXPECT_FALSE(parse_exposition(before->text).contains("nettoll_diagnosis_up"));
}

TEST(Exposition, EveryScrapeShowsOneTick) {
  Exposition exposition(options());
  const Tick tick = sample_tick();
  std::atomic<bool> done = false;
  std::vector<std::thread> scrapers;
  for (int i = 0; i < 4; ++i) {
    scrapers.emplace_back([&] {
      double last = 0;
      while (!done) {
        const auto values = parse_exposition(exposition.scrape()->text);
        const double ticks = values.at("nettoll_collections_total");
        EXPECT_GE(ticks, last);
        last = ticks;
        if (ticks == 0) continue;
        EXPECT_EQ(values.at(R"(nettoll_path_packets_total{path="rx"})"), 100 * ticks);
        EXPECT_EQ(
            values.at(
                R"(nettoll_drops_total{reason="NO_SOCKET",function="udp_rcv",protocol="ipv4",device="eth0"})"),
            7 * ticks);
      }
    });
  }
  for (int i = 0; i < 200; ++i) {
    exposition.tick(tick.profile, tick.costs);
    std::this_thread::yield();
  }
  done = true;
  for (auto& scraper : scrapers) scraper.join();
  EXPECT_EQ(exposition.scrape()->tick, 200u);
}

TEST(Exposition, AThousandScrapesLeaveMemoryFlat) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer keeps freed memory";
#endif
  Exposition exposition(options());
  Tick tick = sample_tick();
  for (int i = 0; i < 60; ++i) {
    tick.costs.functions.push_back(sampled_function("function_" + std::to_string(i), Path::rx, 0,
                                                    estimate(1234.5, 3), estimate(2345.6, 9)));
  }
  const auto resident_after = [&](int scrapes) {
    for (int i = 0; i < scrapes; ++i) {
      exposition.tick(tick.profile, tick.costs);
      EXPECT_FALSE(exposition.scrape()->text.empty());
    }
    return read_process(KernelFs()).resident_bytes.value_or(0);
  };
  const uint64_t warm = resident_after(100);
  EXPECT_LE(resident_after(1000), warm + 512 * 1024);  // one text is about 30 KB
}

}  // namespace
}  // namespace nettoll::exporter
