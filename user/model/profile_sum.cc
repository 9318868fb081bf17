// SPDX-License-Identifier: Apache-2.0
#include "model/profile_sum.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

namespace nettoll {
namespace {

/// Rows of both, with those of one key added up; sorted by key.
template <typename Row, typename Key, typename Add>
void add_by_key(std::vector<Row>& to, const std::vector<Row>& from, Key key, Add add) {
  to.insert(to.end(), from.begin(), from.end());
  std::sort(to.begin(), to.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
  size_t kept = 0;
  for (size_t row = 1; row < to.size(); ++row) {
    if (key(to[kept]) == key(to[row])) {
      add(to[kept], to[row]);
    } else if (++kept != row) {
      to[kept] = std::move(to[row]);
    }
  }
  if (!to.empty()) to.resize(kept + 1);
}

size_t hash_of(std::span<const uint32_t> stack) {
  const std::string_view bytes(reinterpret_cast<const char*>(stack.data()), stack.size_bytes());
  return std::hash<std::string_view>{}(bytes);
}

/// What is said of a function holds for the sum if it held in every window.
void narrow(CountedFunction& to, const CountedFunction& from) {
  to.denominator = to.denominator && from.denominator;
  if (to.condition.empty()) to.condition = from.condition;
}

}  // namespace

void ProfileSum::add(const Profile& window) {
  if (windows_++ == 0) sum_.session = window.session;
  const Numbers events = add_events(window.session);
  const Numbers functions = add_functions(window.session);
  sum_.session.cpu_limit = std::max(sum_.session.cpu_limit, window.session.cpu_limit);
  sum_.session.cpus_online = window.session.cpus_online;
  sum_.session.notes = window.session.notes;
  sum_.duration_ns += window.duration_ns;
  sum_.wall_start_ns = window.wall_start_ns + window.duration_ns - sum_.duration_ns;
  add_samples(window, events, add_symbols(window.symbols));
  add_counts(window, events);
  add_calls(window, functions);
  add_rows(window);
}

ProfileSum::Numbers ProfileSum::add_events(const Session& session) {
  Numbers numbers;
  std::vector<Event>& known = sum_.session.events;
  for (const Event& event : session.events) {
    const auto same =
        std::find_if(known.begin(), known.end(), [&](const Event& e) { return e.name == event.name; });
    numbers.push_back(static_cast<uint32_t>(same - known.begin()));
    if (same == known.end()) known.push_back(event);
  }
  return numbers;
}

ProfileSum::Numbers ProfileSum::add_functions(const Session& session) {
  Numbers numbers;
  std::vector<CountedFunction>& known = sum_.session.functions;
  const auto is = [](const CountedFunction& a, const CountedFunction& b) {
    return a.name == b.name && a.module == b.module && a.method == b.method;
  };
  for (const CountedFunction& function : session.functions) {
    // The table keeps its order, so that the search is needed only where functions came or went.
    size_t number = numbers.size();
    if (number >= known.size() || !is(known[number], function)) {
      number = static_cast<size_t>(std::find_if(known.begin(), known.end(),
                                                [&](const CountedFunction& f) { return is(f, function); }) -
                                   known.begin());
    }
    if (number == known.size()) {
      known.push_back(function);
    } else {
      narrow(known[number], function);
    }
    numbers.push_back(static_cast<uint32_t>(number));
  }
  return numbers;
}

ProfileSum::Numbers ProfileSum::add_symbols(const std::vector<Symbol>& symbols) {
  Numbers numbers;
  numbers.reserve(symbols.size());
  for (const Symbol& symbol : symbols) {
    const auto [at, added] = symbol_numbers_.try_emplace(symbol, static_cast<uint32_t>(sum_.symbols.size()));
    if (added) sum_.symbols.push_back(symbol);
    numbers.push_back(at->second);
  }
  return numbers;
}

/// The number of a stack in the sum; none where it is new and there is no room.
std::optional<uint32_t> ProfileSum::add_stack(std::span<const uint32_t> stack) {
  const size_t hash = hash_of(stack);
  const auto [begin, end] = stack_numbers_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (std::ranges::equal(sum_.stacks[at->second], stack)) return at->second;
  }
  if (sum_.stacks.size() >= max_stacks_) return std::nullopt;
  const uint32_t number = sum_.stacks.add(stack);
  stack_numbers_.emplace(hash, number);
  return number;
}

void ProfileSum::add_samples(const Profile& window, const Numbers& events, const Numbers& symbols) {
  std::vector<std::optional<uint32_t>> stacks;
  stacks.reserve(window.stacks.size());
  std::vector<uint32_t> frames;
  for (size_t stack = 0; stack < window.stacks.size(); ++stack) {
    frames.clear();
    for (const uint32_t symbol : window.stacks[stack]) frames.push_back(symbols[symbol]);
    stacks.push_back(add_stack(frames));
  }
  std::vector<StackSamples> rows;
  rows.reserve(window.samples.size());
  std::vector<Loss> lost;
  for (StackSamples row : window.samples) {
    row.event = events[row.event];
    if (const auto stack = stacks[row.stack]) {
      row.stack = *stack;
      rows.push_back(row);
    } else {
      lost.push_back({LossKind::stack_table, sum_.session.events[row.event].name, row.samples});
    }
  }
  add_by_key(
      sum_.samples, rows, [](const StackSamples& row) { return std::tie(row.event, row.cpu, row.stack); },
      [](StackSamples& to, const StackSamples& from) {
        to.samples += from.samples;
        to.period += from.period;
      });
  add_losses(lost);
}

void ProfileSum::add_counts(const Profile& window, const Numbers& events) {
  for (const EventCount& row : window.counts) {
    Count& count = counts_[{events[row.event], row.cpu}];
    count.enabled_ns += row.enabled_ns;
    count.running_ns += row.running_ns;
    count.value += row.value;
    if (row.running_ns >= row.enabled_ns) {
      count.scaled += static_cast<double>(row.value);
      continue;
    }
    count.shared = true;
    if (row.running_ns == 0) {
      count.variance.reset();
      continue;
    }
    const double scale = static_cast<double>(row.enabled_ns) / static_cast<double>(row.running_ns);
    count.scaled += static_cast<double>(row.value) * scale;
    if (count.variance && row.scaling_error) {
      *count.variance += *row.scaling_error * *row.scaling_error;
    } else {
      count.variance.reset();
    }
  }
}

void ProfileSum::add_calls(const Profile& window, const Numbers& functions) {
  std::vector<FunctionCalls> rows = window.calls;
  for (FunctionCalls& row : rows) row.function = functions[row.function];
  add_by_key(
      sum_.calls, rows, [](const FunctionCalls& row) { return row.function; },
      [](FunctionCalls& to, const FunctionCalls& from) {
        to.by_cpu.resize(std::max(to.by_cpu.size(), from.by_cpu.size()));
        for (size_t cpu = 0; cpu < from.by_cpu.size(); ++cpu) to.by_cpu[cpu] += from.by_cpu[cpu];
        to.missed += from.missed;
      });
}

void ProfileSum::add_rows(const Profile& window) {
  add_by_key(
      sum_.packets, window.packets, [](const PathPackets& row) { return std::tie(row.path, row.cpu); },
      [](PathPackets& to, const PathPackets& from) {
        to.packets += from.packets;
        to.segments += from.segments;
      });
  add_by_key(
      sum_.napi, window.napi, [](const NapiPolls& row) { return std::tie(row.id, row.device, row.cpu); },
      [](NapiPolls& to, const NapiPolls& from) {
        to.polls += from.polls;
        to.packets += from.packets;
        to.budget_exhausted += from.budget_exhausted;
      });
  add_by_key(
      sum_.queues, window.queues,
      [](const QueuePackets& row) { return std::tie(row.id, row.device, row.queue); },
      [](QueuePackets& to, const QueuePackets& from) { to.packets += from.packets; });
  add_by_key(
      sum_.softirqs, window.softirqs, [](const SoftirqTime& row) { return std::tie(row.vector, row.cpu); },
      [](SoftirqTime& to, const SoftirqTime& from) {
        to.runs += from.runs;
        to.ns += from.ns;
      });
  add_by_key(
      sum_.drops, window.drops,
      [](const Drops& row) {
        return std::tie(row.subsystem, row.reason, row.module, row.function, row.protocol, row.device,
                        row.netns, row.helper, row.transmitting);
      },
      [](Drops& to, const Drops& from) { to.packets += from.packets; });
  add_losses(window.losses);
}

void ProfileSum::add_losses(const std::vector<Loss>& losses) {
  add_by_key(
      sum_.losses, losses, [](const Loss& row) { return std::tie(row.kind, row.subject); },
      [](Loss& to, const Loss& from) { to.count += from.count; });
}

Profile ProfileSum::take() {
  for (const auto& [key, count] : counts_) {
    EventCount row{key.first, key.second, count.value, count.enabled_ns, count.running_ns, std::nullopt};
    if (count.shared && count.running_ns > 0) {
      // The value that enabled/running of the sum scales to what the windows add up to.
      const double unscale = static_cast<double>(count.running_ns) / static_cast<double>(count.enabled_ns);
      row.value = static_cast<uint64_t>(std::llround(count.scaled * std::min(1.0, unscale)));
    }
    if (count.running_ns > 0 && count.variance) row.scaling_error = std::sqrt(*count.variance);
    sum_.counts.push_back(row);
  }
  Profile sum = std::move(sum_);
  *this = ProfileSum(max_stacks_);
  return sum;
}

}  // namespace nettoll
