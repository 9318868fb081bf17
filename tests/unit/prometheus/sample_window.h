// SPDX-License-Identifier: Apache-2.0
// A window of diagnosis written by hand.
#pragma once

#include "exporters/prometheus/diagnosis_totals.h"

namespace nettoll::exporter {

inline Finding finding(std::string id, Severity severity, std::string subject) {
  Finding made;
  made.id = std::move(id);
  made.severity = severity;
  made.subject = std::move(subject);
  return made;
}

inline DiagnosedWindow sample_window() {
  DiagnosedWindow window;
  window.ledger.losses = {{DropLayer::nic, "eth0", "rx_missed_errors", "ethtool", 5},
                          {DropLayer::nic, "eth0", "rx_crc_errors", "rtnl_link_stats64", 1},
                          {DropLayer::socket, "", "Udp.RcvbufErrors", "snmp", 6}};
  window.ledger.noise = {{DropLayer::transmit, "eth0", "NOT_SPECIFIED", "kfree_skb", 1000}};
  // 4 of those dropped had been counted as forwarded: 100 - 60 - (14 - 4) - 3 - 20 leave 7.
  window.ledger.balances = {{"IPv4", 100, 60, 14, 3, 20, 4, 7, ""}};
  window.diagnosis.findings = {finding("ring_overflow", Severity::critical, "eth0"),
                               finding("receive_buffer_overflow", Severity::warning, "UDP port 53 (named)"),
                               finding("receive_buffer_overflow", Severity::warning, "UDP6 port 4711"),
                               finding("softirq_cpu_saturated", Severity::warning, "CPU 12"),
                               finding("rfs_half_configured", Severity::note, "host")};
  window.diagnosis.checks = {{"ring_overflow", Check::Outcome::found, ""},
                             {"gro_off", Check::Outcome::fine, ""},
                             {"xps_wrong", Check::Outcome::fine, ""},
                             {"vectors_off_node", Check::Outcome::unknown, "no node"}};
  window.imbalances = {{"eth0", 2.5}};
  window.end_seconds = 1'700'000'030;
  window.interval_seconds = 30;
  return window;
}

}  // namespace nettoll::exporter
