// SPDX-License-Identifier: Apache-2.0
// Patching of templates, and which events exact mode reads. Nothing is loaded.
#include "collect/exact_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bpf/shared.h"
#include "collect/exact_events.h"

namespace nettoll {
namespace {

using testing::HasSubstr;

bpf_insn move(uint8_t reg, int32_t imm) {
  bpf_insn insn = {};
  insn.code = BPF_ALU64 | BPF_MOV | BPF_K;
  insn.dst_reg = reg & 0xf;
  insn.imm = imm;
  return insn;
}
bpf_insn add(uint8_t reg, int32_t imm) {
  bpf_insn insn = move(reg, imm);
  insn.code = BPF_ALU64 | BPF_ADD | BPF_K;
  return insn;
}

TEST(WithSlot, WritesOverTheMarksAlone) {
  const bpf_insn code[] = {move(1, NT_EXACT_SLOT_MARK), add(1, NT_EXACT_SLOT_MARK),
                           move(2, NT_EXACT_VECTOR_MARK), move(3, 7)};
  const auto patched = with_slot(code, 4352, 3);
  ASSERT_TRUE(patched) << patched.error().text();
  EXPECT_EQ((*patched)[0].imm, 4352);
  EXPECT_EQ((*patched)[1].imm, NT_EXACT_SLOT_MARK) << "no move of a constant";
  EXPECT_EQ((*patched)[2].imm, 3);
  EXPECT_EQ((*patched)[3].imm, 7);
  EXPECT_EQ(code[0].imm, NT_EXACT_SLOT_MARK) << "the template stays";
}

TEST(WithSlot, RefusesATemplateThatChanged) {
  const bpf_insn none[] = {move(1, 1)};
  const bpf_insn two[] = {move(1, NT_EXACT_SLOT_MARK), move(1, NT_EXACT_SLOT_MARK)};
  const bpf_insn vectors[] = {move(1, NT_EXACT_SLOT_MARK), move(1, NT_EXACT_VECTOR_MARK),
                              move(1, NT_EXACT_VECTOR_MARK)};
  for (const Instructions code : {Instructions(none), Instructions(two), Instructions(vectors)}) {
    const auto patched = with_slot(code, 0, 0);
    ASSERT_FALSE(patched);
    EXPECT_THAT(patched.error().remedy, HasSubstr("bug"));
  }
}

EventRequest request(const std::string& name, EventKind kind) {
  EventRequest r;
  r.spec.name = name;
  r.spec.kind = kind;
  return r;
}
Event event(const std::string& name) {
  Event e;
  e.name = name;
  return e;
}

TEST(ExactEvents, AreThoseOfTheCpusThatRun) {
  const std::vector<EventRequest> requests{
      request("cpu-clock", EventKind::clock), request("cycles", EventKind::cpu),
      request("page-faults", EventKind::software), request("instructions", EventKind::cpu),
      request("uncore/x/", EventKind::other)};
  const std::vector<Event> running{event("cpu-clock"), event("page-faults"), event("instructions"),
                                   event("uncore/x/")};
  std::vector<std::string> notes;
  const auto specs = exact_events(requests, running, notes);
  ASSERT_EQ(specs.size(), 1u);
  EXPECT_EQ(specs[0].name, "instructions");
  EXPECT_TRUE(notes.empty());
}

TEST(ExactEvents, BeyondTheRoomAreNamed) {
  std::vector<EventRequest> requests;
  std::vector<Event> running;
  for (int i = 0; i < NT_EXACT_EVENTS + 1; ++i) {
    requests.push_back(request("r" + std::to_string(i), EventKind::cpu));
    running.push_back(event("r" + std::to_string(i)));
  }
  std::vector<std::string> notes;
  EXPECT_EQ(exact_events(requests, running, notes).size(), static_cast<size_t>(NT_EXACT_EVENTS));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("r8 is not read"));
}

}  // namespace
}  // namespace nettoll
