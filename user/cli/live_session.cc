// SPDX-License-Identifier: Apache-2.0
#include "cli/live_session.h"

#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/capabilities.h"
#include "cli/counting_notes.h"
#include "cli/version.h"
#include "symbolize/drop_code.h"
#include "symbolize/module_list.h"

namespace nettoll {
namespace {

uint64_t realtime_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

/// How often modules that came or went are looked for: a read of /proc/modules.
constexpr std::chrono::seconds kModulesEvery{1};

/// A kernel without modules has no such file: then there is nothing that could change. None where it cannot
/// be read now, for want of a descriptor, say.
std::optional<std::string> read_modules(const KernelFs& fs) {
  const auto text = fs.read("/proc/modules");
  // Numbers of sysfs are given out in turn (__kernfs_new_node(), fs/kernfs/dir.c).
  const auto identity = [&](std::string_view name) -> uint64_t {
    struct stat folder = {};
    return ::stat(fs.path(fmt::format("/sys/module/{}", name)).c_str(), &folder) == 0 ? folder.st_ino : 0;
  };
  if (text) return module_fingerprint(*text, identity);
  return text.error().code == ENOENT ? std::optional<std::string>("") : std::nullopt;
}

/// Without those of some modules.
FunctionEntries without_modules(FunctionEntries entries, const std::vector<std::string>& gone) {
  return [entries = std::move(entries), gone](std::string_view name) {
    auto found = entries(name);
    std::erase_if(found, [&](const FunctionEntry& entry) {
      return std::find(gone.begin(), gone.end(), entry.module) != gone.end();
    });
    return found;
  };
}

/// Whether a function is counted, in slices too, or will be once its module is there.
bool may_count_any(const Session& session) {
  return std::any_of(session.functions.begin(), session.functions.end(), [](const CountedFunction& function) {
    return function.method != Method::samples || function.state == CountState::estimated ||
           (function.state == CountState::absent && function.module != kVmlinux);
  });
}

constexpr std::string_view kPartial = "counted in a part of the window alone";

/// Why a function is counted in a part of a window alone.
std::string partial_because(const CountedFunction& before, const CountedFunction& now) {
  if (now.state == CountState::shed) return "shed in it";
  if (before.state == CountState::shed) return "taken back in it";
  return fmt::format("module {} {} in it", now.module, is_counted(before.state) ? "went" : "came");
}

/// Marks functions that are counted now and were not before, or the other way round. Returns whether there is
/// one.
bool mark_partial(const std::vector<CountedFunction>& before, std::vector<CountedFunction>& now) {
  bool any = false;
  for (size_t i = 0; i < now.size() && i < before.size(); ++i) {
    const bool was = is_counted(before[i].state);
    const bool already = before[i].condition.starts_with(kPartial);
    if (was == is_counted(now[i].state) && !already) continue;
    const std::string why = partial_because(before[i], now[i]);
    if (was) now[i] = before[i];
    if (!already) now[i].condition = fmt::format("{}: {}", kPartial, why);
    now[i].denominator = false;
    any = true;
  }
  return any;
}

}  // namespace

Result<LiveSession> LiveSession::start(const TraceOptions& options, const KernelFs& fs, RecordTap* tap) {
  if (auto ok = check_tracing_rights(fs); !ok) return ok.error();
  // Before the symbols: a module that comes while the start goes on is then seen as a change at the first look.
  std::string modules = read_modules(fs).value_or("");
  auto symbols = KernelSymbols::load(fs);
  if (!symbols) return symbols.error();
  auto config = collector_config(options, *symbols, fs);
  if (!config) return config.error();
  config->drop_code = find_drop_code(*symbols);
  config->sampler.tap = tap;
  auto collector = Collector::start(*config, function_entries(*symbols), fs);
  if (!collector) return collector.error();
  if (!options.events.empty() && !collector->missing_events().empty()) {
    const MissingEvent& missing = collector->missing_events().front().event;
    return failure(fmt::format("event {}: {}", missing.name, missing.reason));
  }
  Session session = collector->session();
  session.version = version();
  if (!may_count_any(session))
    return failure(fmt::format("no function can be counted by {} here", options.method),
                   "nettoll functions tells why; leave --method out");
  std::vector<std::string> named;
  for (const NamedFunction& function : config->plan.extra) named.push_back(function.name);
  OwnCode own{collector->own_programs(), collector->own_tracepoints()};
  auto symbolizer = std::make_unique<Symbolizer>(fs, std::move(*symbols), collector->drop_reasons(), session,
                                                 std::move(own));
  // The table is older than our own programs.
  symbolizer->request_reload();
  LiveSession live(std::move(*collector), std::move(symbolizer), std::move(session));
  live.named_ = std::move(named);
  live.notes_ = live.session_.notes;
  live.describe_functions();
  live.fs_ = fs;
  live.modules_ = std::move(modules);
  return live;
}

Result<bool> LiveSession::wait(int timeout_ms, std::span<pollfd> extra) {
  auto ready = collector_.wait(timeout_ms, extra);
  if (!ready) return ready;
  // A recording is one window: modules that come in it are not to wait for its end.
  const auto now = std::chrono::steady_clock::now();
  if (now - modules_read_ >= kModulesEvery) {
    modules_read_ = now;
    follow_modules();
  }
  return ready;
}

/// A failure costs what is new alone, so tracing goes on.
void LiveSession::follow_modules() {
  auto modules = read_modules(fs_);
  if (!modules || *modules == modules_) return;
  const auto arrived = arrived_modules(modules_, *modules);
  modules_ = std::move(*modules);
  if (const auto done = count_anew(arrived); !done)
    spdlog::warn("functions of modules that came or went are not followed: {}", done.error().text());
}

Status LiveSession::count_anew(const std::vector<std::string>& arrived) {
  auto symbols = KernelSymbols::load(fs_);
  if (!symbols) return symbols.error();
  // A module that came back to its place looks as if it had stayed, and has lost its probes (kill_kprobe() in
  // kernel/kprobes.c): it counts as gone first. So does any that came: it may have been there before, and
  // back by the time that the symbols were read when it had gone.
  if (!arrived.empty()) {
    if (auto done = collector_.follow_modules(without_modules(function_entries(*symbols), arrived), fs_);
        !done)
      return done;
  }
  if (auto done = collector_.follow_modules(function_entries(*symbols), fs_); !done) return done;
  follow_counting();
  symbolizer_->request_reload();
  return {};
}

/// After the collector hooked and unhooked functions.
void LiveSession::follow_counting() {
  const std::vector<CountedFunction> before = std::move(session_.functions);
  describe_functions();
  partial_ = mark_partial(before, session_.functions) || partial_;
  if (partial_) symbolizer_->set_session(session_, collector_.drop_reasons());
  symbolizer_->set_own_code({collector_.own_programs(), collector_.own_tracepoints()});
}

Status LiveSession::measure_costs() {
  const auto symbols = KernelSymbols::load(fs_);
  if (!symbols) return symbols.error();
  return collector_.measure_costs(function_entries(*symbols), fs_);
}

void LiveSession::halve_rates(uint32_t halvings) {
  collector_.halve_rates(halvings);
  session_.events = collector_.session().events;
  symbolizer_->set_session(session_, collector_.drop_reasons());
}

Status LiveSession::shed_hooks(const std::vector<uint32_t>& rows) {
  // Programs stay loaded, where they are: the symbols are not to be read again, which takes a while.
  const auto done = collector_.shed_hooks(rows, fs_);
  follow_counting();
  return done;
}

/// What is counted from now on, and what to say of it.
void LiveSession::describe_functions() {
  session_.functions = collector_.session().functions;
  session_.hooks_per_packet = collector_.session().hooks_per_packet;
  session_.notes = notes_;
  for (std::string& note : counting_notes(named_, session_.functions))
    session_.notes.push_back(std::move(note));
  symbolizer_->set_session(session_, collector_.drop_reasons());
}

Result<Profile> LiveSession::read() {
  // What a module did that came since the last look is to have its names.
  follow_modules();
  auto batch = collector_.read();
  if (!batch) return batch.error();
  const uint64_t duration = batch->end_ns - batch->start_ns;
  Profile profile = symbolizer_->symbolize(std::move(*batch), realtime_ns() - duration);
  if (std::exchange(partial_, false)) describe_functions();
  return profile;
}

}  // namespace nettoll
