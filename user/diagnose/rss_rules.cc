// SPDX-License-Identifier: Apache-2.0
// Which queues of a device get its packets: Documentation/networking/scaling.rst, "RSS".
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/rules.h"
#include "diagnose/text.h"
#include "diagnose/thresholds.h"

namespace nettoll {
namespace {

std::string queue_words(const QueueLoad& queue) {
  return queue.irq ? fmt::format("interrupt {}", *queue.irq) : fmt::format("queue {}", queue.queue);
}

void add_load(const NicCase& one, Finding& finding) {
  const NicFacts& nic = one.facts;
  if (!nic.hottest) return;
  finding.evidence.push_back(
      {fmt::format("{} of {}", nic.unit(), queue_words(*nic.hottest)), nic.hottest->amount, nic.unit()});
  finding.evidence.push_back({fmt::format("part of {} in {}", queue_words(*nic.hottest), nic.nic->name),
                              100 * nic.hottest->part, "%"});
}

void add_channels(const NicCase& one, uint32_t wanted, Finding& finding) {
  const std::string& name = one.facts.nic->name;
  const Answer<Channels>& channels = one.facts.nic->channels;
  const bool combined = !channels || channels->max_combined > 0;
  finding.remedy.push_back(fmt::format("ethtool -L {} {} {}", name, combined ? "combined" : "rx", wanted));
}

/// Where another device's vectors are on the same CPU, that is a part of its load.
std::string also_served(const Facts& facts, const NicCase& one, uint32_t cpu) {
  std::vector<std::string> others;
  for (const auto& other : facts.nics) {
    if (other.facts.nic != one.facts.nic && other.facts.hot_cpu == cpu)
      others.push_back(other.facts.nic->name);
  }
  return others.empty() ? "" : fmt::format(" CPU {} serves {} too.", cpu, join(others));
}

/// A finding about the queues, with what they all have in common.
Finding about(const Facts& facts, const NicCase& one, std::string condition) {
  const NicFacts& nic = one.facts;
  Finding finding;
  finding.subject = nic.nic->name;
  finding.condition = std::move(condition);
  finding.severity = severity_of_spread(nic);
  add_load(one, finding);
  if (nic.queues) finding.evidence.push_back({"receive queues in use", double(*nic.queues), "queues"});
  add_serving_cpu(nic, finding);
  finding.cost = cost_of_cpu(facts, nic.hot_cpu);
  return finding;
}

/// Calls `make` where the cause is this one, and says what became of the others.
template <typename Make>
void judge_queues(const Facts& facts, Verdict& verdict, QueueCause cause, Make make) {
  each_nic(facts, verdict, [&](const NicCase& one) {
    if (one.spread.queues == cause) {
      verdict.found(make(one));
    } else if (one.spread.queues == QueueCause::idle) {
      verdict.idle(one.spread.why_queues);
    } else if (one.spread.queues == QueueCause::unknown) {
      verdict.unknown(one.spread.why_queues);
    } else {
      verdict.fine();
    }
  });
}

void name_the_table(const NicCase& one, Finding& finding) {
  const NicFacts& nic = one.facts;
  const std::string& name = nic.nic->name;
  const auto by_table = table_queue(nic);
  if (by_table && (!nic.hottest || (by_table->queue == nic.hottest->queue && !nic.hottest->irq))) {
    finding.evidence.push_back(
        {fmt::format("indirection table entries for {}", queue_words(*by_table)), 100 * by_table->part, "%"});
    finding.explanation = fmt::format(
        "The indirection table sends {:.0f}% of all flows to {}, whatever their hash is, so the other queues "
        "and their CPUs stay idle.",
        100 * by_table->part, queue_words(*by_table));
    finding.remedy.push_back(fmt::format("ethtool -X {} equal {}", name, *nic.queues));
    return;
  }
  finding.explanation = fmt::format(
      "The device has {} receive queues and one of them gets the load. Its driver does not tell {}, so the "
      "cause is not established: RSS may be off or its table may name one queue, or a single flow is all "
      "that "
      "arrives.",
      *nic.queues,
      nic.buckets.empty() && nic.hash == HashFields::unknown ? "the indirection table or the hash fields"
      : nic.buckets.empty()                                  ? "the indirection table"
                                                             : "the hash fields");
  finding.remedy.push_back(fmt::format("ethtool -x {}", name));
  finding.remedy.push_back(fmt::format("ethtool -X {} equal {}", name, *nic.queues));
  const auto hashing = nic.nic->features.find("rx-hashing");
  if (hashing != nic.nic->features.end() && !hashing->second) {
    finding.explanation += " Receive hashing is switched off, which on some devices stops RSS.";
    finding.remedy.push_back(fmt::format("ethtool -K {} rxhash on", name));
  }
}

}  // namespace

void rss_not_in_effect(const Facts& facts, Verdict& verdict) {
  judge_queues(facts, verdict, QueueCause::not_in_effect, [&](const NicCase& one) {
    const NicFacts& nic = one.facts;
    const QueueLoad queue = nic.hottest ? *nic.hottest : table_queue(nic).value_or(QueueLoad{});
    Finding finding = about(
        facts, one,
        fmt::format("{} of {} gets {:.0f}% of its {}, {} queues share the rest", queue_words(queue),
                    nic.nic->name, 100 * queue.part, nic.hottest ? nic.unit() : "flows", *nic.queues - 1));
    name_the_table(one, finding);
    if (nic.hot_cpu) finding.explanation += also_served(facts, one, *nic.hot_cpu);
    return finding;
  });
}

void too_few_channels(const Facts& facts, Verdict& verdict) {
  judge_queues(facts, verdict, QueueCause::too_few_channels, [&](const NicCase& one) {
    const NicFacts& nic = one.facts;
    const auto wanted = std::min(*nic.max_queues, static_cast<uint32_t>(facts.cpus.size()));
    Finding finding = about(facts, one,
                            fmt::format("{} receives with {} of {} queues, and a CPU that serves it is busy",
                                        nic.nic->name, *nic.queues, *nic.max_queues));
    finding.evidence.push_back({"queues that it could use", double(*nic.max_queues), "queues"});
    finding.explanation = fmt::format(
        "The device could have {} queues, one for each of {} CPUs. With {} in use the receive work of the "
        "host stays on as many CPUs. Changing the number of channels takes the link down for a moment on "
        "many "
        "devices.",
        *nic.max_queues, facts.cpus.size(), *nic.queues);
    add_channels(one, wanted, finding);
    return finding;
  });
}

void indirection_leaves_queues_out(const Facts& facts, Verdict& verdict) {
  judge_queues(facts, verdict, QueueCause::table_leaves_out, [&](const NicCase& one) {
    const std::vector<uint32_t> out = left_out_queues(one.facts);
    Finding finding = about(facts, one,
                            fmt::format("the indirection table of {} leaves out {} of {} queues",
                                        one.facts.nic->name, out.size(), *one.facts.queues));
    finding.evidence.push_back({"queues that the table never names", double(out.size()), "queues"});
    finding.explanation = fmt::format(
        "No flow can reach queue {}. That is right where these queues are kept for other uses (flow steering "
        "rules, AF_XDP), and else CPUs that lie idle.",
        cpu_list(out));
    finding.remedy.push_back(fmt::format("ethtool -X {} equal {}", one.facts.nic->name, *one.facts.queues));
    return finding;
  });
}

void indirection_uneven(const Facts& facts, Verdict& verdict) {
  judge_queues(facts, verdict, QueueCause::table_uneven, [&](const NicCase& one) {
    const double peak = table_peak(one.facts);
    Finding finding =
        about(facts, one,
              fmt::format("a queue of {} has {:.1f} times its even share of the indirection table",
                          one.facts.nic->name, peak));
    finding.evidence.push_back({"most entries of a queue, in multiples of the mean", peak, ""});
    finding.explanation =
        "Flows are spread as the table says, and it favours a queue. Where the weights were not set on "
        "purpose, an even table spreads the load.";
    finding.remedy.push_back(fmt::format("ethtool -X {} equal {}", one.facts.nic->name, *one.facts.queues));
    return finding;
  });
}

void hash_on_addresses_only(const Facts& facts, Verdict& verdict) {
  judge_queues(facts, verdict, QueueCause::addresses_only, [&](const NicCase& one) {
    const NicFacts& nic = one.facts;
    Finding finding = about(
        facts, one,
        fmt::format("{} of {} is hashed on addresses alone, and {} gets {:.0f}%", join(nic.without_ports),
                    nic.nic->name, queue_words(*nic.hottest), 100 * nic.hottest->part));
    finding.explanation =
        "All flows between two hosts have the same hash, so they meet in one queue however many ports they "
        "use. With ports in the hash they spread. Some devices refuse that for UDP; and fragments, which "
        "carry "
        "no ports, may then overtake other packets of their flow.";
    for (const auto& protocol : nic.without_ports) {
      finding.remedy.push_back(fmt::format("ethtool -N {} rx-flow-hash {} sdfn", nic.nic->name, protocol));
    }
    return finding;
  });
}

void one_dominant_flow(const Facts& facts, Verdict& verdict) {
  judge_queues(facts, verdict, QueueCause::dominant_flow, [&](const NicCase& one) {
    const NicFacts& nic = one.facts;
    Finding finding = about(facts, one,
                            fmt::format("one flow dominates: {} of {} gets {:.0f}% though flows are spread",
                                        queue_words(*nic.hottest), nic.nic->name, 100 * nic.hottest->part));
    const bool told = nic.hash == HashFields::with_ports && !nic.buckets.empty();
    finding.explanation = fmt::format(
        "{} Packets of one flow always have the same hash, so no number of queues and no spreading in "
        "software "
        "by hash divides them. Flows themselves are not counted: the flow is inferred from the queues.{}",
        told ? "The indirection table is even and ports are in the hash, and still one queue has the load."
             : "The other queues receive packets too, so flows do spread, and still one queue has the load.",
        told ? "" : " If the hash leaves ports out, many flows between two hosts look the same.");
    finding.remedy.push_back(fmt::format("tcpdump -ni {} -c 1000    # which flow it is", nic.nic->name));
    finding.remedy.push_back(
        "at the sender: divide the load over several connections or ports; for a tunnel, let outer source "
        "ports "
        "differ by inner flow");
    if (nic.hot_cpu) {
      finding.remedy.push_back(fmt::format(
          "keep other work off CPU {}, and the receiving program on another CPU of its node", *nic.hot_cpu));
    }
    return finding;
  });
}

}  // namespace nettoll
