// SPDX-License-Identifier: Apache-2.0
#include "diagnose/diagnose.h"

#include <algorithm>
#include <iterator>

#include "diagnose/rules.h"

namespace nettoll {
namespace {

constexpr Rule kRules[] = {
    {"rss_not_in_effect", Needs::window, rss_not_in_effect},
    {"too_few_channels", Needs::window, too_few_channels},
    {"indirection_leaves_queues_out", Needs::window, indirection_leaves_queues_out},
    {"indirection_uneven", Needs::window, indirection_uneven},
    {"hash_on_addresses_only", Needs::window, hash_on_addresses_only},
    {"one_dominant_flow", Needs::window, one_dominant_flow},
    {"vectors_on_one_cpu", Needs::window, vectors_on_one_cpu},
    {"vectors_collide", Needs::window, vectors_collide},
    {"vectors_off_node", Needs::window, vectors_off_node},
    {"single_queue_without_rps", Needs::window, single_queue_without_rps},
    {"rps_fights_rss", Needs::window, rps_fights_rss},
    {"rps_mask_wrong", Needs::window, rps_mask_wrong},
    {"rfs_half_configured", Needs::window, rfs_half_configured},
    {"xps_wrong", Needs::window, xps_wrong},
    {"softirq_cpu_saturated", Needs::window, softirq_cpu_saturated},
    {"time_squeeze", Needs::window, time_squeeze},
    {"backlog_overflow", Needs::window, backlog_overflow},
    {"ring_overflow", Needs::window, ring_overflow},
    {"interrupt_storm", Needs::window, interrupt_storm},
    {"gro_off", Needs::window, gro_off},
    {"receive_buffer_overflow", Needs::anything, receive_buffer_overflow},
    {"qdisc_drops", Needs::anything, qdisc_drops},
    {"xdp_drops", Needs::window, xdp_drops},
    {"drop_storm", Needs::trace, drop_storm},
    {"cpu_cost_imbalance", Needs::costs, cpu_cost_imbalance},
    {"lock_contention_in_receive", Needs::costs, lock_contention_in_receive},
};

}  // namespace

std::span<const Rule> rules() {
  return kRules;
}

Diagnosis diagnose(const HostState& window, const Profile* profile, const CostTable* costs) {
  const Facts facts = gather(window, profile, costs);
  Diagnosis diagnosis;
  for (const auto& rule : kRules) {
    Verdict verdict = ask(rule, facts);
    diagnosis.checks.push_back(verdict.check());
    for (auto& finding : verdict.take()) diagnosis.findings.push_back(std::move(finding));
  }
  std::stable_sort(diagnosis.findings.begin(), diagnosis.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return diagnosis;
}

}  // namespace nettoll
