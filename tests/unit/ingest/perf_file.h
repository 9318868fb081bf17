// SPDX-License-Identifier: Apache-2.0
// Writes perf.data for tests: attrs, records and the file around them, in either byte order.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/field_reader.h"
#include "ingest/perf_abi.h"

namespace nettoll {

/// Bytes that grow field by field.
class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::endian order) : swap_(needs_swap(order)) {}

  template <std::unsigned_integral T>
  Bytes& put(T value) {
    if (swap_) value = byte_swapped(value);
    const auto* raw = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), raw, raw + sizeof value);
    return *this;
  }
  Bytes& u16(uint16_t value) { return put(value); }
  Bytes& u32(uint32_t value) { return put(value); }
  Bytes& u64(uint64_t value) { return put(value); }
  /// A text with its NUL, padded to a multiple of 8.
  Bytes& text(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    do {
      bytes_.push_back(0);
    } while (bytes_.size() % 8 != 0);
    return *this;
  }
  Bytes& raw(std::string_view bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Bytes& raw(const std::vector<uint8_t>& bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  const std::vector<uint8_t>& get() const { return bytes_; }
  size_t size() const { return bytes_.size(); }

 private:
  bool swap_ = false;
  std::vector<uint8_t> bytes_;
};

/// What is set in an attr; `size` bytes of it are written.
struct TestAttr {
  uint32_t type = perf::kSoftware;
  uint64_t config = perf::kCpuClock;
  uint64_t period = 1000;
  uint64_t sample_type = perf::kIp | perf::kTid | perf::kTime | perf::kCpu;
  uint64_t read_format = 0;
  uint64_t flags = uint64_t{1} << perf::kFlagSampleIdAll;
  uint32_t size = 112;
};

inline std::vector<uint8_t> attr_bytes(const TestAttr& attr, std::endian order) {
  Bytes bytes(order);
  uint64_t flags = attr.flags;
  if (order == std::endian::big) {
    flags = 0;
    for (int i = 0; i < 64; ++i) flags |= (attr.flags >> i & 1) << (63 - i);
  }
  bytes.u32(attr.type)
      .u32(attr.size)
      .u64(attr.config)
      .u64(attr.period)
      .u64(attr.sample_type)
      .u64(attr.read_format);
  bytes.u64(flags);
  while (bytes.size() < attr.size) bytes.put(uint8_t{0});
  return bytes.get();
}

/// A perf.data in the making.
class PerfFile {
 public:
  explicit PerfFile(std::endian order = std::endian::little) : order_(order), records_(order) {}

  std::endian order() const { return order_; }
  Bytes body() const { return Bytes(order_); }

  PerfFile& event(const TestAttr& attr, std::vector<uint64_t> ids = {}) {
    events_.push_back({attr, std::move(ids)});
    return *this;
  }
  PerfFile& record(uint32_t type, uint16_t misc, const Bytes& body) {
    records_.u32(type)
        .u16(misc)
        .u16(static_cast<uint16_t>(body.size() + perf::kRecordHeaderBytes))
        .raw(body.get());
    return *this;
  }
  /// Bytes among the records that belong to none.
  PerfFile& raw(const Bytes& bytes) {
    records_.raw(bytes.get());
    return *this;
  }
  /// pid and tid are equal; the trailer is that of TestAttr's default.
  PerfFile& mmap(uint32_t pid, uint64_t start, uint64_t length, uint64_t offset, std::string_view path,
                 uint64_t time, uint16_t misc = perf::kModeUser) {
    Bytes bytes(order_);
    bytes.u32(pid).u32(pid).u64(start).u64(length).u64(offset).text(path);
    return record(perf::kMmap, misc, trailer(bytes, pid, time));
  }
  PerfFile& comm(uint32_t pid, std::string_view name, uint64_t time, bool exec = false) {
    Bytes bytes(order_);
    bytes.u32(pid).u32(pid).text(name);
    return record(perf::kComm, exec ? perf::kMiscCommExec : 0, trailer(bytes, pid, time));
  }
  PerfFile& fork(uint32_t pid, uint32_t parent, uint64_t time) {
    Bytes bytes(order_);
    bytes.u32(pid).u32(parent).u32(pid).u32(parent).u64(time);
    return record(perf::kFork, 0, trailer(bytes, pid, time));
  }
  /// A sample of TestAttr's default sample_type.
  PerfFile& sample(uint32_t pid, uint64_t ip, uint64_t time, uint16_t mode = perf::kModeUser,
                   uint32_t cpu = 0) {
    Bytes bytes(order_);
    bytes.u64(ip).u32(pid).u32(pid).u64(time).u32(cpu).u32(0);
    return record(perf::kSample, mode, bytes);
  }

  const std::vector<uint8_t>& records() const { return records_.get(); }

  /// With sections; `features` are (bit, bytes) by rising bit.
  std::vector<uint8_t> file(
      const std::vector<std::pair<unsigned, std::vector<uint8_t>>>& features = {}) const {
    const size_t attr_size = events_.empty() ? 128 : events_.front().attr.size + 16;
    std::vector<uint64_t> id_offsets;
    uint64_t at = 104;
    for (const TestEvent& event : events_) {
      id_offsets.push_back(at);
      at += event.ids.size() * 8;
    }
    const uint64_t attrs = at;
    const uint64_t data = attrs + events_.size() * attr_size;
    Bytes bytes(order_);
    // The magic is a number, which the writer's byte order turns round.
    bytes.u64(0x32454c4946524550);
    bytes.u64(104)
        .u64(attr_size)
        .u64(attrs)
        .u64(events_.size() * attr_size)
        .u64(data)
        .u64(records_.size())
        .u64(0)
        .u64(0);
    uint64_t words[4] = {};
    for (const auto& [bit, feature] : features) words[bit / 64] |= uint64_t{1} << bit % 64;
    for (const uint64_t word : words) bytes.u64(word);
    for (const TestEvent& event : events_) {
      for (const uint64_t id : event.ids) bytes.u64(id);
    }
    for (size_t i = 0; i < events_.size(); ++i) {
      bytes.raw(attr_bytes(events_[i].attr, order_)).u64(id_offsets[i]).u64(events_[i].ids.size() * 8);
    }
    bytes.raw(records_.get());
    uint64_t place = data + records_.size() + features.size() * 16;
    for (const auto& [bit, feature] : features) {
      bytes.u64(place).u64(feature.size());
      place += feature.size();
    }
    for (const auto& [bit, feature] : features) bytes.raw(feature);
    return bytes.get();
  }

  /// As it goes through a pipe: events are records in front.
  std::vector<uint8_t> pipe() const {
    Bytes bytes(order_);
    bytes.u64(0x32454c4946524550).u64(16);
    for (const TestEvent& event : events_) {
      Bytes attr(order_);
      attr.raw(attr_bytes(event.attr, order_));
      for (const uint64_t id : event.ids) attr.u64(id);
      bytes.u32(perf::kHeaderAttr).u16(0).u16(static_cast<uint16_t>(attr.size() + 8)).raw(attr.get());
    }
    bytes.raw(records_.get());
    return bytes.get();
  }

  /// A feature's text: its room in front.
  std::vector<uint8_t> text_feature(std::string_view text) const {
    Bytes bytes(order_);
    bytes.u32(64).raw(text);
    while (bytes.size() < 68) bytes.put(uint8_t{0});
    return bytes.get();
  }

 private:
  struct TestEvent {
    TestAttr attr;
    std::vector<uint64_t> ids;
  };

  static Bytes& trailer(Bytes& bytes, uint32_t pid, uint64_t time) {
    return bytes.u32(pid).u32(pid).u64(time).u32(0).u32(0);
  }

  std::endian order_;
  std::vector<TestEvent> events_;
  Bytes records_;
};

}  // namespace nettoll
