// SPDX-License-Identifier: Apache-2.0
#include "collect/hook_ladder.h"

#include <gtest/gtest.h>
#include <linux/bpf.h>

#include "bpf/shared.h"

namespace nettoll {
namespace {

bpf_insn move(int32_t value) {
  return {BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_1, 0, 0, value};
}
bpf_insn add(int32_t value) {
  return {BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, value};
}

TEST(CodeForSlot, WritesTheByteOffsetOverTheMark) {
  const std::vector<bpf_insn> code{move(7), move(NT_SLOT_MARK), add(NT_SLOT_MARK)};
  const auto copy = code_for_slot(code, 100);
  ASSERT_EQ(copy.size(), 3u);
  EXPECT_EQ(copy[0].imm, 7);
  EXPECT_EQ(copy[1].imm, 800);
  EXPECT_EQ(copy[2].imm, NT_SLOT_MARK) << "an addition is no mark";
}

TEST(CodeForSlot, RefusesCodeWithoutOneMark) {
  EXPECT_TRUE(code_for_slot(std::vector<bpf_insn>{move(7)}, 1).empty());
  EXPECT_TRUE(code_for_slot(std::vector<bpf_insn>{move(NT_SLOT_MARK), move(NT_SLOT_MARK)}, 1).empty());
}

}  // namespace
}  // namespace nettoll
