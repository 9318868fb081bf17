// SPDX-License-Identifier: Apache-2.0
// A perf.data of what is sampled here, for perf report and perf script.
//
// The records of the rings go into the file as the kernel wrote them, with one change: an event has an id of
// its own on each CPU each time it is opened, and a file must name all ids before its data; so the id in a
// record becomes one made of event and CPU, which are known before. Records that tell of the host (where the
// kernel and its modules are, BPF programs, names of threads) stand among them without a time, as those that
// perf itself makes.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/atomic_file.h"
#include "base/kernel_fs.h"
#include "base/result.h"
#include "collect/record_tap.h"

namespace nettoll {

/// A range of code with a name.
struct PerfDataCode {
  std::string name;
  uint64_t start = 0;
  uint64_t size = 0;
};

/// What a perf.data says of its host.
struct PerfDataHost {
  std::string host;
  std::string release;
  std::string arch;
  std::string version;               ///< of the program that writes it
  std::vector<std::string> command;  ///< its arguments
  uint32_t cpu_limit = 0;            ///< 1 + the largest possible CPU id
  uint32_t cpus_online = 0;
  uint64_t wall_ns = 0;               ///< CLOCK_REALTIME ...
  uint64_t monotonic_ns = 0;          ///< ... and CLOCK_MONOTONIC at one moment
  PerfDataCode kernel;                ///< its name is the symbol at its start
  std::string kernel_build_id;        ///< lower-case hex, "" where unknown
  std::vector<PerfDataCode> modules;  ///< as /proc/modules names them
  std::vector<PerfDataCode> bpf;      ///< BPF programs and trampolines
};

/// One event of a perf.data.
struct PerfDataEvent {
  std::string name;
  perf_event_attr attr;
};

/// Writes one file. It appears with finish(), whole, by rename.
class PerfDataFile : public RecordTap {
 public:
  /// Makes the temporary file: fails where the folder cannot be written. `fs` is where names of threads are
  /// looked up.
  static Result<PerfDataFile> create(const std::string& path, const KernelFs& fs);

  /// Writes the head. To be called once, before the first record; `events` are those of the sampler, in its
  /// order. Failures are kept for finish().
  void begin(std::vector<PerfDataEvent> events, PerfDataHost host);

  void on_record(uint32_t event, uint32_t cpu, std::span<const uint64_t> record) override;
  void on_round() override;

  /// Completes the file and puts it in place. The first failure since create(): then there is no file.
  Status finish();

  /// Samples written.
  uint64_t samples() const { return samples_; }

 private:
  PerfDataFile(AtomicFile file, const KernelFs& fs) : file_(std::move(file)), fs_(fs) {}

  uint64_t id_of(uint32_t event, uint32_t cpu) const { return uint64_t{event} * host_.cpu_limit + cpu + 1; }
  void put_host();
  void put_thread(uint32_t pid, uint32_t tid);
  void put_record(uint32_t type, uint16_t misc, const std::string& body);
  void put_features();
  void put(std::string_view bytes);
  void flush();

  AtomicFile file_;
  KernelFs fs_;
  std::vector<PerfDataEvent> events_;
  PerfDataHost host_;
  std::string buffer_;
  uint64_t written_ = 0;  ///< bytes up to here, the buffer's among them
  uint64_t attrs_at_ = 0;
  uint64_t data_at_ = 0;
  uint64_t samples_ = 0;
  bool open_round_ = false;  ///< a record came since the last round
  std::unordered_set<uint32_t> threads_;
  Status status_;
};

}  // namespace nettoll
