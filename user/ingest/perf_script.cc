// SPDX-License-Identifier: Apache-2.0
#include "ingest/perf_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/byte_window.h"
#include "ingest/comm_tally.h"
#include "ingest/foreign_profile.h"
#include "ingest/line_reader.h"
#include "ingest/module_path.h"
#include "ingest/perf_data.h"
#include "ingest/script_header.h"
#include "ingest/script_line.h"
#include "ingest/stack_tally.h"
#include "model/event_name.h"

namespace nettoll {
namespace {

constexpr uint32_t kMostCpus = 8192;

/// Frames of a sample: as many as a record of the kernel has room for (perf_event_header::size has 16 bits).
constexpr size_t kMostFrames = 8192;
constexpr std::string_view kUnknownInText = "[unknown]";

/// Lets a map be asked with a view of its key.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

/// What a printed frame is. `leaf` is where the CPU was.
CodeName name_of_frame(const ScriptFrame& frame, bool leaf, Symbol& place) {
  Symbol symbol{std::string(frame.symbol), std::string(frame.dso), SymbolKind::user};
  const bool named = !frame.symbol.empty() && frame.symbol != kUnknownInText;
  place = {kUnknownName, symbol.module, SymbolKind::user};
  if (frame.dso.empty() || frame.dso == kUnknownInText) {
    symbol.module = place.module = "";
    if (named) return symbol;
    place.kind = SymbolKind::unknown;
    return leaf ? UnnamedCause::no_mapping : UnnamedCause::broken_chain;
  }
  if (is_guest_kernel_path(frame.dso)) {
    place = {kUnknownName, "[guest]", SymbolKind::unknown};
    return UnnamedCause::guest;
  }
  const std::string module = module_of_path(frame.dso);
  if (frame.symbol.starts_with("bpf_prog_") || frame.symbol.starts_with("bpf_trampoline_"))
    return Symbol{symbol.name, "bpf", SymbolKind::bpf};
  if (is_kernel_path(frame.dso) || !module.empty()) {
    symbol.kind = place.kind = SymbolKind::kernel;
    symbol.module = place.module = module.empty() ? kVmlinux : module;
    if (named) return symbol;
    return module.empty() ? UnnamedCause::no_kernel_symbols : UnnamedCause::no_module_symbols;
  }
  if (named) return symbol;
  return is_no_file(frame.dso) ? UnnamedCause::generated : UnnamedCause::stripped;
}

class ScriptReader {
 public:
  ScriptReader(ByteSource& source, const IngestOptions& options)
      : source_(source), options_(options), window_(source), names_(source.stored_bytes()) {}

  Result<Profile> read() {
    LineReader lines(window_);
    const uint64_t bound = memory_bound(source_.stored_bytes());
    while (const auto line = lines.next()) {
      if (is_hex_dump(*line))
        return failure("is the hex dump of 'perf script -D'",
                       "make the text without -D, or name the perf.data itself");
      take(*line);
      if (tally_.memory_bytes() + names_.memory_bytes() + frame_bytes_ <= bound) continue;
      notes_.push_back(
          fmt::format("reading ended at byte {} because what was read takes more memory than a text of {} "
                      "bytes may; what follows is not in these numbers",
                      window_.offset(), source_.stored_bytes()));
      ending_ = Ending::cut;
      break;
    }
    if (!window_.status()) return window_.status().error();
    note_end(lines.unended());
    end_sample();
    if (auto fine = read_to_end(source_); !fine) return fine.error();
    if (samples_ + filtered_ == 0 && without_thread_ > 0)
      return failure("is text of 'perf script' that does not say the threads of its samples",
                     "make it with the field tid, as by 'perf script -F comm,tid,time,event,ip,sym,dso'");
    if (samples_ + filtered_ == 0)
      return failure("is text without any sample of 'perf script'",
                     "name a recording, a perf.data, or text that 'perf script' printed");
    return finish(lines.cut());
  }

 private:
  void take(std::string_view line) {
    if (line.empty()) {
      closed_by_blank_ = closed_by_blank_ || of_sample();
      return end_sample();
    }
    if (line.front() == '#') return parse_script_header(line, header_);
    if (line.front() == '\t' && of_sample()) return below(line);
    if (const auto head = parse_script_sample(line)) {
      end_sample();
      begin_sample(*head);
    } else if (of_sample() && (line.front() == ' ' || line.front() == '\t')) {
      below(line);
    } else if (line.starts_with("PERF_RECORD_")) {
      end_sample();  // perf's own, which belong to no thread
      ++records_;
    } else if (line.find_first_not_of(" \t") == line.npos) {
      end_sample();
    } else if (block_ == Block::record && line.front() == '\t') {
      return;  // what a record says in further lines
    } else {
      ++skipped_;
      if (lacks_its_thread(line)) ++without_thread_;
    }
  }

  void begin_sample(const ScriptSample& head) {
    frames_below_ = 0;
    if (head.rest.find("PERF_RECORD_") != head.rest.npos && head.event.empty()) {
      block_ = Block::record;
      ++records_;
      lost_ += lost_in_record(head.rest).value_or(0);
      if (head.rest.find("PERF_RECORD_THROTTLE") != head.rest.npos) ++throttled_;
      return;
    }
    if (!wanted(head)) {
      block_ = Block::left_out;
      ++filtered_;
      return;
    }
    block_ = Block::sample;
    stack_.clear();
    event_ = event_number(head.event.empty() ? "(event not printed)" : head.event);
    if (options_.sum_comms) comm_ = head.comm;
    cpu_ = head.cpu && *head.cpu < kMostCpus ? *head.cpu : kRowWithoutCpu;
    period_ = head.period;
    if (head.time_ns) {
      first_ns_ = std::min(first_ns_, *head.time_ns);
      last_ns_ = std::max(last_ns_, *head.time_ns);
    }
    if (const auto only = parse_frame_of_line(head.rest)) add_frame(*only, head.rest);
  }

  bool wanted(const ScriptSample& head) const {
    if (options_.comm && head.comm != *options_.comm) return false;
    if (!options_.cpus.empty() && (!head.cpu || std::find(options_.cpus.begin(), options_.cpus.end(),
                                                          *head.cpu) == options_.cpus.end()))
      return false;
    return !options_.times || (head.time_ns && *head.time_ns >= options_.times->first &&
                               *head.time_ns <= options_.times->second);
  }

  /// perf closes a sample by an empty line where it prints frames below it: a text without one after its last
  /// sample, or without an end of its last line, was cut.
  void note_end(bool in_line) {
    const bool before_frames = block_ == Block::sample && stack_.empty() && has_chains_[event_];
    const bool in_sample = of_sample() && closed_by_blank_ && (frames_below_ > 0 || before_frames);
    if (ending_ != Ending::whole || !(in_line || in_sample)) return;
    ending_ = Ending::cut;
    notes_.push_back(fmt::format("the text ends inside a {}: what stood behind it is not in these numbers",
                                 in_sample ? "sample" : "line"));
  }

  /// A line below the head of a sample.
  void below(std::string_view line) {
    ++frames_below_;
    if (block_ == Block::sample) frame(line);
  }

  void frame(std::string_view line) {
    const auto parsed = parse_script_frame(line);
    if (parsed)
      add_frame(*parsed, line);
    else
      ++skipped_;
  }

  void add_frame(const ScriptFrame& frame, std::string_view line) {
    if (stack_.size() == kMostFrames) {
      ++too_deep_;
      return;
    }
    auto& known = stack_.empty() ? leaves_ : callers_;
    auto found = known.find(line);
    if (found == known.end()) {
      Symbol place;
      CodeName name = name_of_frame(frame, stack_.empty(), place);
      found = known.emplace(std::string(line), names_.add_name(std::move(name), place)).first;
      frame_bytes_ += 2 * line.size() + 200;
    }
    stack_.push_back(found->second);
  }

  void end_sample() {
    if (block_ == Block::left_out) block_ = Block::none;
    if (block_ != Block::sample) return;
    block_ = Block::none;
    ++samples_;
    uint64_t period = 1;
    if (period_)
      period = *period_;
    else if (header_period_[event_])
      period = header_period_[event_];
    else
      ++without_period_[event_];
    if (stack_.size() > 1) has_chains_[event_] = true;
    tally_.add(event_, cpu_, stack_, period);
    if (options_.sum_comms) comm_tally_.add(comm_, event_, period);
  }

  uint32_t event_number(std::string_view name) {
    if (!event_names_.empty() && event_names_[event_] == name) return event_;
    const auto found = event_numbers_.find(name);
    if (found != event_numbers_.end()) return found->second;
    const auto number = static_cast<uint32_t>(event_names_.size());
    event_numbers_.emplace(name, number);
    event_names_.emplace_back(name);
    without_period_.push_back(0);
    has_chains_.push_back(false);
    uint64_t period = 0;
    for (const Event& event : header_.events) {
      if (event.name == name) period = event.period;
    }
    header_period_.push_back(period);
    frame_bytes_ += 2 * name.size() + 200;
    return number;
  }

  Session session() const {
    Session session;
    session.host = header_.facts.host;
    session.kernel = header_.facts.release;
    session.arch = header_.facts.arch;
    session.version = header_.facts.perf_version;
    session.cpus_online = header_.facts.cpus_online;
    for (uint32_t i = 0; i < event_names_.size(); ++i) {
      Event event;
      event.kernel_only = false;
      for (const Event& known : header_.events) {
        if (known.name == event_names_[i]) event = known;
      }
      event.name = event_names_[i];
      event.chains = has_chains_[i];
      event.timer = is_clock(role_of(event.name));
      // A weight of 1 is no time.
      if (event.timer && without_period_[i] == 0) event.unit = EventUnit::nanoseconds;
      session.events.push_back(std::move(event));
    }
    return session;
  }

  Profile finish(uint64_t cut_lines) {
    Profile profile =
        std::move(names_).finish(session(),
                                 {"perf script",
                                  header_.facts.command,
                                  header_.facts.cpu,
                                  true,
                                  {},
                                  first_ns_ <= last_ns_ ? std::optional(first_ns_) : std::nullopt,
                                  comm_tally_.rows(),
                                  std::max(ending_, source_.ending())},
                                 tally_);
    profile.left_out = filtered_;
    if (first_ns_ <= last_ns_) profile.duration_ns = last_ns_ - first_ns_;
    if (lost_ > 0) profile.losses.push_back({LossKind::ring_full, "all events", lost_});
    if (throttled_ > 0) profile.losses.push_back({LossKind::throttled, "all events", throttled_});
    auto& notes = profile.session.notes;
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    const uint64_t each_one = sum(without_period_);
    if (each_one > 0)
      notes.push_back(fmt::format("{} samples do not say their period: each counts as 1", each_one));
    if (too_deep_ > 0)
      notes.push_back(fmt::format("{} callers further out than frame {} of their sample are left out",
                                  too_deep_, kMostFrames));
    if (records_ > 0) notes.push_back(fmt::format("{} records between the samples are no samples", records_));
    if (skipped_ + cut_lines > 0)
      notes.push_back(
          fmt::format("{} lines are neither samples nor frames; they were skipped", skipped_ + cut_lines));
    if (!source_.damage().empty()) notes.push_back(note_of_damage(source_));
    return profile;
  }

  static uint64_t sum(const std::vector<uint64_t>& counts) {
    uint64_t total = 0;
    for (const uint64_t count : counts) total += count;
    return total;
  }

  ByteSource& source_;
  const IngestOptions& options_;
  ByteWindow window_;
  ForeignProfile names_;
  StackTally tally_;
  CommTally comm_tally_;
  ScriptHeader header_;
  std::vector<std::string> notes_;

  std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>> leaves_;  ///< symbols by printed frame
  std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>>
      callers_;  ///< the same for other places
  uint64_t frame_bytes_ = 0;
  std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>> event_numbers_;
  std::vector<std::string> event_names_;
  std::vector<uint64_t> header_period_;   ///< by event, 0 where none is fixed
  std::vector<uint64_t> without_period_;  ///< by event: samples

  std::vector<bool> has_chains_;  ///< by event: whether any sample came with a caller

  /// What the last head began, whose further lines follow.
  enum class Block : uint8_t { none, sample, left_out, record };
  bool of_sample() const { return block_ == Block::sample || block_ == Block::left_out; }

  Block block_ = Block::none;
  bool closed_by_blank_ = false;  ///< whether any sample ended in an empty line
  uint64_t frames_below_ = 0;     ///< lines of frames below the last head

  // The sample at hand.
  uint32_t event_ = 0;
  uint32_t cpu_ = 0;
  std::string comm_;
  std::optional<uint64_t> period_;
  std::vector<uint32_t> stack_;

  Ending ending_ = Ending::whole;
  uint64_t samples_ = 0;
  uint64_t filtered_ = 0;
  uint64_t too_deep_ = 0;  ///< frames
  uint64_t records_ = 0;
  uint64_t without_thread_ = 0;  ///< of `skipped_`, heads that do not say their thread
  uint64_t skipped_ = 0;
  uint64_t lost_ = 0;
  uint64_t throttled_ = 0;
  uint64_t first_ns_ = UINT64_MAX;
  uint64_t last_ns_ = 0;
};

}  // namespace

Result<Profile> read_perf_script(ByteSource& source, const IngestOptions& options) {
  return ScriptReader(source, options).read();
}

}  // namespace nettoll
