// SPDX-License-Identifier: Apache-2.0
// Names of the model's fields in a recording.
//
// describe(type, field) calls field(name, member) for each field of a struct; `member` goes into
// std::invoke() with an object of it. Writer and reader both walk this one list, so that neither can forget a
// field. A name that was once released keeps its meaning; a field that is added later must be one that the
// reader may find missing.
#pragma once

#include <functional>
#include <type_traits>

#include "model/profile.h"

namespace nettoll {

template <typename T>
using Type = std::type_identity<T>;

/// Marks a member that came later: recordings of older versions have no such column, and it keeps its
/// default.
template <typename Member>
struct Later {
  Member member;
  template <typename Struct>
  decltype(auto) operator()(Struct& of) const {
    return std::invoke(member, of);
  }
};
template <typename Member>
Later<Member> later(Member member) {
  return {member};
}
template <typename Member>
inline constexpr bool is_later = false;
template <typename Member>
inline constexpr bool is_later<Later<Member>> = true;

template <typename Field>
void describe(Type<Profile>, Field&& field) {
  field("wall_start_ns", &Profile::wall_start_ns);
  field("duration_ns", &Profile::duration_ns);
}

template <typename Field>
void describe(Type<Session>, Field&& field) {
  field("host", &Session::host);
  field("kernel", &Session::kernel);
  field("arch", &Session::arch);
  field("version", &Session::version);
  field("set", &Session::set);
  field("cpu_limit", &Session::cpu_limit);
  field("cpus_online", &Session::cpus_online);
  field("hooks_per_packet", &Session::hooks_per_packet);
  field("drop_reasons", &Session::drop_reasons);
  field("notes", &Session::notes);
}

template <typename Field>
void describe(Type<Event>, Field&& field) {
  field("name", &Event::name);
  field("unit", &Event::unit);
  field("kernel_only", &Event::kernel_only);
  field("timer", &Event::timer);
  field("frequency", &Event::frequency);
  field("period", &Event::period);
  field("chains", later(&Event::chains));
}

template <typename Field>
void describe(Type<MissingEvent>, Field&& field) {
  field("name", &MissingEvent::name);
  field("reason", &MissingEvent::reason);
}

template <typename Field>
void describe(Type<CountedFunction>, Field&& field) {
  field("name", &CountedFunction::name);
  field("module", &CountedFunction::module);
  field("method", &CountedFunction::method);
  field("state", &CountedFunction::state);
  field("tracepoint", &CountedFunction::tracepoint);
  field("condition", &CountedFunction::condition);
  field("denominator", &CountedFunction::denominator);
  field("hooks_per_packet", &CountedFunction::hooks_per_packet);
}

template <typename Field>
void describe(Type<Symbol>, Field&& field) {
  field("name", &Symbol::name);
  field("module", &Symbol::module);
  field("kind", &Symbol::kind);
}

template <typename Field>
void describe(Type<StackSamples>, Field&& field) {
  field("event", &StackSamples::event);
  field("cpu", &StackSamples::cpu);
  field("stack", &StackSamples::stack);
  field("samples", &StackSamples::samples);
  field("period", &StackSamples::period);
}

template <typename Field>
void describe(Type<EventCount>, Field&& field) {
  field("event", &EventCount::event);
  field("cpu", &EventCount::cpu);
  field("value", &EventCount::value);
  field("enabled_ns", &EventCount::enabled_ns);
  field("running_ns", &EventCount::running_ns);
  field("scaling_error", later(&EventCount::scaling_error));
}

template <typename Field>
void describe(Type<FunctionCalls>, Field&& field) {
  field("function", &FunctionCalls::function);
  field("by_cpu", &FunctionCalls::by_cpu);
  field("missed", &FunctionCalls::missed);
}

template <typename Field>
void describe(Type<PathPackets>, Field&& field) {
  field("path", &PathPackets::path);
  field("cpu", &PathPackets::cpu);
  field("packets", &PathPackets::packets);
  field("segments", &PathPackets::segments);
}

template <typename Field>
void describe(Type<NapiPolls>, Field&& field) {
  field(
      "netns", [](auto& row) -> auto& { return row.id.netns; });
  field(
      "ifindex", [](auto& row) -> auto& { return row.id.ifindex; });
  field("device", &NapiPolls::device);
  field("cpu", &NapiPolls::cpu);
  field("polls", &NapiPolls::polls);
  field("packets", &NapiPolls::packets);
  field("budget_exhausted", &NapiPolls::budget_exhausted);
}

template <typename Field>
void describe(Type<QueuePackets>, Field&& field) {
  field(
      "netns", [](auto& row) -> auto& { return row.id.netns; });
  field(
      "ifindex", [](auto& row) -> auto& { return row.id.ifindex; });
  field("device", &QueuePackets::device);
  field("queue", &QueuePackets::queue);
  field("packets", &QueuePackets::packets);
}

template <typename Field>
void describe(Type<SoftirqTime>, Field&& field) {
  field("vector", &SoftirqTime::vector);
  field("cpu", &SoftirqTime::cpu);
  field("runs", &SoftirqTime::runs);
  field("ns", &SoftirqTime::ns);
}

template <typename Field>
void describe(Type<Drops>, Field&& field) {
  field("reason", &Drops::reason);
  field("subsystem", &Drops::subsystem);
  field("function", &Drops::function);
  field("module", &Drops::module);
  field("protocol", &Drops::protocol);
  field("device", &Drops::device);
  field("netns", &Drops::netns);
  field("packets", &Drops::packets);
  field("helper", later(&Drops::helper));
  field("transmitting", later(&Drops::transmitting));
}

template <typename Field>
void describe(Type<Loss>, Field&& field) {
  field("kind", &Loss::kind);
  field("subject", &Loss::subject);
  field("count", &Loss::count);
}

template <typename Field>
void describe(Type<NetnsName>, Field&& field) {
  field("inode", &NetnsName::inode);
  field("name", &NetnsName::name);
}

template <typename Field>
void describe(Type<ModuleBuildId>, Field&& field) {
  field("module", &ModuleBuildId::module);
  field("build_id", &ModuleBuildId::build_id);
}

template <typename Field>
void describe(Type<ExactCost>, Field&& field) {
  const auto discarded = [](auto member) {
    return [member](auto& row) -> auto& {
      return row.discards.*member;
    };
  };
  field("function", &ExactCost::function);
  field("module", &ExactCost::module);
  field("method", &ExactCost::method);
  field("event", &ExactCost::event);
  field("unit", &ExactCost::unit);
  field("one_in", &ExactCost::one_in);
  field("calls", &ExactCost::calls);
  field("n", &ExactCost::n);
  field("mean", &ExactCost::mean);
  field("std_error", &ExactCost::std_error);
  field("p50", &ExactCost::p50);
  field("p90", &ExactCost::p90);
  field("p99", &ExactCost::p99);
  field("calibrated", &ExactCost::calibrated);
  field("own_cost", &ExactCost::own_cost);
  field("probes_inside", later(&ExactCost::probes_inside));
  field("below_zero", &ExactCost::below_zero);
  field("below_probe_cost", &ExactCost::below_probe_cost);
  field("cpu_changed", discarded(&ExactDiscards::cpu_changed));
  field("switched", discarded(&ExactDiscards::switched));
  field("no_room", discarded(&ExactDiscards::no_room));
  field("missed", discarded(&ExactDiscards::missed));
  field("unreadable", discarded(&ExactDiscards::unreadable));
}

/// Calls table(name, rows) for each table that every recording has.
template <typename AnyProfile, typename Table>
void for_each_table(AnyProfile& profile, Table&& table) {
  table("events", profile.session.events);
  table("missing_events", profile.session.missing_events);
  table("functions", profile.session.functions);
  table("symbols", profile.symbols);
  table("samples", profile.samples);
  table("counts", profile.counts);
  table("calls", profile.calls);
  table("packets", profile.packets);
  table("napi", profile.napi);
  table("queues", profile.queues);
  table("softirqs", profile.softirqs);
  table("drops", profile.drops);
  table("losses", profile.losses);
}

/// Calls table(name, rows) for each table that came later: the recordings of older versions lack it, and its
/// rows.
template <typename AnyProfile, typename Table>
void for_each_later_table(AnyProfile& profile, Table&& table) {
  table("exact", profile.exact);
  table("netns_names", profile.netns_names);
  table("build_ids", profile.build_ids);
}

}  // namespace nettoll
