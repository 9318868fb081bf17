// SPDX-License-Identifier: Apache-2.0
// nettoll record: a window of this host, kept in a file.
#include <algorithm>
#include <chrono>
#include <optional>

#include "base/atomic_file.h"
#include "base/duration.h"
#include "cli/child_command.h"
#include "cli/command.h"
#include "cli/live_session.h"
#include "cli/output.h"
#include "cli/perf_data_host.h"
#include "cli/same_file.h"
#include "cli/stop_signals.h"
#include "correlate/correlate.h"
#include "host/netns_names.h"
#include "recording/recording.h"
#include "report/format.h"
#include "report/own_cost_note.h"

namespace nettoll {
namespace {

using Clock = std::chrono::steady_clock;

/// What `nettoll report` reads too where no file is named.
constexpr const char* kDefaultOutput = "nettoll.data";

struct RecordOptions {
  TraceOptions trace;
  std::optional<std::string> duration;
  std::string output = kDefaultOutput;
  std::string perf_data;
  std::vector<std::string> command;
};

/// When recording ends: at a time, a signal, or the command's end, whichever comes first.
struct End {
  std::optional<Clock::time_point> deadline;
  int signals = -1;
  int command = -1;
};

/// Milliseconds until the deadline, at most one second so that CPUs that come back are followed.
int next_timeout(const End& end, Clock::time_point now) {
  constexpr int64_t kLongest = 1000;
  if (!end.deadline) return kLongest;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*end.deadline - now).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, kLongest));
}

Status trace_until(LiveSession& session, const End& end) {
  pollfd watched[] = {{end.signals, POLLIN, 0}, {end.command, POLLIN, 0}};
  while (!end.deadline || Clock::now() < *end.deadline) {
    for (auto& w : watched) w.revents = 0;
    auto ready = session.wait(next_timeout(end, Clock::now()), watched);
    if (!ready) return ready.error();
    if (watched[0].revents || watched[1].revents) break;
  }
  return {};
}

uint64_t count_packets(const Profile& profile, Path path) {
  uint64_t sum = 0;
  for (const auto& row : profile.packets) sum += row.path == path ? row.packets : 0;
  return sum;
}

/// Tells the perf.data of the session, before the first record comes.
Status begin_perf_data(const LiveSession& session, PerfDataFile& file) {
  auto host = perf_data_host(session.session(), KernelFs());
  if (!host) return host.error();
  const auto attrs = session.sampled_attrs();
  std::vector<PerfDataEvent> events;
  for (size_t i = 0; i < attrs.size(); ++i) events.push_back({session.session().events[i].name, attrs[i]});
  file.begin(std::move(events), std::move(*host));
  return {};
}

void print_summary(const Profile& profile, const std::string& output) {
  uint64_t samples = 0, drops = 0;
  for (const auto& row : profile.samples) samples += row.samples;
  for (const auto& row : profile.drops) drops += row.packets;
  say(fmt::format("{} recorded to {}: {} samples, {} packets received, {} sent, {} dropped",
                  format_time(static_cast<double>(profile.duration_ns)), output, format_exact(samples),
                  format_exact(count_packets(profile, Path::rx)),
                  format_exact(count_packets(profile, Path::tx)), format_exact(drops)));
  if (const std::string note = own_cost_note(profile, correlate(profile)); !note.empty()) say(note);
  say(fmt::format("nettoll report{} shows it", output == kDefaultOutput ? "" : " " + output));
}

Status record(const RecordOptions& options) {
  End end;
  std::optional<std::chrono::nanoseconds> duration;
  if (options.duration) {
    auto parsed = parse_duration(*options.duration);
    if (!parsed) return parsed.error();
    duration = *parsed;
  }
  // What can fail at the end is tried first: an hour of recording must not be lost to a missing folder.
  if (auto fine = check_output({"--perf-data", options.perf_data}, {{"the recording", options.output}});
      !fine)
    return fine;
  auto file = AtomicFile::create(options.output);
  if (!file) return file.error();
  std::optional<PerfDataFile> perf_data;
  if (!options.perf_data.empty()) {
    auto created = PerfDataFile::create(options.perf_data, KernelFs());
    if (!created) return created.error();
    perf_data.emplace(std::move(*created));
  }
  auto signals = StopSignals::take();
  if (!signals) return signals.error();
  end.signals = signals->fd();

  std::optional<ChildCommand> child;
  if (!options.command.empty()) {
    auto prepared = ChildCommand::prepare(options.command);
    if (!prepared) return prepared.error();
    child.emplace(std::move(*prepared));
    end.command = child->fd();
  }
  auto session = LiveSession::start(options.trace, KernelFs(), perf_data ? &*perf_data : nullptr);
  if (!session) return session.error();
  if (perf_data) {
    if (session->session().events.empty())
      return failure("nothing is sampled, so there is nothing for a perf.data",
                     "leave --perf-data out, or see nettoll doctor");
    if (auto ok = begin_perf_data(*session, *perf_data); !ok) return ok;
  }
  for (const std::string& note : session->session().notes) say(note);
  NetnsNamer netns(KernelFs{});
  if (child) {
    if (auto ok = child->go(); !ok) return ok;
  } else if (!duration) {
    say("recording until Ctrl-C");
  }
  if (duration) end.deadline = Clock::now() + *duration;
  if (auto ok = trace_until(*session, end); !ok) return ok;
  session->stop_sampling();
  auto profile = session->read();
  if (!profile) return profile.error();
  netns.name(*profile);
  auto bytes = encode_recording(*profile);
  if (!bytes) return bytes.error();
  if (auto ok = file->commit(*bytes); !ok) return ok;
  if (child) say(fmt::format("{} {}", options.command.front(), child->end()));
  print_summary(*profile, options.output);
  // Last, so that a disk that has room for one file alone has the recording.
  if (!perf_data) return {};
  if (auto ok = perf_data->finish(); !ok) return ok;
  say(fmt::format("{} samples written to {}", perf_data->samples(), options.perf_data));
  return {};
}

}  // namespace

void add_record(CLI::App& app, Command& chosen) {
  auto* command =
      app.add_subcommand("record", "Count and sample this host for a while, and keep it in a file");
  auto options = std::make_shared<RecordOptions>();
  command
      ->add_option("-d,--duration", options->duration, "How long, such as 10, 500ms, 2m; else until Ctrl-C")
      ->type_name("TIME");
  command->add_option("-o,--output", options->output, "The file")->capture_default_str()->type_name("FILE");
  command
      ->add_option("--perf-data", options->perf_data,
                   "Write the samples to this file as well, as a perf.data that perf report reads")
      ->type_name("FILE");
  add_counting_options(*command, options->trace, "wide");
  command->add_flag("--queues", options->trace.queues,
                    "Count packets by receive queue too (costs each packet a lookup)");
  add_sampling_options(*command, options->trace);
  add_exact_options(*command, options->trace);
  command
      ->add_option("command", options->command,
                   "Run this and trace the host until it ends: -- COMMAND ARG...")
      ->type_name("COMMAND");
  command->positionals_at_end();
  command->callback([options, &chosen] {
    chosen = [options] {
      const auto ok = record(*options);
      return ok ? kExitDone : report_error(ok.error());
    };
  });
}

}  // namespace nettoll
