// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_ring.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit/collect/record_builder.h"

namespace nettoll {
namespace {

constexpr uint64_t kKernel = static_cast<uint64_t>(PERF_CONTEXT_KERNEL);
constexpr uint64_t kIp = 0xffffffff81000010;
using Lines = std::vector<std::string>;

/// A ring in ordinary memory, filled as the kernel does.
class FakeRing {
 public:
  explicit FakeRing(size_t data_bytes) : bytes_(data_bytes) {
    const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    void* memory = ::mmap(nullptr, page + bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    page_ = static_cast<perf_event_mmap_page*>(memory);
    data_ = reinterpret_cast<uint64_t*>(static_cast<char*>(memory) + page);
    ring = PerfRing(Mapping(memory, page + bytes_), bytes_);
  }

  void start_at(uint64_t position) { page_->data_head = page_->data_tail = position; }
  void write(const Words& words) {
    for (const uint64_t word : words) {
      data_[page_->data_head / 8 % (bytes_ / 8)] = word;
      page_->data_head += 8;
    }
  }
  void set_head(uint64_t head) { page_->data_head = head; }
  uint64_t head() const { return page_->data_head; }
  uint64_t tail() const { return page_->data_tail; }
  Lines drain() {
    NotingSink sink;
    ring.drain(sink);
    return sink.lines;
  }

  PerfRing ring;

 private:
  size_t bytes_;
  perf_event_mmap_page* page_ = nullptr;
  uint64_t* data_ = nullptr;
};

TEST(PerfRing, ReadsEachRecordOnce) {
  FakeRing fake(4096);
  EXPECT_EQ(fake.drain(), Lines{});
  fake.write(sample(1, kIp, {kKernel, kIp}));
  fake.write(record(PERF_RECORD_LOST, 0, with_sample_id({1, 4}, 1)));
  EXPECT_EQ(fake.drain(), (Lines{"sample 1 cpu 3 period 5: ffffffff81000010", "lost 1 4"}));
  EXPECT_EQ(fake.tail(), fake.head());
  EXPECT_EQ(fake.drain(), Lines{});
}

TEST(PerfRing, JoinsARecordThatWraps) {
  const Words words = sample(1, kIp, {kKernel, kIp, 0xffffffff82000020, 0xffffffff82000030});
  // The end of the ring at every word of the record, header included, and positions far past the first round.
  for (size_t before = 1; before < words.size(); ++before) {
    FakeRing fake(4096);
    fake.start_at(uint64_t{4096} * 1000003 - before * 8);
    fake.write(words);
    fake.write(sample(2, kIp, {}));
    EXPECT_EQ(fake.drain(),
              (Lines{"sample 1 cpu 3 period 5: ffffffff81000010 ffffffff82000020 ffffffff82000030",
                     "sample 2 cpu 3 period 5: ffffffff81000010"}))
        << before;
    EXPECT_EQ(fake.tail(), fake.head());
  }
}

TEST(PerfRing, ReadsAFullRing) {
  FakeRing fake(4096);
  fake.start_at(4096 * 7 + 40);
  for (int i = 0; i < 64; ++i) fake.write(sample(1, kIp, {}));  // 64 bytes each
  EXPECT_EQ(fake.head() - fake.tail(), 4096u);
  EXPECT_EQ(fake.drain().size(), 64u);
}

TEST(PerfRing, DropsWhatContradictsItsBounds) {
  const struct {
    const char* what;
    uint16_t size;
  } cases[] = {{"no size", 0}, {"less than a header", 4}, {"not whole words", 68}, {"past the head", 4000}};
  for (const auto& c : cases) {
    FakeRing fake(4096);
    fake.write(sample(1, kIp, {}));
    Words bad = sample(2, kIp, {});
    perf_event_header header = {PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, c.size};
    std::memcpy(bad.data(), &header, sizeof(header));
    fake.write(bad);
    EXPECT_EQ(fake.drain(), (Lines{"sample 1 cpu 3 period 5: ffffffff81000010", "unmatched"})) << c.what;
    EXPECT_EQ(fake.tail(), fake.head());
    fake.write(sample(3, kIp, {}));
    EXPECT_EQ(fake.drain(), (Lines{"sample 3 cpu 3 period 5: ffffffff81000010"})) << c.what;
  }
  FakeRing fake(4096);
  fake.start_at(4096);
  fake.set_head(4096 * 4);  // more than the ring holds
  EXPECT_EQ(fake.drain(), Lines{"unmatched"});
  EXPECT_EQ(fake.tail(), fake.head());
}

TEST(PerfRing, EmptyOwnerReadsNothing) {
  PerfRing ring;
  NotingSink sink;
  ring.drain(sink);
  EXPECT_TRUE(sink.lines.empty());
  EXPECT_FALSE(ring);
}

TEST(PerfRing, MapSaysWhyItFails) {
  const auto ring = PerfRing::map(-1, 65536);
  ASSERT_FALSE(ring);
  EXPECT_EQ(ring.error().code, EBADF);
}

}  // namespace
}  // namespace nettoll
