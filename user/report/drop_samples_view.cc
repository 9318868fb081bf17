// SPDX-License-Identifier: Apache-2.0
#include "report/drop_samples_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "model/drop_class.h"
#include "model/names.h"
#include "report/drop_stacks.h"
#include "report/drops_table.h"
#include "report/format.h"
#include "report/table.h"

namespace nettoll {
namespace {

/// Tables with all their columns need this much.
constexpr size_t kFullWidth = 100;

std::string time_of_day(uint64_t wall_ns) {
  constexpr uint64_t kSecond = 1'000'000'000, kDay = 86'400;
  const uint64_t s = wall_ns / kSecond % kDay;
  return fmt::format("{:02}:{:02}:{:02}.{:06}", s / 3600, s / 60 % 60, s % 60, wall_ns % kSecond / 1000);
}

std::string tables(const DropWindow& window, const DropViewOptions& options) {
  ReportOptions report;
  report.limit = options.limit;
  const SplitDrops drops = split_drops(window.drops);
  DropColumns columns;
  columns.netns_names = &window.netns_names;
  columns.full = options.width.value_or(kFullWidth) >= kFullWidth;
  if (options.width) columns.width = *options.width;
  const std::string reasons = window.drop_reasons ? "" : " (this kernel gives no reasons: by place alone)";
  std::string text = drops_heading("Lost", drops.loss, window.duration_ns, reasons) +
                     drops_table(drops.loss, window.duration_ns, report, columns);
  if (!drops.noise.rows.empty()) {
    columns.why = true;
    text += "\n" + drops_heading("Noise, no loss", drops.noise, window.duration_ns) +
            drops_table(drops.noise, window.duration_ns, report, columns);
  }
  return text;
}

std::string stacks_view(const DropWindow& window, const DropViewOptions& options) {
  const auto stacks = sum_drop_stacks(window.samples);
  if (stacks.empty() || options.stacks == 0) return {};
  const size_t shown = std::min(options.stacks, stacks.size());
  std::string text = fmt::format("Stacks of the samples ({} of {})\n", shown, stacks.size());
  for (size_t i = 0; i < shown; ++i) {
    text += fmt::format("{} of {} samples, {}\n", stacks[i].samples, window.samples.size(),
                        reason_text(stacks[i].reason, stacks[i].subsystem));
    for (const Symbol& frame : stacks[i].frames)
      text += "    " + frame.name +
              (frame.module.empty() || frame.module == kVmlinux ? "" : " [" + frame.module + "]") + "\n";
  }
  return text;
}

std::string examples_view(const DropWindow& window, const DropViewOptions& options) {
  if (window.samples.empty() || options.examples == 0) return {};
  TextTable table({{"time", TextTable::Kind::text},
                   {"CPU"},
                   {"reason", TextTable::Kind::name},
                   {"function", TextTable::Kind::name},
                   {"device", TextTable::Kind::name},
                   {"packet", TextTable::Kind::text},
                   {"bytes"},
                   {"task", TextTable::Kind::text}});
  const size_t shown = std::min(options.examples, window.samples.size());
  for (size_t i = 0; i < shown; ++i) {
    const DropSample& sample = window.samples[i];
    const std::string task =
        sample.raw.task.empty() ? kMissing : fmt::format("{}[{}]", sample.raw.task, sample.raw.pid);
    std::string packet = sample.flow.empty() ? sample.drop.protocol : sample.flow;
    if (sample.raw.gso_segments > 1)
      packet += fmt::format(" gso {}x{}", sample.raw.gso_segments, sample.raw.gso_size);
    table.add({time_of_day(sample.raw.time_ns), std::to_string(sample.raw.cpu),
               reason_text(sample.drop.reason, sample.drop.subsystem), or_missing(sample.drop.function),
               or_missing(sample.drop.device), packet, std::to_string(sample.raw.length),
               (sample.in_softirq ? "softirq over " : "") + task});
  }
  return fmt::format(
             "Examples ({} of {}; times in UTC; the task is the one that ran, not always the packet's)\n",
             shown, window.samples.size()) +
         table.render(options.width.value_or(160));
}

std::string account_line(const SampleAccount& account, size_t shown) {
  std::string text = fmt::format(
      "Samples: {} drops matched, {} sampled, {} shown, {} over the rate limit, {} lost in the ring",
      format_exact(account.matched), format_exact(account.emitted), format_exact(shown),
      format_exact(account.rate_limited), format_exact(account.ring_full));
  if (account.missed_runs)
    text += fmt::format("; {} runs skipped by the kernel", format_exact(account.missed_runs));
  return text + "\n";
}

}  // namespace

std::string drop_window_view(const DropWindow& window, const DropViewOptions& options) {
  std::string text = tables(window, options);
  for (const std::string& part : {stacks_view(window, options), examples_view(window, options)}) {
    if (!part.empty()) text += "\n" + part;
  }
  if (window.account || !window.notes.empty() || !window.losses.empty()) text += "\n";
  if (window.account)
    text += account_line(*window.account, std::min(options.examples, window.samples.size()));
  for (const Loss& loss : window.losses)
    text +=
        fmt::format("Not counted: {} {} {}\n", format_exact(loss.count), name_of(loss.kind), loss.subject);
  for (const std::string& note : window.notes) text += "Note: " + note + "\n";
  return printable_text(text);
}

}  // namespace nettoll
