// SPDX-License-Identifier: Apache-2.0
// nettoll top: a live screen of what the network costs, loses and suffers from.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/duration.h"
#include "cli/command.h"
#include "cli/held_log.h"
#include "cli/output.h"
#include "cli/stop_signals.h"
#include "cli/top_session.h"
#include "cli/usage.h"
#include "cli/window_signal.h"
#include "report/options.h"
#include "tui/batch.h"
#include "tui/screen.h"
#include "tui/terminal.h"
#include "tui/terminal_check.h"

namespace nettoll {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kShortest{100};
constexpr std::chrono::hours kLongest{1};
/// Nobody wants to wait for the first numbers as long as for others.
constexpr milliseconds kFirst{1000};
/// Width of plain text, as of the reports.
constexpr int kBatchColumns = 120;

struct TopOptions {
  TraceOptions trace;
  std::string delay = "2s";
  std::optional<uint64_t> refreshes;
  bool batch = false;
  size_t limit = ReportOptions::kTextLimit;
};

Result<milliseconds> parse_delay(const std::string& text) {
  const auto parsed = parse_duration(text);
  if (!parsed) return parsed.error();
  if (*parsed < kShortest || *parsed > kLongest)
    return usage_error(
        fmt::format("the time between refreshes cannot be {}: it is 100ms at least and 1h at most", text),
        "give a time such as 2s");
  return std::chrono::duration_cast<milliseconds>(*parsed);
}

/// Milliseconds to wait for `next`, at most one second so that CPUs that come back are followed.
int timeout_until(Clock::time_point next) {
  const auto left = std::chrono::ceil<milliseconds>(next - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1000));
}

/// Prints a refresh after the other, until enough of them or a signal.
Status print_refreshes(TopSession& session, const TopOptions& options, milliseconds delay, int signals) {
  tui::TopState state;
  state.interval = delay;
  auto next = Clock::now() + delay;
  for (uint64_t printed = 0; !options.refreshes || printed < *options.refreshes; ++printed) {
    while (Clock::now() < next) {
      pollfd watched[] = {{signals, POLLIN, 0}};
      if (auto ready = session.wait(timeout_until(next), watched); !ready) return ready.error();
      if (watched[0].revents) return {};
    }
    auto data = session.read();
    if (!data) return data.error();
    const std::string text =
        (printed ? "\n\n" : "") + tui::batch_text(state, **data, kBatchColumns, options.limit);
    if (auto ok = print_out(text); !ok) return ok;
    next = std::max(next + delay, Clock::now());
  }
  return {};
}

/// The screen of one run: what it shows, and where that comes from.
class LiveScreen {
 public:
  LiveScreen(TopSession& session, tui::Terminal& terminal, const HeldLog& log)
      : session_(session), terminal_(terminal), log_(log) {}

  Status run(const TopOptions& options, milliseconds delay, int signals, WindowSignal& window) {
    state_.interval = delay;
    last_ = Clock::now();
    next_ = last_ + std::min(delay, kFirst);
    for (uint64_t shown = 0; !state_.quit;) {
      terminal_.paint(tui::render(state_, data_.get(), terminal_.size()));
      if (options.refreshes && shown >= *options.refreshes) return {};
      pollfd watched[] = {{signals, POLLIN, 0}, {window.fd(), POLLIN, 0}, {terminal_.fd(), POLLIN, 0}};
      if (auto ready = session_.wait(timeout_until(next_), watched); !ready) return ready.error();
      if (watched[0].revents) return {};
      if (watched[1].revents) window.clear();
      terminal_.follow_size();
      // A terminal that went away stays readable, with nothing to read.
      if (watched[2].revents & (POLLHUP | POLLERR | POLLNVAL)) return {};
      if (watched[2].revents) answer_keys();
      if (Clock::now() < next_) continue;
      if (auto ok = refresh(); !ok) return ok;
      ++shown;
    }
    return {};
  }

 private:
  void answer_keys() {
    while (const auto key = terminal_.next_key()) {
      state_ = tui::apply(std::move(state_), *key, tui::shown(state_, data_.get(), terminal_.size()));
    }
    const auto asked = last_ + state_.interval;
    next_ = data_ ? asked : std::min(next_, asked);
  }

  /// Counting goes on while the screen stands still: else all that time would be one window.
  Status refresh() {
    auto data = session_.read();
    if (!data) return data.error();
    last_ = Clock::now();
    next_ = last_ + state_.interval;
    if (const auto lines = log_.lines(); !lines.empty()) (*data)->notes.push_back(lines.back());
    if (!state_.paused || !data_) data_ = std::move(*data);
    return {};
  }

  TopSession& session_;
  tui::Terminal& terminal_;
  const HeldLog& log_;
  tui::TopState state_;
  std::shared_ptr<const tui::TopData> data_;
  Clock::time_point last_, next_;
};

Status show_screen(TopSession& session, const TopOptions& options, milliseconds delay, int signals) {
  auto window = WindowSignal::take();
  if (!window) return window.error();
  const HeldLog log;
  auto terminal = tui::Terminal::open();
  if (!terminal) return terminal.error();
  return LiveScreen(session, *terminal, log).run(options, delay, signals, *window);
}

Status top(const TopOptions& options) {
  const auto delay = parse_delay(options.delay);
  if (!delay) return delay.error();
  if (!options.batch) {
    if (auto ok = tui::check_terminal(); !ok) return ok;
  }
  auto signals = StopSignals::take();
  if (!signals) return signals.error();
  auto session = TopSession::start(options.trace, KernelFs());
  if (!session) return session.error();
  return options.batch ? print_refreshes(*session, options, *delay, signals->fd())
                       : show_screen(*session, options, *delay, signals->fd());
}

}  // namespace

void add_top(CLI::App& app, Command& chosen) {
  auto* command =
      app.add_subcommand("top", "Show live what the network costs: functions, paths, CPUs, drops, findings");
  auto options = std::make_shared<TopOptions>();
  command
      ->add_option("-d,--delay,--interval", options->delay,
                   "Time between two refreshes, such as 2, 500ms, 1m")
      ->capture_default_str()
      ->type_name("TIME");
  command->add_flag("-b,--batch", options->batch, "Print plain text, also where no terminal is");
  command->add_option("-n,--iterations", options->refreshes, "End after so many refreshes")
      ->check(whole_number(1))
      ->type_name("N");
  command->add_option("--limit", options->limit, "Rows of each table of -b; 0 is all")
      ->check(whole_number(0))
      ->capture_default_str()
      ->type_name("N");
  add_counting_options(*command, options->trace, "core");
  command->add_flag("--queues", options->trace.queues,
                    "Count packets by receive queue too, for findings (costs each packet a lookup)");
  add_sampling_options(*command, options->trace);
  command->callback([options, &chosen] {
    chosen = [options] {
      const auto ok = top(*options);
      return ok ? kExitDone : report_error(ok.error());
    };
  });
}

}  // namespace nettoll
