// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_data_file.h"

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <type_traits>

namespace nettoll {
namespace {

// The form of the file: tools/perf/util/header.h, tools/perf/Documentation/perf.data-file-format.txt.
constexpr char kMagic[] = "PERFILE2";
constexpr uint64_t kHeadBytes = 104;
constexpr uint32_t kFinishedRound = 68;
constexpr uint16_t kBuildIdSize = 1 << 15;  // of perf_event_header::misc: the size stands behind the id
constexpr size_t kNameAlign = 64;
constexpr size_t kPiece = 256 << 10;

enum Feature : unsigned {
  kBuildId = 2,
  kHostname = 3,
  kOsRelease = 4,
  kVersion = 5,
  kArch = 6,
  kNrCpus = 7,
  kCmdline = 11,
  kEventDesc = 12,
  kClockData = 29,
};

template <typename T>
void add(std::string& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// `text` with a NUL at its end at least, in a multiple of `align` bytes.
std::string padded(std::string text, size_t align) {
  text.resize((text.size() + align) / align * align, '\0');
  return text;
}

void add_text(std::string& bytes, const std::string& text) {
  const std::string field = padded(text, kNameAlign);
  add(bytes, static_cast<uint32_t>(field.size()));
  bytes += field;
}

struct Section {
  uint64_t offset = 0;
  uint64_t size = 0;
};

std::string bytes_of_hex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::strtoul(std::string(hex.substr(i, 2)).c_str(), nullptr, 16));
  return bytes;
}

/// perf_record_header_build_id of the kernel.
std::string kernel_build_id(const std::string& hex) {
  constexpr size_t kRoom = 20;
  std::string id = bytes_of_hex(hex).substr(0, kRoom);
  const auto size = static_cast<uint8_t>(id.size());
  id.resize(kRoom, '\0');
  std::string body;
  add(body, int32_t{-1});  // the host's kernel
  body += id;
  add(body, size);
  body.append(3, '\0');
  body += padded("[kernel.kallsyms]", kNameAlign);
  perf_event_header header = {};
  header.misc = PERF_RECORD_MISC_KERNEL | kBuildIdSize;
  header.size = static_cast<uint16_t>(sizeof header + body.size());
  std::string bytes;
  add(bytes, header);
  return bytes + body;
}

}  // namespace

Result<PerfDataFile> PerfDataFile::create(const std::string& path, const KernelFs& fs) {
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  return PerfDataFile(std::move(*file), fs);
}

void PerfDataFile::put(std::string_view bytes) {
  buffer_ += bytes;
  written_ += bytes.size();
  if (buffer_.size() >= kPiece) flush();
}

void PerfDataFile::flush() {
  if (status_ && !buffer_.empty()) status_ = file_.append(buffer_);
  buffer_.clear();
}

void PerfDataFile::begin(std::vector<PerfDataEvent> events, PerfDataHost host) {
  events_ = std::move(events);
  host_ = std::move(host);
  put(std::string(kHeadBytes, '\0'));  // finish() knows what goes there
  std::string ids;
  for (uint32_t event = 0; event < events_.size(); ++event) {
    for (uint32_t cpu = 0; cpu < host_.cpu_limit; ++cpu) add(ids, id_of(event, cpu));
  }
  const uint64_t ids_at = written_;
  put(ids);
  attrs_at_ = written_;
  const uint64_t ids_bytes = host_.cpu_limit * sizeof(uint64_t);
  for (size_t event = 0; event < events_.size(); ++event) {
    std::string bytes;
    add(bytes, events_[event].attr);
    add(bytes, Section{ids_at + event * ids_bytes, ids_bytes});
    put(bytes);
  }
  data_at_ = written_;
  put_host();
}

/// With the fields of sample_id_all at its end. Zeros there are what perf itself writes: a record without a
/// time, which holds from the start.
void PerfDataFile::put_record(uint32_t type, uint16_t misc, const std::string& body) {
  constexpr size_t kSampleId = 4 * sizeof(uint64_t);
  perf_event_header header = {};
  header.type = type;
  header.misc = misc;
  header.size = static_cast<uint16_t>(sizeof header + body.size() + kSampleId);
  std::string bytes;
  add(bytes, header);
  bytes += body;
  bytes.append(kSampleId, '\0');
  put(bytes);
}

void PerfDataFile::put_host() {
  constexpr size_t kWord = sizeof(uint64_t);
  const auto mapping = [&](const PerfDataCode& code, uint64_t offset, const std::string& name) {
    std::string body;
    add(body, int32_t{-1});
    add(body, uint32_t{0});
    add(body, code.start);
    add(body, code.size);
    add(body, offset);
    put_record(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, body + padded(name, kWord));
  };
  if (host_.kernel.size > 0)
    mapping(host_.kernel, host_.kernel.start, "[kernel.kallsyms]" + host_.kernel.name);
  for (const PerfDataCode& module : host_.modules) mapping(module, 0, "[" + module.name + "]");
  for (const PerfDataCode& program : host_.bpf) {
    std::string body;
    add(body, program.start);
    add(body, static_cast<uint32_t>(program.size));
    add(body, static_cast<uint16_t>(PERF_RECORD_KSYMBOL_TYPE_BPF));
    add(body, uint16_t{0});
    put_record(PERF_RECORD_KSYMBOL, 0, body + padded(program.name.substr(0, 255), kWord));
  }
}

/// The name that a thread has now, the first time that it is seen. One that is gone has none.
void PerfDataFile::put_thread(uint32_t pid, uint32_t tid) {
  if (tid == 0 || !threads_.insert(tid).second) return;
  auto name = fs_.read(fmt::format("/proc/{}/task/{}/comm", pid, tid));
  if (!name) return;
  while (!name->empty() && name->back() == '\n') name->pop_back();
  std::string body;
  add(body, pid);
  add(body, tid);
  put_record(PERF_RECORD_COMM, 0, body + padded(name->substr(0, 15), sizeof(uint64_t)));
}

void PerfDataFile::on_record(uint32_t event, uint32_t cpu, std::span<const uint64_t> record) {
  if (!status_) return;
  perf_event_header header;
  std::memcpy(&header, record.data(), sizeof header);
  std::string bytes(reinterpret_cast<const char*>(record.data()), record.size_bytes());
  const uint64_t id = id_of(event, cpu);
  const auto put_id = [&](size_t word) { std::memcpy(bytes.data() + word * sizeof id, &id, sizeof id); };
  constexpr size_t kFirst = 1;
  if (header.type == PERF_RECORD_SAMPLE) {
    put_id(kFirst);
    // Word 3 of a sample: see decode_record().
    uint32_t thread[2];
    std::memcpy(thread, &record[3], sizeof thread);
    put_thread(thread[0], thread[1]);
    ++samples_;
  } else {
    put_id(record.size() - 1);
    if (header.type == PERF_RECORD_LOST) put_id(kFirst);
    constexpr size_t kThrottleId = 2;  // time, id, stream id
    if (header.type == PERF_RECORD_THROTTLE || header.type == PERF_RECORD_UNTHROTTLE) put_id(kThrottleId);
  }
  put(bytes);
  open_round_ = true;
}

/// Lets perf sort and hand on what came before the last round, instead of keeping all to the end.
void PerfDataFile::on_round() {
  if (!open_round_ || !status_) return;
  open_round_ = false;
  perf_event_header header = {};
  header.type = kFinishedRound;
  header.size = sizeof header;
  std::string bytes;
  add(bytes, header);
  put(bytes);
}

/// A table of sections, by rising feature, then the sections.
void PerfDataFile::put_features() {
  std::map<unsigned, std::string> features;
  if (!host_.kernel_build_id.empty()) features[kBuildId] = kernel_build_id(host_.kernel_build_id);
  add_text(features[kHostname], host_.host);
  add_text(features[kOsRelease], host_.release);
  add_text(features[kVersion], host_.version);
  add_text(features[kArch], host_.arch);
  add(features[kNrCpus], host_.cpu_limit);
  add(features[kNrCpus], host_.cpus_online);
  add(features[kCmdline], static_cast<uint32_t>(host_.command.size()));
  for (const std::string& argument : host_.command) add_text(features[kCmdline], argument);
  std::string& events = features[kEventDesc];
  add(events, static_cast<uint32_t>(events_.size()));
  add(events, static_cast<uint32_t>(sizeof(perf_event_attr)));
  for (uint32_t event = 0; event < events_.size(); ++event) {
    add(events, events_[event].attr);
    add(events, host_.cpu_limit);
    add_text(events, events_[event].name);
    for (uint32_t cpu = 0; cpu < host_.cpu_limit; ++cpu) add(events, id_of(event, cpu));
  }
  std::string& clock = features[kClockData];
  add(clock, uint32_t{1});  // version
  add(clock, static_cast<uint32_t>(CLOCK_MONOTONIC));
  add(clock, host_.wall_ns);
  add(clock, host_.monotonic_ns);

  uint64_t bits[4] = {};
  uint64_t at = written_ + features.size() * sizeof(Section);
  std::string table, bodies;
  for (const auto& [feature, body] : features) {
    bits[feature / 64] |= uint64_t{1} << feature % 64;
    add(table, Section{at, body.size()});
    at += body.size();
    bodies += body;
  }
  const uint64_t data_bytes = written_ - data_at_;
  put(table);
  put(bodies);
  flush();

  std::string head(kMagic, sizeof kMagic - 1);
  const uint64_t attr_bytes = sizeof(perf_event_attr) + sizeof(Section);
  add(head, kHeadBytes);
  add(head, attr_bytes);
  add(head, Section{attrs_at_, events_.size() * attr_bytes});
  add(head, Section{data_at_, data_bytes});
  add(head, Section{});  // event types, of old files
  add(head, bits);
  if (status_) status_ = file_.overwrite(0, head);
}

Status PerfDataFile::finish() {
  on_round();
  put_features();
  if (status_) status_ = file_.commit();
  return status_;
}

}  // namespace nettoll
