// SPDX-License-Identifier: Apache-2.0
// Captures of real hosts, where they are at hand: what perf 6.1 counts in each (EXPECTED-record-counts.txt)
// is counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <regex>

#include "ingest/ingest.h"
#include "ingest/perf_data.h"
#include "unit/ingest/test_names.h"

namespace nettoll {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::filesystem::path folder(const char* name) {
  return std::filesystem::path(NETTOLL_SOURCE_DIR) / "../shared/captures" / name;
}

#define NEEDS(path) \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path

const std::map<std::string, uint32_t> kTypes = {
    {"MMAP", 1},           {"LOST", 2},
    {"COMM", 3},           {"EXIT", 4},
    {"THROTTLE", 5},       {"UNTHROTTLE", 6},
    {"FORK", 7},           {"SAMPLE", 9},
    {"MMAP2", 10},         {"AUX", 11},
    {"ITRACE_START", 12},  {"LOST_SAMPLES", 13},
    {"SWITCH", 14},        {"SWITCH_CPU_WIDE", 15},
    {"NAMESPACES", 16},    {"KSYMBOL", 17},
    {"BPF_EVENT", 18},     {"ATTR", 64},
    {"EVENT_TYPE", 65},    {"FINISHED_ROUND", 68},
    {"ID_INDEX", 69},      {"AUXTRACE_INFO", 70},
    {"AUXTRACE", 71},      {"THREAD_MAP", 73},
    {"CPU_MAP", 74},       {"EVENT_UPDATE", 78},
    {"TIME_CONV", 79},     {"FEATURE", 80},
    {"FINISHED_INIT", 82},
};

Result<PerfDataCapture> read_data(const std::filesystem::path& path) {
  auto source = open_capture(path);
  if (!source) return source.error();
  TestNames names;
  return read_perf_data(**source, {}, names);
}

/// "name|magic=... | TOTAL=84 MMAP=80 (95.2%) SAMPLE=1 ... SAMPLE=7 SAMPLE=6 | err=": totals come with a
/// percentage, counts of each event without.
TEST(Captures, PerfDataHasThePerfCounts) {
  const auto expected = folder("perf-data") / "EXPECTED-record-counts.txt";
  NEEDS(expected);
  std::ifstream file(expected);
  std::string line;
  size_t checked = 0;
  while (std::getline(file, line)) {
    const std::string name = line.substr(0, line.find('|'));
    const std::string error = line.substr(line.rfind("err=") + 4);
    if (error.find_first_not_of(' ') != std::string::npos) continue;
    SCOPED_TRACE(name);
    const auto capture = read_data(folder("perf-data") / name);
    ASSERT_TRUE(capture.has_value()) << capture.error().text();
    std::vector<uint64_t> by_event;
    const std::regex field("([A-Z_0-9]+)=([0-9]+)( \\()?");
    for (std::sregex_iterator it(line.begin(), line.end(), field), end; it != end; ++it) {
      const std::string type = (*it)[1];
      const uint64_t count = std::stoull((*it)[2]);
      if (type == "SAMPLE" && !(*it)[3].matched) by_event.push_back(count);
      // Those in front of the percentages are totals; TOTAL counts also what perf makes itself.
      if (!(*it)[3].matched || !kTypes.contains(type)) continue;
      EXPECT_EQ(capture->records[kTypes.at(type)], count) << type;
    }
    std::vector<uint64_t> ours;
    for (const uint64_t samples : capture->samples_by_event) {
      if (samples > 0) ours.push_back(samples);
    }
    EXPECT_EQ(ours, by_event);
    uint64_t rows = 0;
    for (const StackSamples& row : capture->profile.samples) rows += row.samples;
    EXPECT_EQ(rows, capture->samples);
    EXPECT_EQ(capture->no_event + capture->short_samples + capture->unknown_layout, 0u);
    ++checked;
  }
  EXPECT_GT(checked, 30u);
}

struct Newer {
  const char* file;
  uint64_t samples;
  const char* note;  ///< that must be there, "" for none
};

TEST(Captures, PerfDataThatPerf61CannotRead) {
  NEEDS(folder("perf-data"));
  for (const auto& [name, samples, note] : {
           Newer{"lpd-sleep.compressed.data", 8, ""},
           Newer{"lpd-sleep.compressed.pipe.data", 8, ""},
           // What perf printed stands behind its records.
           Newer{"lpd-sleep.compressed2.pipe.data", 7, ""},
           Newer{"lpd-sleep.data", 7, ""},
           Newer{"quipper-perf.data.piped.intel_pt-4.14", 11, ""},
           Newer{"quipper-perf.data.piped.corrupted.zero_size_sample-3.2", 0, "reading ended at byte 49104"},
       }) {
    SCOPED_TRACE(name);
    const auto capture = read_data(folder("perf-data") / name);
    ASSERT_TRUE(capture.has_value()) << capture.error().text();
    EXPECT_EQ(capture->samples, samples);
    const auto& notes = capture->profile.session.notes;
    if (*note) {
      EXPECT_THAT(notes, Contains(HasSubstr(note)));
    } else {
      EXPECT_THAT(notes, Not(Contains(HasSubstr("reading ended"))));
    }
  }
}

TEST(Captures, HostileFilesEnd) {
  NEEDS(folder("perf-data-fuzz"));
  for (const auto& entry : std::filesystem::directory_iterator(folder("perf-data-fuzz"))) {
    SCOPED_TRACE(entry.path());
    const auto capture = read_data(entry.path());
    if (!capture) {
      EXPECT_FALSE(capture.error().message.empty());
    }
  }
}

/// Samples and the sum of periods by a rule of one line: a head has a time and a colon, a number between is
/// the period.
TEST(Captures, PerfScriptHasAllSamples) {
  NEEDS(folder("perf-script"));
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder("perf-script"))) {
    SCOPED_TRACE(entry.path());
    auto source = open_capture(entry.path());
    ASSERT_TRUE(source.has_value());
    ASSERT_EQ(*kind_of(**source), CaptureKind::perf_script);
    TestNames names;
    const auto profile = read_foreign(**source, CaptureKind::perf_script, {}, names);
    if (entry.path().string().find("-D-hexdump") != std::string::npos) {
      EXPECT_FALSE(profile.has_value());
      continue;
    }
    ASSERT_TRUE(profile.has_value()) << profile.error().text();
    uint64_t heads = 0;
    uint64_t periods = 0;
    std::ifstream file(entry.path());
    std::string line;
    const std::regex head("^ *[^\t#].* [0-9]+\\.[0-9]{6}: +([0-9]+ +)?[a-zA-Z0-9_:/.-]+:( .*)?$");
    while (std::getline(file, line)) {
      std::smatch match;
      line.resize(std::min<size_t>(line.size(), 200));  // std::regex recurses over long lines
      if (line.find("PERF_RECORD_") != std::string::npos || !std::regex_match(line, match, head)) continue;
      ++heads;
      if (match[1].matched) periods += std::stoull(match[1]);
    }
    uint64_t samples = 0;
    uint64_t sum = 0;
    for (const StackSamples& row : profile->samples) {
      samples += row.samples;
      sum += row.period;
    }
    EXPECT_EQ(samples, heads);
    if (periods > 0) {
      EXPECT_EQ(sum, periods);
    }
    for (const std::string& note : profile->session.notes)
      EXPECT_THAT(note, Not(HasSubstr("neither samples nor frames")));
    ++files;
  }
  EXPECT_GT(files, 20u);
}

}  // namespace
}  // namespace nettoll
