// SPDX-License-Identifier: Apache-2.0
// nettoll_layer_drops_*, nettoll_ledger_*, nettoll_finding and what tells how far to trust them.
#include "exporters/prometheus/family_builder.h"
#include "model/names.h"

namespace nettoll::exporter {
namespace {

void ledger_families(const DiagnosisTotals& totals, const FamilySink& sink) {
  auto drops = counter(
      "nettoll_layer_drops_total",
      "Packets lost, by the layer that lost them (nic, xdp, backlog, stack, socket, qdisc, transmit) "
      "and device, as the counters of devices and kernel and traced drops have them, each packet "
      "once; device=\"\" where the layer has none or it is not known, netns=\"own\" for the namespace "
      "that nettoll watches and what has none.",
      {"layer", "device", "netns"});
  for (const auto& [labels, packets] : totals.layer_drops)
    drops.add({labels[0], labels[1], labels[2]}, packets);
  std::move(drops).emit(sink);

  auto received = counter("nettoll_ledger_received_packets_total",
                          "Packets that the protocol received, as the kernel's protocol counters have them.",
                          {"protocol"});
  auto explained =
      counter("nettoll_ledger_explained_packets_total",
              "Packets that the protocol received and whose fate is known: delivered, forwarded, merged "
              "(fragments that became part of another packet) or dropped. What "
              "nettoll_ledger_received_packets_total has more is unexplained.",
              {"protocol", "fate"});
  for (const auto& [protocol, balance] : totals.balances) {
    received.add({protocol}, balance.received);
    explained.add({protocol, "delivered"}, balance.delivered);
    explained.add({protocol, "dropped"}, balance.dropped);
    explained.add({protocol, "forwarded"}, balance.forwarded);
    explained.add({protocol, "merged"}, balance.merged);
  }
  std::move(received).emit(sink);
  std::move(explained).emit(sink);
}

void last_families(const LastDiagnosis& last, const FamilySink& sink) {
  auto findings = gauge("nettoll_finding",
                        "1 for each finding of the last window of diagnosis; there is no series for what was "
                        "not found. nettoll diagnose has its evidence and remedy.",
                        {"id", "severity", "subject"});
  for (const auto& labels : last.findings) findings.add({labels[0], labels[1], labels[2]}, 1.0);
  std::move(findings).emit(sink);

  auto checks = gauge("nettoll_finding_checks",
                      "Questions that diagnosis asked in its last window, by outcome: fine, found, or "
                      "unknown because what would tell was missing.",
                      {"outcome"});
  for (const auto& [outcome, count] : last.checks) checks.add({name_of(outcome)}, count);
  std::move(checks).emit(sink);

  auto imbalance = gauge("nettoll_rx_imbalance_ratio",
                         "Packets of the device's busiest receive queue over the mean of all its queues in "
                         "the last window of diagnosis: 1 is even, the number of queues is all on one.",
                         {"device"});
  for (const auto& [device, ratio] : last.imbalance) imbalance.add({device}, ratio);
  std::move(imbalance).emit(sink);

  auto end = gauge("nettoll_last_diagnosis_timestamp_seconds",
                   "End of the last window of diagnosis in seconds since the epoch.", {});
  end.add({}, last.end_seconds);
  std::move(end).emit(sink);
  auto interval = gauge("nettoll_diagnosis_interval_seconds",
                        "Time in seconds between windows of diagnosis; longer than asked for where a window "
                        "would take more than its part of CPU time.",
                        {});
  interval.add({}, last.interval_seconds);
  std::move(interval).emit(sink);
}

}  // namespace

void diagnosis_families(const Totals& totals, const FamilySink& sink) {
  const DiagnosisTotals& diagnosis = totals.diagnosis;
  ledger_families(diagnosis, sink);
  if (diagnosis.last) last_families(*diagnosis.last, sink);
  auto up = gauge("nettoll_diagnosis_up",
                  "1 if this host's counters could be read at the end of the last window of diagnosis, 0 if "
                  "not; the log says why.",
                  {});
  if (diagnosis.up) up.add({}, *diagnosis.up ? 1.0 : 0.0);
  std::move(up).emit(sink);
}

}  // namespace nettoll::exporter
