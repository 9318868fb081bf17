// SPDX-License-Identifier: Apache-2.0
// Builds records as the kernel writes them, and a sink that writes down what it hears.
#pragma once

#include <linux/perf_event.h>

#include <cstring>
#include <string>
#include <vector>

#include "collect/perf_record.h"

namespace nettoll {

using Words = std::vector<uint64_t>;

/// `body` behind a header with the right size.
inline Words record(uint32_t type, uint16_t misc, Words body) {
  perf_event_header header = {type, misc, static_cast<uint16_t>((body.size() + 1) * 8)};
  uint64_t word = 0;
  std::memcpy(&word, &header, sizeof(word));
  body.insert(body.begin(), word);
  return body;
}

inline uint64_t pair(uint32_t first, uint32_t second) {
  const uint32_t both[2] = {first, second};
  uint64_t word = 0;
  std::memcpy(&word, both, sizeof(word));
  return word;
}

/// A sample of event `id` on CPU 3 by thread 11 of process 10.
inline Words sample(uint64_t id, uint64_t ip, const Words& chain, uint16_t misc = PERF_RECORD_MISC_KERNEL,
                    uint64_t period = 5) {
  Words body{id, ip, pair(10, 11), 777, pair(3, 0), period, chain.size()};
  body.insert(body.end(), chain.begin(), chain.end());
  return record(PERF_RECORD_SAMPLE, misc, body);
}

/// The sample_id at the end of other records.
inline Words with_sample_id(Words body, uint64_t id) {
  body.insert(body.end(), {pair(10, 11), 777, pair(3, 0), id});
  return body;
}

/// One line for each call.
class NotingSink : public RecordSink {
 public:
  void on_sample(const Sample& s) override {
    std::string line = "sample " + std::to_string(s.id) + " cpu " + std::to_string(s.cpu) + " period " +
                       std::to_string(s.period) + ":";
    char hex[32];
    std::snprintf(hex, sizeof(hex), " %lx", static_cast<unsigned long>(s.ip));
    line += hex;
    for (const uint64_t caller : s.callers) {
      std::snprintf(hex, sizeof(hex), " %lx", static_cast<unsigned long>(caller));
      line += hex;
    }
    last = s;
    lines.push_back(line);
  }
  void on_lost(uint64_t id, uint64_t count) override { note("lost", id, count); }
  void on_lost_samples(uint64_t id, uint64_t count) override { note("lost_samples", id, count); }
  void on_throttle(uint64_t id, uint64_t time_ns) override {
    lines.push_back("throttle " + std::to_string(id) + " at " + std::to_string(time_ns));
  }
  void on_unthrottle(uint64_t id, uint64_t time_ns) override {
    lines.push_back("unthrottle " + std::to_string(id) + " at " + std::to_string(time_ns));
  }
  void on_unmatched() override { lines.emplace_back("unmatched"); }

  std::vector<std::string> lines;
  Sample last;

 private:
  void note(const char* what, uint64_t id, uint64_t count) {
    lines.push_back(std::string(what) + " " + std::to_string(id) + " " + std::to_string(count));
  }
};

}  // namespace nettoll
