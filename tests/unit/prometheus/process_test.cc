// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/process.h"

#include <gtest/gtest.h>

#include "fakes/fake_root.h"

namespace nettoll::exporter {
namespace {

// Fields 1 to 24 of proc(5): utime 14 is 250, stime 15 is 50, starttime 22 is 12345, vsize 23, rss 24 is 10
// pages.
constexpr const char* kStat =
    "7 (a) b (c) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 6 0 12345 1048576 10 18446744073709551615\n";

TEST(ProcessStat, ReadsPastANameWithParentheses) {
  const ProcessStats process = parse_process_stat(kStat, 100, 4096, 1'600'000'000);
  EXPECT_DOUBLE_EQ(*process.cpu_seconds, 3.0);
  EXPECT_DOUBLE_EQ(*process.start_time_seconds, 1'600'000'123.45);
  EXPECT_EQ(process.virtual_bytes, 1'048'576u);
  EXPECT_EQ(process.resident_bytes, 40'960u);
}

TEST(ProcessStat, LeavesOutWhatItCannotRead) {
  EXPECT_EQ(parse_process_stat("", 100, 4096, 1), ProcessStats{});
  EXPECT_EQ(parse_process_stat("7 (a) S 1 2", 100, 4096, 1), ProcessStats{});
  EXPECT_FALSE(parse_process_stat(kStat, 100, 4096, std::nullopt).start_time_seconds);
}

TEST(Process, ReadsTheFilesUnderTheRoot) {
  FakeRoot root;
  root.write("/proc/stat", "cpu  1 2 3\nbtime 1600000000\nprocesses 5\n");
  root.write("/proc/self/stat", kStat);
  for (const char* fd : {"0", "1", "2", "3"}) root.write(std::string("/proc/self/fd/") + fd, "");
  root.write("/proc/self/limits",
             "Limit                     Soft Limit           Hard Limit           Units\n"
             "Max open files            1024                 524288               files\n");
  const ProcessStats process = read_process(KernelFs(root.path()));
  EXPECT_EQ(process.open_fds, 3u);  // less the one that lists
  EXPECT_EQ(process.max_fds, 1024u);
  EXPECT_TRUE(process.cpu_seconds);
  EXPECT_TRUE(process.start_time_seconds);
}

TEST(Process, AnUnlimitedOrMissingFigureIsAbsent) {
  FakeRoot root;
  root.write("/proc/self/limits",
             "Max open files            unlimited            unlimited            files\n");
  EXPECT_EQ(read_process(KernelFs(root.path())), ProcessStats{});
}

TEST(Process, ReadsThisProcess) {
  const ProcessStats process = read_process(KernelFs());
  EXPECT_GT(process.resident_bytes.value_or(0), 0u);
  EXPECT_GE(process.open_fds.value_or(0), 3u);
}

}  // namespace
}  // namespace nettoll::exporter
