// SPDX-License-Identifier: Apache-2.0
// All rules, a file a subject; diagnose.cc has the table.
#pragma once

#include "diagnose/rule.h"

namespace nettoll {

// rss_rules.cc
void rss_not_in_effect(const Facts& facts, Verdict& verdict);
void too_few_channels(const Facts& facts, Verdict& verdict);
void indirection_leaves_queues_out(const Facts& facts, Verdict& verdict);
void indirection_uneven(const Facts& facts, Verdict& verdict);
void hash_on_addresses_only(const Facts& facts, Verdict& verdict);
void one_dominant_flow(const Facts& facts, Verdict& verdict);

// affinity_rules.cc
void vectors_on_one_cpu(const Facts& facts, Verdict& verdict);
void vectors_collide(const Facts& facts, Verdict& verdict);
void vectors_off_node(const Facts& facts, Verdict& verdict);

// steering_rules.cc
void single_queue_without_rps(const Facts& facts, Verdict& verdict);
void rps_fights_rss(const Facts& facts, Verdict& verdict);
void rps_mask_wrong(const Facts& facts, Verdict& verdict);
void rfs_half_configured(const Facts& facts, Verdict& verdict);
void xps_wrong(const Facts& facts, Verdict& verdict);

// cpu_rules.cc
void softirq_cpu_saturated(const Facts& facts, Verdict& verdict);
void time_squeeze(const Facts& facts, Verdict& verdict);
void backlog_overflow(const Facts& facts, Verdict& verdict);

// queue_rules.cc
void ring_overflow(const Facts& facts, Verdict& verdict);
void interrupt_storm(const Facts& facts, Verdict& verdict);
void gro_off(const Facts& facts, Verdict& verdict);

// socket_rules.cc
void receive_buffer_overflow(const Facts& facts, Verdict& verdict);

// qdisc_rules.cc
void qdisc_drops(const Facts& facts, Verdict& verdict);

// drop_rules.cc
void xdp_drops(const Facts& facts, Verdict& verdict);
void drop_storm(const Facts& facts, Verdict& verdict);

// cost_rules.cc
void cpu_cost_imbalance(const Facts& facts, Verdict& verdict);
void lock_contention_in_receive(const Facts& facts, Verdict& verdict);

/// How much a bad spread costs: critical where the CPU has no time left, warning where it is hot; where its
/// time is not known, by the packet rate.
Severity severity_of_spread(const NicFacts& nic);

/// Which CPU serves the load, with which part of it, and how busy it is.
void add_serving_cpu(const NicFacts& nic, Finding& finding);

}  // namespace nettoll
