// SPDX-License-Identifier: Apache-2.0
#include "symbolize/own_frames.h"

#include <optional>

namespace nettoll {
namespace {

/// The first place at or after `begin` without `role`, or the end.
size_t end_of_run(std::span<const FrameRoles> roles, size_t begin, FrameRoles role) {
  while (begin < roles.size() && (roles[begin] & role)) ++begin;
  return begin;
}

size_t find_role(std::span<const FrameRoles> roles, size_t begin, FrameRoles role) {
  while (begin < roles.size() && !(roles[begin] & role)) ++begin;
  return begin;
}

FrameRoles all_of(std::span<const FrameRoles> roles) {
  FrameRoles all = 0;
  for (const FrameRoles one : roles) all |= one;
  return all;
}

/// How many frames of a part without interrupts, from its inner end, belong to programs of that role in it.
size_t program_part(std::span<const FrameRoles> part, FrameRoles program) {
  for (size_t i = part.size(); i-- > 0;) {
    if (part[i] & program) return end_of_run(part, i + 1, kDispatch);
  }
  return 0;
}

/// How many frames from the leaf are dispatch code that is ours, where no program is on the stack.
size_t own_dispatch_part(std::span<const FrameRoles> part, bool has_tracepoints) {
  // The helpers call at most one more (migrate_enable, preempt_count_sub).
  constexpr size_t kMostHelpers = 2;
  const size_t begin = end_of_run(part, 0, kDispatchHelper);
  if (begin > kMostHelpers || begin == part.size()) return 0;
  const size_t end = end_of_run(part, begin, kDispatch);
  if (begin == end) return 0;
  const FrameRoles all = all_of(part.subspan(begin, end - begin));
  if (all & kForeignHook) return 0;
  return (all & kOwnHook) || (has_tracepoints && (all & kTraceRun)) ? end : 0;
}

}  // namespace

void cut_own_frames(std::span<const uint32_t> stack, std::span<const FrameRoles> roles, uint32_t own,
                    uint32_t other, bool has_tracepoints, std::vector<uint32_t>& out) {
  out.clear();
  const bool foreign = (all_of(roles) & kForeignProgram) != 0;
  for (size_t begin = 0; begin < stack.size();) {
    // One part: what ran between two interrupts, then the frames of the outer interrupt's entry.
    const size_t end = find_role(roles, begin, kInterrupt);
    const auto part = roles.subspan(begin, end - begin);
    size_t ours = program_part(part, kOwnProgram);
    const size_t others = ours > 0 ? 0 : program_part(part, kOtherNettoll);
    if (begin == 0 && ours == 0 && !foreign) ours = own_dispatch_part(part, has_tracepoints);
    if (begin == 0 && ours + others > 0) out.push_back(ours > 0 ? own : other);
    ours += others;
    const size_t next = end_of_run(roles, end, kInterrupt);
    for (size_t i = begin + ours; i < next; ++i) {
      if (i > 0 && (roles[i] & kTrampoline) && (roles[i] & kOwnHook)) continue;
      out.push_back(stack[i]);
    }
    begin = next;
  }
}

std::vector<size_t> trampolines_of_own_programs(std::span<const FrameRoles> roles) {
  std::vector<size_t> found;
  for (size_t i = 0; i < roles.size(); ++i) {
    if (!(roles[i] & kOwnProgram)) continue;
    for (size_t k = i + 1; k < roles.size() && (roles[k] & kDispatch); ++k) {
      if (roles[k] & kTrampoline) found.push_back(k);
    }
  }
  return found;
}

}  // namespace nettoll
