// SPDX-License-Identifier: Apache-2.0
#include "recording/profile_check.h"

#include <cmath>
#include <optional>
#include <string_view>

namespace nettoll {
namespace {

/// Holds the first thing that is wrong.
class Checker {
 public:
  explicit Checker(const Profile& profile) : profile_(profile) {}

  // The table and row that the next checks are about.
  void at(std::string_view table, size_t row) {
    table_ = table;
    row_ = row;
  }
  void index(std::string_view what, uint64_t value, size_t size) {
    if (value >= size) wrong(fmt::format("names {} {} of {}", what, value, size));
  }
  void event(uint32_t value) { index("event", value, profile_.session.events.size()); }
  void cpu(uint32_t value) { index("CPU", value, profile_.session.cpu_limit); }
  void hooks(double value) {
    if (!std::isfinite(value) || value < 0) wrong(fmt::format("has {} hooks a packet", value));
  }
  void amount(std::string_view what, double value) {
    if (!std::isfinite(value) || value < 0) wrong(fmt::format("has {} {}", what, value));
  }
  void wrong(std::string_view what) {
    if (fine()) error_ = failure(fmt::format("row {} of {} {}", row_, table_, what));
  }
  bool fine() const { return !error_; }
  Status result() && { return error_ ? Status(std::move(*error_)) : Status(); }

 private:
  const Profile& profile_;
  std::string_view table_;
  size_t row_ = 0;
  std::optional<Error> error_;
};

template <typename Row, typename Check>
void each(Checker& checker, std::string_view table, const std::vector<Row>& rows, Check check) {
  for (size_t i = 0; i < rows.size() && checker.fine(); ++i) {
    checker.at(table, i);
    check(rows[i]);
  }
}

void check_session(Checker& c, const Session& session) {
  c.at("session", 0);
  if (session.cpu_limit > kMaxCpuLimit)
    c.wrong(fmt::format("has {} CPUs, over the limit of {}", session.cpu_limit, kMaxCpuLimit));
  if (session.events.size() > kMaxEvents)
    c.wrong(fmt::format("has {} events, over the limit of {}", session.events.size(), kMaxEvents));
  c.hooks(session.hooks_per_packet);
  each(c, "functions", session.functions, [&](const auto& row) { c.hooks(row.hooks_per_packet); });
}

void check_stacks(Checker& c, const Profile& profile) {
  for (size_t i = 0; i < profile.stacks.size() && c.fine(); ++i) {
    c.at("stacks", i);
    for (const uint32_t frame : profile.stacks[i]) c.index("symbol", frame, profile.symbols.size());
  }
}

}  // namespace

Status check_profile(const Profile& profile) {
  Checker c(profile);
  check_session(c, profile.session);
  check_stacks(c, profile);
  each(c, "samples", profile.samples, [&](const StackSamples& row) {
    c.event(row.event);
    c.cpu(row.cpu);
    c.index("stack", row.stack, profile.stacks.size());
  });
  each(c, "counts", profile.counts, [&](const EventCount& row) {
    c.event(row.event);
    c.cpu(row.cpu);
    c.amount("a scaling error of", row.scaling_error.value_or(0));
  });
  each(c, "calls", profile.calls, [&](const FunctionCalls& row) {
    c.index("function", row.function, profile.session.functions.size());
    if (row.by_cpu.size() > profile.session.cpu_limit)
      c.wrong(fmt::format("counts on {} CPUs of {}", row.by_cpu.size(), profile.session.cpu_limit));
  });
  each(c, "packets", profile.packets, [&](const PathPackets& row) { c.cpu(row.cpu); });
  each(c, "napi", profile.napi, [&](const NapiPolls& row) { c.cpu(row.cpu); });
  each(c, "queues", profile.queues, [&](const QueuePackets& row) {
    if (row.queue < -1) c.wrong(fmt::format("names queue {}", row.queue));
  });
  each(c, "softirqs", profile.softirqs, [&](const SoftirqTime& row) { c.cpu(row.cpu); });
  each(c, "exact", profile.exact, [&](const ExactCost& row) {
    c.amount("a mean of", row.mean);
    c.amount("a standard error of", row.std_error);
    c.amount("a median of", row.p50);
    c.amount("a 90th percentile of", row.p90);
    c.amount("a 99th percentile of", row.p99);
    c.amount("an own cost of", row.own_cost);
    c.amount("probes inside that cost", row.probes_inside);
  });
  return std::move(c).result();
}

}  // namespace nettoll
