// SPDX-License-Identifier: Apache-2.0
// nettoll drops: which packets the kernel drops right now, why, where, and what they look like.
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>

#include "base/atomic_file.h"
#include "base/capabilities.h"
#include "base/duration.h"
#include "cli/command.h"
#include "cli/drop_filter_options.h"
#include "cli/drop_session.h"
#include "cli/output.h"
#include "cli/pipe_signal.h"
#include "cli/stop_signals.h"
#include "cli/usage.h"
#include "cli/version.h"
#include "collect/bpf_program.h"
#include "report/drop_samples_view.h"
#include "report/json_text.h"
#include "report/pcapng.h"
#include "tui/fit.h"

namespace nettoll {
namespace {

using Clock = std::chrono::steady_clock;

/// A capture file is put together in memory, to appear whole; of headers alone, this is millions of packets.
constexpr size_t kMostCaptureBytes = size_t{1} << 30;
constexpr uint32_t kMostSamples = 1'000'000;

struct DropsOptions {
  DropFilterOptions filter;
  std::optional<std::string> duration;
  std::optional<std::string> interval;
  std::string samples = "10/s";
  std::optional<std::string> capture;
  bool json = false;
  std::optional<size_t> limit;
  std::optional<size_t> stacks;
};

/// The options once they make sense.
struct DropsPlan {
  std::optional<Clock::duration> duration;
  std::optional<Clock::duration> interval;  ///< nothing: one window
  uint32_t per_second = 0;
  DropViewOptions view;
};

/// "10" or "10/s".
Result<uint32_t> parse_samples(std::string_view text) {
  const std::string_view whole = text;
  if (text.ends_with("/s")) text.remove_suffix(2);
  uint32_t number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || ec != std::errc() || end != text.data() + text.size() || number > kMostSamples)
    return usage_error(
        fmt::format("--samples: '{}' is no number of samples a second up to {}", whole, kMostSamples),
        "give one such as 10 or 10/s; 0 takes none");
  return number;
}

Result<DropsPlan> plan(const DropsOptions& options) {
  DropsPlan plan;
  if (options.duration) {
    auto parsed = parse_duration(*options.duration);
    if (!parsed) return parsed.error();
    plan.duration = *parsed;
  }
  if (options.interval || !options.duration) {
    auto parsed = parse_duration(options.interval.value_or("1s"));
    if (!parsed) return parsed.error();
    if (*parsed < std::chrono::milliseconds(100) || *parsed > std::chrono::hours(1))
      return usage_error(fmt::format("--interval {} is not between 100ms and 1h", *options.interval),
                         "give a time such as 1s");
    plan.interval = *parsed;
  }
  auto samples = parse_samples(options.samples);
  if (!samples) return samples.error();
  plan.per_second = *samples;
  if (options.capture && !plan.per_second)
    return usage_error("--pcap has nothing to write without samples", "give --samples more than 0");
  plan.view.limit = options.limit;
  if (options.stacks) plan.view.stacks = *options.stacks;
  if (options.json) plan.view.examples = std::numeric_limits<size_t>::max();
  return plan;
}

/// The capture file, if one was asked for.
class Capture {
 public:
  static Result<Capture> create(const std::optional<std::string>& path) {
    Capture capture;
    if (!path) return capture;
    auto file = AtomicFile::create(*path);
    if (!file) return file.error();
    capture.file_.emplace(std::move(*file));
    utsname names = {};
    ::uname(&names);
    capture.packets_.emplace("nettoll " + version(), fmt::format("{} {}", names.sysname, names.release));
    return capture;
  }
  void take(const DropSample& sample) {
    if (!packets_) return;
    if (packets_->bytes().size() > kMostCaptureBytes)
      ++over_;
    else if (packets_->add(sample))
      ++written_;
    else
      ++without_headers_;
  }
  Status finish() {
    if (!file_) return {};
    if (auto ok = file_->commit(packets_->bytes()); !ok) return ok;
    std::string text = fmt::format("{} packets written to {}", written_, file_->path());
    if (without_headers_) text += fmt::format("; {} more have no headers", without_headers_);
    if (over_) text += fmt::format("; {} more did not fit", over_);
    say(text);
    return {};
  }

 private:
  std::optional<AtomicFile> file_;
  std::optional<PcapngFile> packets_;
  uint64_t written_ = 0, without_headers_ = 0, over_ = 0;
};

/// What the terminal has now; nothing where it does not tell.
std::optional<tui::Size> screen_size() {
  winsize now = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) != 0 || now.ws_row == 0 || now.ws_col == 0)
    return std::nullopt;
  return tui::Size{now.ws_row, now.ws_col};
}

/// Prints windows one after the other.
class WindowPrinter {
 public:
  WindowPrinter(const DropsPlan& plan, bool json)
      : view_(plan.view), json_(json), redraw_(!json && !plan.duration && prints_to_terminal()) {}

  Status print(const DropWindow& window) {
    if (json_) {
      return print_out(json_text(drop_window_json(window, view_), JsonLayout::line) + "\n");
    }
    const auto screen = redraw_ ? screen_size() : std::nullopt;
    if (screen) view_.width = static_cast<size_t>(screen->columns);
    const std::string text =
        fmt::format("nettoll drops, {:.1f} s\n\n", static_cast<double>(window.duration_ns) / 1e9) +
        drop_window_view(window, view_);
    // Home, then erase what is below: less flicker than clearing first.
    const std::string before = redraw_ ? "\033[H\033[J" : std::exchange(first_, false) ? "" : "\n";
    return print_out(before + (screen ? tui::fit(text, *screen) : text));
  }

 private:
  DropViewOptions view_;
  bool json_;
  bool redraw_;
  bool first_ = true;
};

Status show_until_end(DropSession& session, const DropsPlan& plan, WindowPrinter& printer, Capture& capture,
                      int signals) {
  const auto take = [&](const DropSample& sample) { capture.take(sample); };
  const auto start = Clock::now();
  constexpr auto kNever = Clock::time_point::max();
  const auto end = plan.duration ? start + std::min(*plan.duration, kNever - start) : kNever;
  const Clock::duration interval = plan.interval.value_or(Clock::duration::zero());
  auto next = plan.interval ? start + interval : end;
  while (true) {
    next = std::min(next, end);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    bool stop = false;
    if (left > 0) {
      pollfd watched[] = {{signals, POLLIN, 0}, {session.fd(), POLLIN, 0}};
      const int ready =
          ::poll(watched, std::size(watched), static_cast<int>(std::min<int64_t>(left, 60'000)));
      if (ready < 0 && errno != EINTR) return system_error("cannot wait for drops", errno);
      if (watched[1].revents) {
        if (auto ok = session.take_samples(take); !ok) return ok;
      }
      stop = watched[0].revents != 0;
      if (!stop) continue;
    }
    auto window = session.read(take);
    if (!window) return window.error();
    if (auto ok = printer.print(*window); !ok) return ok;
    if (stop || Clock::now() >= end) return {};
    next = std::max(next + interval, Clock::now());
  }
}

Status drops(const DropsOptions& options) {
  auto planned = plan(options);
  if (!planned) return planned.error();
  // Before all that takes time: who stops us early stops us as cleanly.
  auto signals = StopSignals::take();
  if (!signals) return signals.error();
  const PipeSignalLater pipe;
  const KernelFs fs;
  if (auto ok = check_tracing_rights(fs); !ok) return ok;
  quiet_libbpf();
  auto facts = DropFacts::load();
  if (!facts) return facts.error();
  auto filter = drop_filter(options.filter, facts->reasons, facts->reason_argument != 0, fs);
  if (!filter) return filter.error();
  auto capture = Capture::create(options.capture);
  if (!capture) return capture.error();
  auto session = DropSession::start(*facts, *filter, planned->per_second, fs);
  if (!session) return session.error();
  WindowPrinter printer(*planned, options.json);
  const Status shown = show_until_end(*session, *planned, printer, *capture, signals->fd());
  // Whatever ended it, what was captured is captured.
  Status kept = capture->finish();
  if (shown) return kept;
  if (!kept) say(kept.error().text());
  return shown;
}

}  // namespace

void add_drops(CLI::App& app, Command& chosen) {
  auto* command =
      app.add_subcommand("drops", "Show which packets the kernel drops, why and where, with examples");
  auto options = std::make_shared<DropsOptions>();
  command
      ->add_option("-d,--duration", options->duration,
                   "How long, such as 10, 500ms, 2m: one table at the end; else until Ctrl-C")
      ->type_name("TIME");
  command->add_option("--interval", options->interval, "A table each so often [1s, or once at the end of -d]")
      ->type_name("TIME");
  command->add_option("--reason", options->filter.reasons, "Drops of these reasons alone, comma separated")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->type_name("REASON");
  command
      ->add_option("--dev", options->filter.device,
                   "Drops at this device alone, of this network namespace or of --netns")
      ->type_name("NAME");
  command
      ->add_option("--netns", options->filter.netns,
                   "Drops at devices of this network namespace alone: a path, a process, or an inode number")
      ->type_name("NETNS");
  command
      ->add_option(
          "--proto", options->filter.protocol,
          "Drops of this protocol alone: none, ip, ip6, arp, tcp, udp, icmp, or an EtherType such as 0x88cc")
      ->type_name("PROTO");
  command->add_option("--samples", options->samples, "Examples a second, of all CPUs together; 0 takes none")
      ->capture_default_str()
      ->type_name("N/s");
  command->add_option("--pcap", options->capture, "Write the headers of the examples to a pcapng file")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "As JSON, an object a line for each table");
  command->add_option("--limit", options->limit, "Rows of each table [20]; 0 is all")
      ->check(whole_number(0))
      ->type_name("N");
  command->add_option("--stacks", options->stacks, "Stacks shown [3]")
      ->check(whole_number(0))
      ->type_name("N");
  command->callback([options, &chosen] {
    chosen = [options] {
      const auto ok = drops(*options);
      return ok ? kExitDone : report_error(ok.error());
    };
  });
}

}  // namespace nettoll
