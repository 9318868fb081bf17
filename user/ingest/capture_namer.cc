// SPDX-License-Identifier: Apache-2.0
#include "ingest/capture_namer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ingest/foreign_profile.h"
#include "ingest/frame_cache.h"
#include "ingest/module_path.h"

namespace nettoll {
namespace {

bool is_marker(uint64_t word) {
  return word >= perf::kContextMax;
}

uint8_t mode_after(uint64_t marker) {
  switch (marker) {
    case perf::kContextKernel:
      return perf::kModeKernel;
    case perf::kContextUser:
      return perf::kModeUser;
    case perf::kContextHypervisor:
      return perf::kModeHypervisor;
    case perf::kContextGuest:
    case perf::kContextGuestKernel:
      return perf::kModeGuestKernel;
    case perf::kContextGuestUser:
      return perf::kModeGuestUser;
    default:
      return perf::kModeUnknown;
  }
}

class CaptureNamer {
 public:
  CaptureNamer(const PerfDataCapture& capture, CodeNames& names, ForeignProfile& builder)
      : capture_(capture), names_(names), builder_(builder) {}

  /// Leaves the symbols of a stack in `frames_`.
  std::span<const uint32_t> name(std::span<const uint64_t> words) {
    frames_.clear();
    kernel_space_ = static_cast<uint32_t>(words[0] >> 32);
    user_space_ = static_cast<uint32_t>(words[0]);
    auto mode = static_cast<uint8_t>(words[1]);
    const uint64_t ip = words[3];
    const auto chain = words.subspan(kStackHeadWords);
    bool first = true;   // of its mode
    bool begun = false;  // whether the chain has come to an address
    if (ip != 0) add(mode, ip, true);
    for (size_t i = 0; i < chain.size(); ++i) {
      const uint64_t word = chain[i];
      if (word == perf::kContextUserDeferred) {
        ++i;  // a number that the deferred stack carries too
        continue;
      }
      if (is_marker(word)) {
        mode = mode_after(word);
        first = true;
        continue;
      }
      const bool again = !begun && word == ip;
      if (!again) add(mode, word, first);
      // The chain's own begin names the function that the sample's place is in: one frame, not a recursion.
      if (!begun && !again && frames_.size() == 2 && frames_[0] == frames_[1]) frames_.pop_back();
      begun = true;
      first = false;
    }
    return frames_;
  }

 private:
  void add(uint8_t mode, uint64_t address, bool exact) {
    const bool leaf = frames_.empty();
    const uint32_t space = mode == perf::kModeKernel ? kernel_space_
                           : mode == perf::kModeUser ? user_space_
                                                     : 0;
    // A return address may be the first byte behind its function. Callers without a mapping have another
    // cause than leaves, so they are told apart.
    const FrameKey key{exact || address == 0 ? address : address - 1, space, mode + (leaf ? 0u : 8u)};
    frames_.push_back(cache_.find_or(
        key, [&] { return builder_.add_name(look_up(mode, space, key.address, leaf), where_); }));
  }

  /// Leaves in `where_` what is known of a place without a name.
  CodeName look_up(uint8_t mode, uint32_t space, uint64_t address, bool leaf) {
    switch (mode) {
      case perf::kModeKernel:
        return kernel(space, address);
      case perf::kModeUser:
        return user(space, address, leaf);
      case perf::kModeHypervisor:
        where_ = {kUnknownName, "[hypervisor]", SymbolKind::unknown};
        return UnnamedCause::guest;
      case perf::kModeGuestKernel:
      case perf::kModeGuestUser:
        where_ = {kUnknownName, "[guest]", SymbolKind::unknown};
        return UnnamedCause::guest;
      default:
        where_ = {kUnknownName, "", SymbolKind::unknown};
        return UnnamedCause::no_mapping;
    }
  }

  CodeName kernel(uint32_t space, uint64_t address) {
    const CodeMapping* mapping = capture_.spaces.find(space, address);
    std::string module;
    if (mapping) {
      const MappedFile& file = capture_.spaces.file(mapping->file);
      if (file.symbol) return Symbol{file.path, "bpf", SymbolKind::bpf};
      module = module_of_path(file.path);
    }
    where_ = {kUnknownName, module.empty() ? kVmlinux : module, SymbolKind::kernel};
    return names_.kernel(address, module);
  }

  CodeName user(uint32_t space, uint64_t address, bool leaf) {
    const CodeMapping* mapping = capture_.spaces.find(space, address);
    where_ = {kUnknownName, "", SymbolKind::user};
    if (!mapping)
      return !leaf && !capture_.spaces.empty(space) ? UnnamedCause::broken_chain : UnnamedCause::no_mapping;
    const MappedFile& file = capture_.spaces.file(mapping->file);
    where_.module = file.path;
    if (is_no_file(file.path)) return UnnamedCause::generated;
    return names_.user(file, address - mapping->start + mapping->file_offset);
  }

  const PerfDataCapture& capture_;
  CodeNames& names_;
  ForeignProfile& builder_;
  FrameCache cache_;
  std::vector<uint32_t> frames_;
  uint32_t kernel_space_ = 0;
  uint32_t user_space_ = 0;
  Symbol where_;
};

Session session_of(const PerfDataCapture& capture) {
  Session session;
  session.host = capture.facts.host;
  session.kernel = capture.facts.release;
  session.arch = capture.facts.arch;
  session.version = capture.facts.perf_version;
  session.cpus_online = capture.facts.cpus_online;
  session.notes = capture.notes;
  for (const CapturedEvent& event : capture.events.events()) session.events.push_back(shown_event(event));
  return session;
}

void put_losses(const PerfDataCapture& capture, std::vector<Loss>& losses) {
  const auto put = [&](LossKind kind, const std::map<std::optional<uint32_t>, uint64_t>& counts) {
    for (const auto& [event, count] : counts)
      losses.push_back(
          {kind, event ? shown_event(capture.events.events()[*event]).name : "all events", count});
  };
  put(LossKind::ring_full, capture.lost);
  put(LossKind::throttled, capture.throttled);
  const uint64_t unmatched = capture.no_event + capture.short_samples + capture.unknown_layout;
  if (unmatched > 0) losses.push_back({LossKind::unmatched_sample, "all events", unmatched});
}

}  // namespace

Profile name_capture(PerfDataCapture capture, CodeNames& names, uint64_t stored_bytes) {
  Session session = session_of(capture);
  for (auto& note : names.prepare(capture.facts)) session.notes.push_back(std::move(note));
  Foreign foreign{"perf.data", capture.facts.command, capture.facts.cpu, capture.cpus_known, {}};
  ForeignProfile builder(std::move(session), std::move(foreign), stored_bytes);
  size_t frames = 0;
  for (size_t i = 0; i < capture.tally.stacks(); ++i)
    frames += capture.tally.stack(i).size() - kStackHeadWords + 1;
  builder.expect(capture.tally.stacks(), frames);
  CaptureNamer namer(capture, names, builder);
  std::vector<uint32_t> stacks;
  stacks.reserve(capture.tally.stacks());
  for (size_t i = 0; i < capture.tally.stacks(); ++i)
    stacks.push_back(builder.add_stack(namer.name(capture.tally.stack(i))));
  std::vector<StackSamples> rows = capture.tally.rows();
  for (StackSamples& row : rows) row.stack = stacks[row.stack];

  Profile profile = std::move(builder).finish(std::move(rows));
  put_losses(capture, profile.losses);
  profile.wall_start_ns = capture.wall_start_ns;
  if (capture.first_ns) profile.duration_ns = *capture.last_ns - *capture.first_ns;
  return profile;
}

}  // namespace nettoll
