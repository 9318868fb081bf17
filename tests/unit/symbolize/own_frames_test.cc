// SPDX-License-Identifier: Apache-2.0
#include "symbolize/own_frames.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace nettoll {
namespace {

/// Stacks as text, one letter a frame, leaf first:
/// lower case a..e: plain functions; P own program; O that of another nettoll; F foreign program; r
/// bpf_trace_run; T own tracepoint; X foreign tracepoint; Y own trampoline; Z foreign trampoline; n
/// __bpf_prog_enter; h migrate_disable; I interrupt entry.
FrameRoles role(char frame) {
  switch (frame) {
    case 'P':
      return kOwnProgram;
    case 'O':
      return kForeignProgram | kOtherNettoll;
    case 'F':
      return kForeignProgram;
    case 'r':
      return kDispatch | kTraceRun;
    case 'T':
      return kDispatch | kOwnHook;
    case 'X':
      return kDispatch | kForeignHook;
    case 'Y':
      return kDispatch | kTrampoline | kOwnHook;
    case 'Z':
      return kDispatch | kTrampoline | kForeignHook;
    case 'n':
      return kDispatch;
    case 'h':
      return kDispatchHelper;
    case 'I':
      return kInterrupt;
    default:
      return 0;
  }
}

std::string cut(std::string_view stack, bool has_tracepoints = true) {
  std::vector<uint32_t> frames, out;
  std::vector<FrameRoles> roles;
  for (const char frame : stack) {
    frames.push_back(static_cast<uint32_t>(frame));
    roles.push_back(role(frame));
  }
  cut_own_frames(frames, roles, '#', '=', has_tracepoints, out);
  return {out.begin(), out.end()};
}

TEST(OwnFrames, LeaveAStackAsOneFrame) {
  const struct {
    const char *stack, *rest, *why;
  } cases[] = {
      {"", "", "nothing"},
      {"abc", "abc", "no frame of ours"},
      {"Pabc", "#abc", "a program"},
      {"PrTab", "#ab", "with its dispatch"},
      {"dePrTab", "#ab", "in helpers of a program"},
      {"PYab", "#ab", "under a trampoline"},
      {"PZab", "#ab", "under a trampoline not known yet"},
      {"PrTdPrTab", "#ab", "a program that a helper of ours set off"},
      {"PrTdFXab", "#dFXab", "a program that a foreign one's helper set off"},
      {"FXdPrTab", "#ab", "a foreign program that ours set off"},
      {"FrXab", "FrXab", "a foreign program keeps its dispatch"},
      {"PaTb", "#aTb", "dispatch that is not right behind"},
      {"OrTab", "=ab", "a program of another nettoll, with its dispatch"},
      {"deOZab", "=ab", "in its helpers, under its trampoline"},
      {"OrTdPrTab", "#ab", "what a helper of ours set off"},
      {"PrTdOrXab", "#dOrXab", "a program of ours that a helper of the other set off"},
      {"abIIOrTcd", "abIIcd", "an interrupt's work in the other's program is not the other's"},
      {"FXdOrTab", "=ab", "a foreign program that the other's set off"},
      // Leaves in dispatch code.
      {"rTab", "#ab", "before or after the program"},
      {"Tab", "#ab", "in the tracepoint's loop"},
      {"rab", "#ab", "its caller jumped, but we hang on tracepoints"},
      {"hrTab", "#ab", "a helper of the dispatch"},
      {"hhrTab", "#ab", "and what that calls"},
      {"hhhrTab", "hhhrTab", "but not deeper"},
      {"hab", "hab", "the helper called by others"},
      {"h", "h", "nothing but a helper"},
      {"rXab", "rXab", "another's tracepoint"},
      {"rTaFb", "rTaFb", "a foreign program on the stack"},
      {"arTb", "arTb", "an unknown function called by the dispatch"},
      {"arb", "arb", "the same"},
      {"nYab", "#ab", "entering a program of ours"},
      {"hnYab", "#ab", "deeper"},
      {"Yab", "#ab", "in the trampoline itself"},
      {"nZab", "nZab", "another's trampoline"},
      {"Zab", "Zab", "in it"},
      {"nab", "nab", "of nobody known"},
      {"abYcd", "abcd", "a trampoline that called the function through"},
      {"abZcd", "abZcd", "another's stays"},
      {"YaFb", "YaFb", "a leaf is never lost"},
      // Interrupts.
      {"abIIPrTcd", "abIIcd", "an interrupt's work in our program is not ours"},
      {"abIIdPrTcd", "abIIcd", "nor in its helpers"},
      {"PrTIIcd", "#IIcd", "a program inside an interrupt"},
      {"PrTaIIPrTcd", "#aIIcd", "both"},
      {"IIPrTcd", "IIcd", "in the interrupt's entry"},
      {"abIIrTcd", "abIIrTcd", "dispatch of an outer part without a program stays"},
      {"rTIab", "#Iab", "dispatch inside an interrupt"},
      {"abIcIPrTd", "abIcId", "nested interrupts"},
  };
  for (const auto& c : cases) EXPECT_EQ(cut(c.stack), c.rest) << c.stack << ": " << c.why;
}

TEST(OwnFrames, TraceRunAloneIsOursOnlyWhereWeHangOnTracepoints) {
  EXPECT_EQ(cut("rab", false), "rab");
  EXPECT_EQ(cut("rTab", false), "#ab");
  EXPECT_EQ(cut("Pab", false), "#ab");
}

TEST(OwnFrames, AreLookedForOnlyWhereTheyCanBe) {
  EXPECT_FALSE(may_hold_own_frames(kInterrupt | kDispatchHelper | kForeignProgram));
  EXPECT_TRUE(may_hold_own_frames(kOwnProgram));
  EXPECT_TRUE(may_hold_own_frames(kDispatch));
}

TEST(OwnFrames, TrampolinesAreLearnedFromTheirPrograms) {
  const auto learn = [](std::string_view stack) {
    std::vector<FrameRoles> roles;
    for (const char frame : stack) roles.push_back(role(frame));
    return trampolines_of_own_programs(roles);
  };
  EXPECT_EQ(learn("aPZb"), std::vector<size_t>{2});
  EXPECT_EQ(learn("PnZb"), std::vector<size_t>{2});
  EXPECT_EQ(learn("FZb"), std::vector<size_t>{});
  EXPECT_EQ(learn("PaZb"), std::vector<size_t>{});
  EXPECT_EQ(learn("P"), std::vector<size_t>{});
}

}  // namespace
}  // namespace nettoll
