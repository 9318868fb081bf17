// SPDX-License-Identifier: Apache-2.0
#include "cli/serve_diagnosis.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <filesystem>

#include "cli/diagnosis_interval.h"
#include "fakes/fake_root.h"

namespace nettoll {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(DiagnosisInterval, IsStretchedToOnePercentOfACpu) {
  const struct {
    milliseconds asked, cpu, interval;
  } cases[] = {
      {seconds(30), milliseconds(0), seconds(30)},
      {seconds(30), milliseconds(300), seconds(30)},
      {seconds(30), milliseconds(301), milliseconds(30'100)},
      {seconds(1), milliseconds(50), seconds(5)},
      {seconds(3600), seconds(2), seconds(3600)},
  };
  for (const auto& c : cases) EXPECT_EQ(diagnosis_interval(c.asked, c.cpu), c.interval) << c.cpu.count();
}

bool wait_for(int fd) {
  pollfd watched = {fd, POLLIN, 0};
  return ::poll(&watched, 1, 60'000) == 1;
}

bool has(exporter::Exposition& exposition, const std::string& text) {
  return exposition.scrape()->text.find("\n" + text) != std::string::npos;
}

/// A second of tracing with three drops.
Profile trace(uint64_t end_seconds) {
  Profile profile;
  profile.wall_start_ns = (end_seconds - 1) * 1'000'000'000;
  profile.duration_ns = 1'000'000'000;
  profile.drops = {{"NO_SOCKET", "core", "udp_rcv", kVmlinux, "ipv4", "eth0", 1, 3}};
  return profile;
}

/// A host with a CPU, and a diagnosis of it that is always due.
struct Served {
  Served() {
    root.write("/sys/devices/system/cpu/online", "0\n");
    auto created = ServeDiagnosis::create(KernelFs(root.path()), std::chrono::nanoseconds(0));
    diagnosis = std::move(created.value());
  }
  /// Reads the host, and closes the window with a trace that ends so late.
  void window(uint64_t end_seconds) {
    diagnosis->step(ServeDiagnosis::Clock::time_point::max());
    ASSERT_TRUE(wait_for(diagnosis->fd()));
    ASSERT_TRUE(diagnosis->host_was_read());
    diagnosis->add(trace(end_seconds), true, exposition);
    EXPECT_FALSE(diagnosis->host_was_read());
  }

  FakeRoot root;
  exporter::Exposition exposition{{.version = "0.1.0"}};
  std::unique_ptr<ServeDiagnosis> diagnosis;
};

constexpr const char* kStackDrops =
    "nettoll_layer_drops_total{layer=\"stack\",device=\"eth0\",netns=\"own\"} ";

TEST(ServeDiagnosis, AWindowLiesBetweenTwoReadings) {
  Served served;
  served.window(100);  // before the first reading: of no window
  EXPECT_FALSE(has(served.exposition, "nettoll_diagnosis_up"));
  served.diagnosis->add(trace(101), false, served.exposition);
  EXPECT_FALSE(has(served.exposition, "nettoll_diagnosis_up"));
  served.window(102);
  EXPECT_TRUE(has(served.exposition, "nettoll_diagnosis_up 1"));
  EXPECT_TRUE(has(served.exposition, "nettoll_last_diagnosis_timestamp_seconds 102"));
  EXPECT_TRUE(has(served.exposition, kStackDrops + std::string("6")));
  served.window(103);
  EXPECT_TRUE(has(served.exposition, kStackDrops + std::string("9")));
}

TEST(ServeDiagnosis, AnUnreadableHostIsSaidAndTriedAgain) {
  Served served;
  served.window(100);
  served.window(101);
  EXPECT_TRUE(has(served.exposition, "nettoll_finding_checks"));
  const std::string file = served.root.path() + "/sys/devices/system/cpu/online";
  std::filesystem::remove(file);
  served.window(102);
  EXPECT_TRUE(has(served.exposition, "nettoll_diagnosis_up 0"));
  EXPECT_FALSE(has(served.exposition, "nettoll_finding_checks"));
  served.root.write("/sys/devices/system/cpu/online", "0\n");
  served.window(103);  // a first reading again
  EXPECT_TRUE(has(served.exposition, "nettoll_diagnosis_up 0"));
  served.window(104);
  EXPECT_TRUE(has(served.exposition, "nettoll_diagnosis_up 1"));
  EXPECT_TRUE(has(served.exposition, kStackDrops + std::string("6")));  // those of two whole windows
}

TEST(ServeDiagnosis, OneReadingAtATime) {
  Served served;
  const auto waits = served.diagnosis->step(ServeDiagnosis::Clock::now());
  EXPECT_EQ(waits, ServeDiagnosis::Clock::time_point::max());
  EXPECT_EQ(served.diagnosis->step(ServeDiagnosis::Clock::now()), waits);
  ASSERT_TRUE(wait_for(served.diagnosis->fd()));
  served.diagnosis->add({}, false, served.exposition);  // a tick that was read before the reading's end
  EXPECT_TRUE(served.diagnosis->host_was_read());
}

}  // namespace
}  // namespace nettoll
