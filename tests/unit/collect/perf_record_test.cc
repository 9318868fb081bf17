// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_record.h"

#include <gtest/gtest.h>

#include "collect/link_register.h"
#include "model/raw_batch.h"
#include "unit/collect/record_builder.h"

namespace nettoll {
namespace {

constexpr uint64_t kKernel = static_cast<uint64_t>(PERF_CONTEXT_KERNEL);
constexpr uint64_t kUser = static_cast<uint64_t>(PERF_CONTEXT_USER);
constexpr uint64_t kGuest = static_cast<uint64_t>(PERF_CONTEXT_GUEST_KERNEL);
constexpr uint64_t kIp = 0xffffffff81000010;
using Lines = std::vector<std::string>;

Lines decode(const Words& words) {
  NotingSink sink;
  decode_record(words, sink);
  return sink.lines;
}

TEST(DecodeSample, ReadsEveryField) {
  NotingSink sink;
  decode_record(sample(9, kIp, {kKernel, kIp, 0xffffffff82000020}), sink);
  EXPECT_EQ(sink.lines, Lines{"sample 9 cpu 3 period 5: ffffffff81000010 ffffffff82000020"});
  EXPECT_EQ(sink.last.pid, 10u);
  EXPECT_EQ(sink.last.tid, 11u);
  EXPECT_EQ(sink.last.time_ns, 777u);
}

TEST(DecodeSample, TakesThePeriodOfTheEventWhereSamplesHaveNone) {
  struct FixedSink : NotingSink {
    uint64_t fixed_period(uint64_t id) const override { return id == 9 ? 1000 : 0; }
  } sink;
  Words words = sample(9, kIp, {kKernel, kIp, 0xffffffff82000020});
  words.erase(words.begin() + 6);
  decode_record(words, sink);
  decode_record(sample(8, kIp, {}), sink);
  words.resize(6);
  decode_record(words, sink);
  EXPECT_EQ(sink.lines, (Lines{"sample 9 cpu 3 period 1000: ffffffff81000010 ffffffff82000020",
                               "sample 8 cpu 3 period 5: ffffffff81000010", "unmatched"}));
}

TEST(DecodeSample, KeepsKernelFramesAlone) {
  const struct {
    const char* what;
    Words chain;
    uint16_t misc;
    const char* stack;
  } cases[] = {
      {"kernel over user",
       {kKernel, kIp, 0xffffffff82000020, kUser, 0x400000},
       PERF_RECORD_MISC_KERNEL,
       " ffffffff81000010 ffffffff82000020"},
      {"ip alone", {}, PERF_RECORD_MISC_KERNEL, " ffffffff81000010"},
      {"marker alone", {kKernel}, PERF_RECORD_MISC_KERNEL, " ffffffff81000010"},
      {"user chain of a kernel sample", {kUser, 0x400000}, PERF_RECORD_MISC_KERNEL, " ffffffff81000010"},
      {"no marker", {kIp, 0xffffffff82000020}, PERF_RECORD_MISC_KERNEL, " ffffffff81000010"},
      {"precise: ip beside the chain's start",
       {kKernel, 0xffffffff81000018, 0xffffffff82000020},
       PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_EXACT_IP,
       " ffffffff81000010 ffffffff82000020"},
      {"user mode", {kUser, 0x400000}, PERF_RECORD_MISC_USER, " 1"},
      {"user mode, no chain", {}, PERF_RECORD_MISC_USER, " 1"},
      {"guest kernel", {kGuest, 0xffffffff81000010}, PERF_RECORD_MISC_GUEST_KERNEL, " 2"},
      {"guest user", {}, PERF_RECORD_MISC_GUEST_USER, " 2"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(decode(sample(9, kIp, c.chain, c.misc)),
              Lines{std::string("sample 9 cpu 3 period 5:") + c.stack})
        << c.what;
  }
}

TEST(DecodeSample, ReadsTheLinkRegister) {
  const auto link_register = [](const Words& registers, uint16_t misc = PERF_RECORD_MISC_KERNEL) {
    Words words = sample(9, kIp, {kKernel, kIp, 0xffffffff82000020}, misc);
    words.insert(words.end(), registers.begin(), registers.end());
    NotingSink sink;
    decode_record(words, sink);
    EXPECT_EQ(sink.lines.size(), 1u);
    return sink.last.link_register;
  };
  EXPECT_EQ(link_register({}), std::nullopt);  // not asked for
  EXPECT_EQ(link_register({PERF_SAMPLE_REGS_ABI_64, 0xffff800081234567}), 0xffff800081234567);
  EXPECT_EQ(link_register({PERF_SAMPLE_REGS_ABI_NONE}), std::nullopt);
  EXPECT_EQ(link_register({PERF_SAMPLE_REGS_ABI_64}), std::nullopt);  // cut off
  EXPECT_EQ(link_register({PERF_SAMPLE_REGS_ABI_64, 0x400000}, PERF_RECORD_MISC_USER), std::nullopt);
}

TEST(ReturnAddressIn, TakesKernelAddressesAlone) {
  EXPECT_EQ(return_address_in(0xffff800081234567), 0xffff800081234567);
  EXPECT_EQ(return_address_in(0xffffffff81234567), 0xffffffff81234567);
  EXPECT_EQ(return_address_in(0x37ba800081234567), 0xffff800081234567);  // signed
  EXPECT_EQ(return_address_in(0x0000aaaab0001234), std::nullopt);        // of user mode
  EXPECT_EQ(return_address_in(0), std::nullopt);
  EXPECT_EQ(address_of_link_frame(as_link_frame(0xffff800081234567)), 0xffff800081234567);
  EXPECT_TRUE(is_link_frame(as_link_frame(0xffff800081234567)));
  for (const uint64_t other : {kUserFrame, kGuestFrame, uint64_t{0xffff800081234567}})
    EXPECT_FALSE(is_link_frame(other));
}

TEST(DecodeRecord, ReadsLossesAndThrottling) {
  EXPECT_EQ(decode(record(PERF_RECORD_LOST, 0, with_sample_id({9, 12}, 9))), Lines{"lost 9 12"});
  EXPECT_EQ(decode(record(PERF_RECORD_LOST_SAMPLES, 0, with_sample_id({7}, 8))), Lines{"lost_samples 8 7"});
  EXPECT_EQ(decode(record(PERF_RECORD_THROTTLE, 0, with_sample_id({777, 6, 5}, 6))),
            Lines{"throttle 6 at 777"});
  EXPECT_EQ(decode(record(PERF_RECORD_UNTHROTTLE, 0, with_sample_id({777, 6, 5}, 6))),
            Lines{"unthrottle 6 at 777"});
}

TEST(DecodeRecord, PassesOverKnownTypesThatAreNotOurs) {
  EXPECT_EQ(decode(record(PERF_RECORD_FORK, 0, {1, 2, 3})), Lines{});
  EXPECT_EQ(decode(record(PERF_RECORD_MMAP2, 0, {})), Lines{});
}

TEST(DecodeRecord, CountsNonsense) {
  const Lines unmatched{"unmatched"};
  EXPECT_EQ(decode({}), unmatched);
  EXPECT_EQ(decode(record(0, 0, {1, 2})), unmatched);
  EXPECT_EQ(decode(record(PERF_RECORD_MAX, 0, {1, 2})), unmatched);
  EXPECT_EQ(decode(record(12345, 0, {})), unmatched);
  EXPECT_EQ(decode(record(PERF_RECORD_LOST, 0, {9, 12})), unmatched);
  EXPECT_EQ(decode(record(PERF_RECORD_LOST_SAMPLES, 0, {9})), unmatched);
  EXPECT_EQ(decode(record(PERF_RECORD_THROTTLE, 0, {9})), unmatched);
  EXPECT_EQ(decode(record(PERF_RECORD_UNTHROTTLE, 0, {})), unmatched);
  EXPECT_EQ(decode(record(PERF_RECORD_COMM, 0, with_sample_id({9}, 9))), unmatched);

  const Words good = sample(9, kIp, {kKernel, kIp});
  for (size_t words = 1; words < good.size(); ++words) {
    EXPECT_EQ(decode(Words(good.begin(), good.begin() + static_cast<ptrdiff_t>(words))), unmatched) << words;
  }
  // More frames than there are words, up to where the sum would wrap.
  for (const uint64_t frames : {uint64_t{3}, uint64_t{1} << 32, UINT64_MAX, UINT64_MAX - 7}) {
    Words bad = good;
    bad[7] = frames;
    EXPECT_EQ(decode(bad), unmatched) << frames;
  }
  // An ip in the first page would pass for kUserFrame.
  EXPECT_EQ(decode(sample(9, 1, {})), unmatched);
}

/// Keeps the ids of the records that it is handed as they are.
struct KeepingSink : NotingSink {
  void on_record(std::span<const uint64_t> words) override { ids.push_back(event_id_in(words)); }
  std::vector<uint64_t> ids;
};

TEST(DecodeRecord, HandsOnWhatMadeSense) {
  const Words sound[] = {sample(4, kIp, {kKernel, kIp}),
                         record(PERF_RECORD_LOST, 0, with_sample_id({5, 100}, 5)),
                         record(PERF_RECORD_LOST_SAMPLES, 0, with_sample_id({100}, 6)),
                         record(PERF_RECORD_THROTTLE, 0, with_sample_id({100, 7, 7}, 7)),
                         record(PERF_RECORD_UNTHROTTLE, 0, with_sample_id({100, 8, 8}, 8)),
                         record(PERF_RECORD_COMM, 0, with_sample_id({pair(10, 11), 'x'}, 9))};
  KeepingSink sink;
  for (const Words& words : sound) decode_record(words, sink);
  EXPECT_EQ(sink.ids, (std::vector<uint64_t>{4, 5, 6, 7, 8, 9}));
  for (const Words& words : {sample(9, 1, {}), record(PERF_RECORD_LOST, 0, {9}),
                             record(PERF_RECORD_FORK, 0, with_sample_id({9}, 9)), record(0, 0, {9})})
    decode_record(words, sink);
  EXPECT_EQ(sink.ids.size(), 6u);
}

}  // namespace
}  // namespace nettoll
