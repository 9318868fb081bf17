// SPDX-License-Identifier: Apache-2.0
// What diagnosis said: the ledger added up, and the findings of the last window.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exporters/prometheus/capped_map.h"
#include "model/finding.h"
#include "model/ledger.h"
#include "model/rx_imbalance.h"

namespace nettoll::exporter {

/// What diagnosis made of one window.
struct DiagnosedWindow {
  Diagnosis diagnosis;
  Ledger ledger;
  std::vector<RxImbalance> imbalances;
  double end_seconds = 0;       ///< since the epoch
  double interval_seconds = 0;  ///< time between windows as it is now
};

/// The subject as a label: a device, "CPU 3", "host", or "socket". Ports and process names stay out of
/// labels: nothing bounds how many there are, and they may tell what is nobody's business.
std::string subject_label(const std::string& subject);

/// What became of the packets that a protocol received.
struct BalanceTotals {
  uint64_t received = 0, delivered = 0, forwarded = 0, merged = 0, dropped = 0;
};

/// What the last window said; empty where it could not be had.
struct LastDiagnosis {
  using FindingLabels = std::array<std::string, 3>;  ///< id, severity, subject
  std::set<FindingLabels> findings;
  std::map<Check::Outcome, uint64_t> checks;
  std::map<std::string, double> imbalance;  ///< by device
  double end_seconds = 0;
  double interval_seconds = 0;
};

/// Windows added up. Findings are kept for the last window alone, so that subjects which are gone take no
/// series, and the cap is one for each window.
struct DiagnosisTotals {
  DiagnosisTotals(size_t max_layer_drops, size_t max_findings)
      : layer_drops(max_layer_drops), findings_limit(max_findings) {}

  void add(const DiagnosedWindow& window);
  void fail();

  std::optional<bool> up;                         ///< empty while diagnosis is off or has yet to begin
  CappedMap<3, uint64_t> layer_drops;             ///< layer, device, netns
  std::map<std::string, BalanceTotals> balances;  ///< by protocol
  std::optional<LastDiagnosis> last;
  RefusedLabels<3> refused_findings;

 private:
  void add_ledger(const Ledger& ledger);
  void add_findings(const Diagnosis& diagnosis);

  size_t findings_limit;
};

}  // namespace nettoll::exporter
