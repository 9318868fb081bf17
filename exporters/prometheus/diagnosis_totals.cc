// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/diagnosis_totals.h"

#include <algorithm>

#include "exporters/prometheus/label_value.h"
#include "model/names.h"

namespace nettoll::exporter {
namespace {

bool is_cpu(std::string_view subject) {
  constexpr std::string_view kPrefix = "CPU ";
  return subject.starts_with(kPrefix) && subject.size() > kPrefix.size() &&
         subject.find_first_not_of("0123456789", kPrefix.size()) == std::string_view::npos;
}

/// What the kernel takes as a device's name (dev_valid_name, net/core/dev.c), in its bytes.
bool may_be_device(std::string_view subject) {
  constexpr size_t kNameSize = 16;  // IFNAMSIZ, with the final NUL
  constexpr std::string_view kRefused = "/: \t\n\v\f\r";
  return !subject.empty() && subject.size() < kNameSize &&
         subject.find_first_of(kRefused) == std::string_view::npos;
}

/// "IPv4" as the label `protocol` of other metrics spells it.
std::string protocol_label(const std::string& what) {
  std::string label = label_value(what);
  for (char& c : label) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return label;
}

}  // namespace

std::string subject_label(const std::string& subject) {
  // What is known to be bounded passes, so that a subject of another kind cannot slip into a label.
  return is_cpu(subject) || subject == "other namespaces" || may_be_device(subject) ? label_value(subject)
                                                                                    : "socket";
}

void DiagnosisTotals::add(const DiagnosedWindow& window) {
  up = true;
  last.emplace();
  last->end_seconds = window.end_seconds;
  last->interval_seconds = window.interval_seconds;
  add_ledger(window.ledger);
  add_findings(window.diagnosis);
  for (const RxImbalance& row : window.imbalances) last->imbalance[label_value(row.device)] = row.ratio;
}

void DiagnosisTotals::fail() {
  up = false;
  last.reset();
}

void DiagnosisTotals::add_ledger(const Ledger& ledger) {
  for (const LedgerRow& row : ledger.losses) {
    const std::string layer(name_of(row.layer));
    // Devices of several namespaces may share a name; which namespace it is, nothing bounds.
    layer_drops.at({layer, label_value(row.device), row.netns == 0 ? "own" : "other"},
                   {layer, kOther, kOther}) += row.packets;
  }
  for (const Balance& row : ledger.balances) {
    BalanceTotals& to = balances[protocol_label(row.what)];
    to.received += row.received;
    to.delivered += row.delivered;
    // Those that were dropped after they were counted as forwarded have one fate.
    to.forwarded += row.forwarded - std::min(row.forwarded, row.forwarded_then_dropped);
    to.merged += row.merged;
    to.dropped += row.dropped;
  }
}

/// The most severe come first, so the cap keeps them.
void DiagnosisTotals::add_findings(const Diagnosis& diagnosis) {
  for (const Finding& finding : diagnosis.findings) {
    LastDiagnosis::FindingLabels labels{label_value(finding.id), std::string(name_of(finding.severity)),
                                        subject_label(finding.subject)};
    if (last->findings.size() < findings_limit || last->findings.contains(labels)) {
      last->findings.insert(std::move(labels));
    } else {
      refused_findings.add(labels);
      last->findings.insert(LastDiagnosis::FindingLabels{kOther, labels[1], kOther});
    }
  }
  for (const auto outcome : {Check::Outcome::fine, Check::Outcome::found, Check::Outcome::unknown})
    last->checks[outcome] = 0;
  for (const Check& check : diagnosis.checks) ++last->checks[check.outcome];
}

}  // namespace nettoll::exporter
