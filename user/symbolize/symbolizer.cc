// SPDX-License-Identifier: Apache-2.0
#include "symbolize/symbolizer.h"

#include <algorithm>
#include <utility>

#include "model/stack_merger.h"
#include "symbolize/drop_rows.h"
#include "symbolize/module_list.h"
#include "symbolize/own_frames.h"

namespace nettoll {
namespace {

/// Above this many addresses the cache is emptied: 3 MB, many times what a kernel's network code has.
constexpr size_t kMostCachedAddresses = 1 << 17;

/// Numbers of a profile for the namer's numbers, given out in order of first use.
class ProfileNumbers {
 public:
  explicit ProfileNumbers(size_t symbols) : numbers_(symbols, kNone) {}

  uint32_t of(uint32_t number) {
    if (numbers_[number] == kNone) {
      numbers_[number] = static_cast<uint32_t>(used_.size());
      used_.push_back(number);
    }
    return numbers_[number];
  }
  /// The namer's numbers in order of the profile's.
  const std::vector<uint32_t>& used() const { return used_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> numbers_, used_;
};

/// Whether the link register, frame 1, tells of a caller that the unwinder passed over. In the function that
/// is running, it is the return address of a call that is over; in the next caller, that of this function,
/// which has a frame that says so too.
bool is_caller_by_link(std::span<const uint32_t> stack) {
  const uint32_t link = stack[1];
  return link != AddressNamer::kUnknown && link != stack[0] && (stack.size() < 3 || link != stack[2]);
}

}  // namespace

Symbolizer::Symbolizer(KernelFs fs, KernelSymbols symbols, DropReasonNames names, Session session,
                       OwnCode own)
    : fs_(std::move(fs)),
      symbols_(std::move(symbols)),
      reason_names_(std::move(names)),
      session_(std::move(session)),
      own_(std::move(own)),
      modules_(read_modules()) {}

void Symbolizer::set_session(Session session, DropReasonNames names) {
  session_ = std::move(session);
  reason_names_ = std::move(names);
}

void Symbolizer::set_own_code(OwnCode own) {
  own_ = OwnCodeNames(std::move(own));
  namer_.reset();
}

void Symbolizer::set_own_programs(const std::vector<std::string>& kallsyms_names) {
  own_.set_programs(kallsyms_names);
  namer_.reset();
}

/// A kernel without modules has no such file: then there is nothing that could change.
std::string Symbolizer::read_modules() const {
  const auto text = fs_.read("/proc/modules");
  return text ? module_fingerprint(*text) : std::string();
}

bool Symbolizer::reload() {
  ++stats_.reloads;
  reload_requested_ = false;
  // Before the symbols: a module that comes in between is then seen as a change the next time.
  std::string modules = read_modules();
  auto fresh = KernelSymbols::load(fs_);
  if (!fresh) {
    ++stats_.failed_reloads;
    return false;
  }
  symbols_ = std::move(*fresh);
  modules_ = std::move(modules);
  namer_.reset();
  return true;
}

/// Maps the batch with a table that is as new as the rate limit lets it be.
void Symbolizer::refresh(const RawBatch& batch) {
  const uint64_t now = batch.end_ns;
  if (policy_.may_reload_for_change(now) && (reload_requested_ || read_modules() != modules_))
    policy_.reloaded(now, reload());
  if (namer_.cached_addresses() > kMostCachedAddresses) namer_.reset();
  size_t unknown = map_addresses(batch);
  if (unknown > 0 && policy_.may_reload_for_miss(now)) {
    const size_t before = unknown;
    if (reload()) unknown = map_addresses(batch);
    policy_.reloaded(now, unknown < before);
  }
  stats_.unknown_frames += unknown;
}

/// Fills frames_ and locations_; gives how many of them no symbol covers.
size_t Symbolizer::map_addresses(const RawBatch& batch) {
  frames_.clear();
  frames_.reserve(batch.stacks.frame_count());
  size_t unknown = 0;
  for (size_t i = 0; i < batch.stacks.size(); ++i) {
    const size_t begin = frames_.size();
    FrameRoles all = 0;
    bool leaf = true, exact = true;
    for (const uint64_t frame : batch.stacks[i]) {
      const bool link = !leaf && is_link_frame(frame);
      const uint64_t address = link ? address_of_link_frame(frame) : frame;
      const uint32_t number = namer_.number_of_frame(address, exact && !link, symbols_, own_);
      leaf = false;
      exact = namer_.exact_below(number);
      all |= namer_.roles(number);
      unknown += number == AddressNamer::kUnknown && !link ? 1 : 0;
      frames_.push_back(number);
    }
    if ((all & kOwnProgram) && (all & kTrampoline)) learn_trampolines(std::span(frames_).subspan(begin));
  }
  locations_.clear();
  for (const RawDrops& drop : batch.drops) {
    locations_.push_back(namer_.number_of_location(drop.location, symbols_, own_));
    unknown += locations_.back() == AddressNamer::kUnknown ? 1 : 0;
  }
  return unknown;
}

/// A trampoline that called a program of ours is ours, also in stacks that hold it alone.
void Symbolizer::learn_trampolines(std::span<const uint32_t> stack) {
  std::vector<FrameRoles> roles;
  for (const uint32_t number : stack) roles.push_back(namer_.roles(number));
  for (const size_t place : trampolines_of_own_programs(roles)) {
    own_.add_trampoline(namer_.symbol(stack[place]).name);
    namer_.mark_own_trampoline(stack[place]);
  }
}

void Symbolizer::name_samples(RawBatch& batch, Profile& profile) {
  StackMerger merger(batch.stacks.size(), batch.stacks.frame_count());
  ProfileNumbers numbers(namer_.size());
  std::vector<uint32_t> stack_numbers;  // by the batch's stack
  stack_numbers.reserve(batch.stacks.size());
  std::vector<FrameRoles> roles;
  std::vector<uint32_t> without_link, cut, named;
  size_t begin = 0;
  for (size_t i = 0; i < batch.stacks.size(); ++i) {
    std::span<const uint32_t> stack = std::span(frames_).subspan(begin, batch.stacks[i].size());
    begin += stack.size();
    if (stack.size() > 1 && is_link_frame(batch.stacks[i][1]) && !is_caller_by_link(stack)) {
      without_link.assign(1, stack[0]);
      without_link.insert(without_link.end(), stack.begin() + 2, stack.end());
      stack = without_link;
    }
    FrameRoles all = 0;
    for (const uint32_t number : stack) all |= namer_.roles(number);
    if (may_hold_own_frames(all)) {
      roles.clear();
      for (const uint32_t number : stack) roles.push_back(namer_.roles(number));
      cut_own_frames(stack, roles, AddressNamer::kOwn, AddressNamer::kOther, own_.has_tracepoints(), cut);
      stack = cut;
    }
    named.clear();
    for (const uint32_t number : stack) named.push_back(numbers.of(number));
    stack_numbers.push_back(merger.add(named));
  }

  uint64_t without_stack = 0;
  std::erase_if(batch.samples, [&](StackSamples& row) {
    if (row.stack >= stack_numbers.size()) {
      without_stack += row.samples;
      return true;
    }
    row.stack = stack_numbers[row.stack];
    return false;
  });
  if (without_stack > 0)
    profile.losses.push_back({LossKind::unmatched_sample, "samples whose stack is missing", without_stack});
  profile.samples = merge_rows(std::move(batch.samples), merger.repeated());
  profile.stacks = merger.take();
  for (const uint32_t number : numbers.used()) profile.symbols.push_back(namer_.symbol(number));
}

Profile Symbolizer::symbolize(RawBatch batch, uint64_t wall_start_ns) {
  refresh(batch);
  Profile profile;
  profile.session = session_;
  profile.wall_start_ns = wall_start_ns;
  profile.duration_ns = batch.end_ns - batch.start_ns;
  profile.losses = std::move(batch.losses);
  name_samples(batch, profile);
  std::vector<Drops> drops;
  drops.reserve(batch.drops.size());
  for (size_t i = 0; i < batch.drops.size(); ++i)
    drops.push_back(
        name_drop(batch.drops[i], namer_.symbol(locations_[i]), reason_names_, session_.drop_reasons));
  // Drops that found no place in the kernel's table are drops all the same: without their kind, not without
  // trace.
  for (const Loss& loss : profile.losses) {
    if (loss.kind == LossKind::drop_table)
      drops.push_back({kOtherDrops, "", kOtherDrops, "", kOtherDrops, "", 0, loss.count});
  }
  profile.drops = merge_drops(std::move(drops));
  profile.counts = std::move(batch.counts);
  profile.calls = std::move(batch.calls);
  profile.packets = std::move(batch.packets);
  profile.napi = std::move(batch.napi);
  profile.queues = std::move(batch.queues);
  profile.softirqs = std::move(batch.softirqs);
  profile.exact = std::move(batch.exact);
  return profile;
}

}  // namespace nettoll
