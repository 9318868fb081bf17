// SPDX-License-Identifier: Apache-2.0
#include "ingest/perf_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "ingest/byte_window.h"
#include "ingest/captured_build_ids.h"
#include "ingest/field_reader.h"
#include "ingest/foreign_profile.h"
#include "ingest/frame_namer.h"
#include "ingest/perf_header.h"
#include "ingest/perf_samples.h"
#include "ingest/perf_sideband.h"
#include "ingest/record_stream.h"

namespace nettoll {
namespace {

/// The longest section of the file that is read at once; those in use have some kilobytes.
constexpr uint64_t kLongestSection = 64 << 20;

class PerfDataReader {
 public:
  PerfDataReader(ByteSource& source, const IngestOptions& options, CodeNames& names)
      : source_(source), options_(options), names_(names), window_(source) {}

  Result<PerfDataCapture> read() {
    auto header = parse_perf_header(window_.peek(kPerfHeaderBytes));
    if (!window_.status()) return window_.status().error();
    if (!header) return header.error();
    header_ = *header;
    if (!header_.pipe) read_attrs();
    std::optional<CommHistory> comms;
    if (options_.comm || options_.sum_comms) comms.emplace();
    PerfSideband sideband(capture_, header_, features_, comms ? &*comms : nullptr);
    if (auto fine = walk(sideband, true); !fine) return fine.error();
    if (!header_.pipe) read_features();
    if (capture_.events.empty())
      return failure("a perf.data that describes no event",
                     "record again; 'perf record' may have been killed at its start");
    capture_.samples_by_event.resize(capture_.events.events().size());
    sideband.finish();
    std::vector<std::string> about_names = names_.prepare(capture_.facts);
    ForeignProfile foreign(source_.stored_bytes());
    FrameNamer namer(capture_.spaces, names_, foreign);
    PerfSamples samples(capture_, namer, header_.order, options_, comms ? &*comms : nullptr,
                        sideband.timed());
    if (auto fine = walk(samples, false); !fine) return fine.error();
    samples.finish();
    if (auto fine = look_at_ending(); !fine) return fine.error();
    auto& notes = capture_.notes;
    notes.insert(notes.end(), about_names.begin(), about_names.end());
    const std::vector<std::string> remarks = names_.remarks();
    notes.insert(notes.end(), remarks.begin(), remarks.end());
    make_profile(std::move(foreign), samples);
    return std::move(capture_);
  }

 private:
  std::vector<uint8_t> section_bytes(const FileSection& section) {
    if (section.size > kLongestSection || !window_.seek(section.offset)) return {};
    const auto bytes = window_.peek(static_cast<size_t>(section.size));
    return {bytes.begin(),
            bytes.begin() + static_cast<std::ptrdiff_t>(std::min<uint64_t>(section.size, bytes.size()))};
  }

  void read_attrs() {
    constexpr size_t kIdsSection = 16;
    const std::vector<uint8_t> bytes = section_bytes(header_.attrs);
    if (header_.attr_size <= kIdsSection) return;
    if (bytes.size() < header_.attrs.size) cut_at("the file ends inside the list of its events");
    const std::span<const uint8_t> all(bytes);
    for (size_t at = 0; at + header_.attr_size <= all.size(); at += header_.attr_size) {
      const auto entry = all.subspan(at, header_.attr_size);
      const auto attr = parse_attr(entry.first(header_.attr_size - kIdsSection), header_.order);
      if (!attr) continue;
      FieldReader in(entry.last(kIdsSection), needs_swap(header_.order));
      FileSection ids;
      ids.offset = in.u64();
      ids.size = in.u64();
      capture_.events.add(*attr, words_of(section_bytes(ids)));
    }
    parse_event_types(section_bytes(header_.event_types), header_.order, capture_.events);
  }

  std::vector<uint64_t> words_of(const std::vector<uint8_t>& bytes) const {
    FieldReader in(bytes, needs_swap(header_.order));
    std::vector<uint64_t> words(bytes.size() / sizeof(uint64_t));
    for (uint64_t& word : words) word = in.u64();
    return words;
  }

  /// Behind the data stands a section for each feature, by rising bit.
  void read_features() {
    const size_t count = header_.features.count();
    if (count == 0 || header_.data.size == 0) return;
    const uint64_t place = header_.data.offset + header_.data.size;
    const std::vector<uint8_t> table = section_bytes({place, count * 2 * sizeof(uint64_t)});
    if (table.size() < count * 2 * sizeof(uint64_t)) {
      cut_at("the file ends before what it says of its host");
      return;
    }
    FieldReader in(table, needs_swap(header_.order));
    for (unsigned feature = 0; feature < perf::kFeatureBits; ++feature) {
      if (!header_.features.test(feature)) continue;
      FileSection section;
      section.offset = in.u64();
      section.size = in.u64();
      if (feature == perf::kTracingData) continue;  // the formats of tracepoints, megabytes
      parse_feature(feature, section_bytes(section), header_.order, capture_.facts, features_,
                    capture_.events);
    }
  }

  template <typename Visitor>
  Status walk(Visitor& visitor, bool first) {
    const bool unfinished = !header_.pipe && header_.data.size == 0;
    const uint64_t bytes = header_.pipe || unfinished ? UINT64_MAX : header_.data.size;
    if (auto fine = window_.seek(header_.pipe ? header_.size : header_.data.offset); !fine) return fine;
    RecordStream records(window_, bytes, header_.order);
    bool full = false;
    while (const auto record = records.next()) {
      visitor.take(*record);
      if (visitor.memory_bytes() > memory_bound(source_.stored_bytes())) {
        capture_.notes.push_back(fmt::format(
            "reading ended at byte {} because what was read takes more memory than a capture of {} bytes "
            "may; what follows is not in these numbers",
            record->offset, source_.stored_bytes()));
        ending_ = std::max(ending_, Ending::cut);
        full = true;
        break;
      }
    }
    if (!window_.status()) return window_.status().error();
    if (!first) return {};
    capture_.records = records.counts();
    if (unfinished)
      cut_at(
          "the file does not say how long its data is: 'perf record' did not end as it should, the last "
          "samples may be "
          "missing, and nothing is known of the host");
    if (!full && records.broken_off()) {
      ending_ = std::max(ending_, records.broken_off()->ending);
      capture_.notes.push_back(fmt::format("reading ended at byte {}: {}; what follows is lost",
                                           records.broken_off()->offset, records.broken_off()->reason));
    }
    if (records.unknown_types() > 0)
      capture_.notes.push_back(fmt::format("{} records are of types that are not known; they were skipped",
                                           records.unknown_types()));
    return {};
  }

  void cut_at(std::string note) {
    ending_ = std::max(ending_, Ending::cut);
    capture_.notes.push_back(std::move(note));
  }

  /// What was wrong with the packed bytes. Their checksum stands behind all that was read; where reading
  /// broke off, it tells whether the bytes before were right.
  Status look_at_ending() {
    if (auto fine = read_to_end(source_); !fine) return fine;
    if (source_.damage().empty()) return {};
    ending_ = std::max(ending_, source_.ending());
    capture_.notes.push_back(note_of_damage(source_));
    return {};
  }

  void make_profile(ForeignProfile&& foreign, PerfSamples& samples) {
    const CaptureFacts& facts = capture_.facts;
    Session session;
    session.host = facts.host;
    session.kernel = facts.release;
    session.arch = facts.arch;
    session.version = facts.perf_version;
    session.cpus_online = facts.cpus_online;
    session.notes = std::move(capture_.notes);
    for (const CapturedEvent& event : capture_.events.events())
      session.events.push_back(shown_event(event, features_.pmus));
    std::vector<Loss> losses;
    put_losses(session.events, losses);
    Profile& profile = capture_.profile;
    profile = std::move(foreign).finish(std::move(session),
                                        {"perf.data",
                                         facts.command,
                                         facts.cpu,
                                         capture_.cpus_known,
                                         {},
                                         capture_.first_ns,
                                         samples.comms(),
                                         ending_},
                                        samples.tally());
    profile.losses = std::move(losses);
    profile.left_out = capture_.filtered;
    profile.build_ids = captured_build_ids(files_with_build_ids(), profile.symbols);
    if (!capture_.first_ns) return;
    profile.duration_ns = *capture_.last_ns - *capture_.first_ns;
    if (features_.clock)
      profile.wall_start_ns = features_.clock->first + (*capture_.first_ns - features_.clock->second);
  }

  /// As the head tells, and as mappings do; the head's are of when recording ended.
  std::vector<FileBuildId> files_with_build_ids() const {
    std::vector<FileBuildId> files;
    for (const CapturedBuildId& id : features_.build_ids) files.emplace_back(id.path, id.build_id);
    for (const MappedFile& file : capture_.spaces.files()) {
      if (!file.symbol) files.emplace_back(file.path, file.build_id);
    }
    // Of a mapping of the kernel, which is no file.
    files.emplace_back("[kernel.kallsyms]", capture_.facts.kernel_build_id);
    return files;
  }

  void put_losses(const std::vector<Event>& events, std::vector<Loss>& losses) const {
    const auto put = [&](LossKind kind, const std::map<std::optional<uint32_t>, uint64_t>& counts) {
      for (const auto& [event, count] : counts)
        losses.push_back({kind, event ? events[*event].name : "all events", count});
    };
    put(LossKind::ring_full, capture_.lost);
    put(LossKind::throttled, capture_.throttled);
    const uint64_t unmatched = capture_.no_event + capture_.short_samples + capture_.unknown_layout;
    if (unmatched > 0) losses.push_back({LossKind::unmatched_sample, "all events", unmatched});
  }

  ByteSource& source_;
  const IngestOptions& options_;
  CodeNames& names_;
  ByteWindow window_;
  PerfHeader header_;
  FeatureFacts features_;
  PerfDataCapture capture_;
  Ending ending_ = Ending::whole;
};

}  // namespace

Result<PerfDataCapture> read_perf_data(ByteSource& source, const IngestOptions& options, CodeNames& names) {
  return PerfDataReader(source, options, names).read();
}

}  // namespace nettoll
