// SPDX-License-Identifier: Apache-2.0
#include "report/diagnosis_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>

#include "base/printable.h"
#include "model/names.h"
#include "report/format.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/wrap_words.h"

namespace nettoll {
namespace {

/// A number of a finding: counts in full, the rest in three digits that mean something.
std::string amount(const Evidence& evidence) {
  if (evidence.unit == "%") return format_percent(evidence.value / 100);
  const bool whole =
      evidence.value >= 0 && evidence.value < 1e15 && evidence.value == std::floor(evidence.value);
  const std::string number =
      whole ? format_exact(static_cast<uint64_t>(evidence.value)) : format_quantity(evidence.value);
  return evidence.unit.empty() ? number : number + " " + evidence.unit;
}

/// " ±3% (1,234 samples)" of an estimate, relative as everywhere; "" of what was counted.
std::string how_sure(const Evidence& evidence) {
  std::string text;
  if (evidence.error && evidence.value > 0) text += " " + format_error(*evidence.error / evidence.value);
  if (evidence.samples) text += fmt::format(" ({} samples)", format_exact(*evidence.samples));
  return text;
}

void add_lines(std::string& text, const char* title, const std::vector<Evidence>& list) {
  for (const Evidence& evidence : list) {
    text += fmt::format("  {:<10}{}: {}{}\n", title, evidence.what, amount(evidence), how_sure(evidence));
    title = "";
  }
}

nlohmann::json evidence_json(const std::vector<Evidence>& list) {
  nlohmann::json all = nlohmann::json::array();
  for (const Evidence& evidence : list) {
    nlohmann::json item{{"what", evidence.what}, {"value", evidence.value}};
    if (!evidence.unit.empty()) item["unit"] = evidence.unit;
    if (evidence.error) item["standard_error"] = *evidence.error;
    if (evidence.samples) item["samples"] = *evidence.samples;
    all.push_back(std::move(item));
  }
  return all;
}

nlohmann::json rows_json(const std::vector<LedgerRow>& rows, const std::vector<NetnsName>& names) {
  nlohmann::json all = nlohmann::json::array();
  for (const LedgerRow& row : rows) {
    nlohmann::json item{{"layer", name_of(row.layer)},
                        {"reason", row.reason},
                        {"source", row.source},
                        {"packets", row.packets}};
    if (!row.device.empty()) item["device"] = row.device;
    if (row.netns) item["netns"] = row.netns;
    if (std::string name = find_netns_name(names, row.netns); !name.empty())
      item["netns_name"] = std::move(name);
    all.push_back(std::move(item));
  }
  return all;
}

std::string rows_text(const char* title, const std::vector<LedgerRow>& rows,
                      const std::vector<NetnsName>& names, const char* none) {
  if (rows.empty()) return fmt::format("{}: {}\n", title, none);
  TextTable table({{"layer", TextTable::Kind::text},
                   {"device", TextTable::Kind::name},
                   {"reason", TextTable::Kind::name},
                   {"packets"},
                   {"counted by", TextTable::Kind::text},
                   {"of netns", TextTable::Kind::text}});
  for (const LedgerRow& row : rows)
    table.add({std::string(name_of(row.layer)), or_missing(row.device), row.reason, format_count(row.packets),
               row.source, netns_text(names, row.netns)});
  return fmt::format("{}\n{}", title, table.render());
}

}  // namespace

std::string finding_view(const Finding& finding, size_t width) {
  std::string text = fmt::format("{}: {}: {} ({})\n", name_of(finding.severity), finding.subject,
                                 finding.condition, finding.id);
  add_lines(text, "evidence", finding.evidence);
  add_lines(text, "cost", finding.cost);
  text += fmt::format("  {:<10}{}\n", "why", wrap_words(finding.explanation, 12, width));
  if (finding.confidence) {
    std::string sure(name_of(*finding.confidence));
    if (!finding.doubts.empty()) sure += fmt::format(": {}", fmt::join(finding.doubts, "; "));
    text += fmt::format("  {:<10}{}\n", "sure", wrap_words(sure, 12, width));
  }
  const char* title = "review";
  for (const std::string& command : finding.remedy) {
    text += fmt::format("  {:<10}{}\n", title, command);
    title = "";
  }
  return text;
}

std::string diagnosis_view(const Diagnosis& diagnosis, const HostState& window, size_t width) {
  std::vector<std::string> fine;
  std::map<std::string, std::vector<std::string>> unknown;
  for (const Check& check : diagnosis.checks) {
    if (check.outcome == Check::Outcome::fine) fine.push_back(check.id);
    if (check.outcome == Check::Outcome::unknown) unknown[check.why].push_back(check.id);
  }
  const size_t count = diagnosis.findings.size();
  size_t unanswered = 0;
  for (const auto& [why, ids] : unknown) unanswered += ids.size();
  std::string text =
      fmt::format("{} in {}, {} checks{}\n\n",
                  count == 0   ? "no findings"
                  : count == 1 ? "1 finding"
                               : fmt::format("{} findings", count),
                  format_time(window.seconds * 1e9), diagnosis.checks.size(),
                  unanswered > 0 ? fmt::format(", {} of them could not be made", unanswered) : "");
  for (const Finding& finding : diagnosis.findings) text += finding_view(finding, width) + "\n";
  if (!fine.empty())
    text += fmt::format("fine        {}\n", wrap_words(fmt::format("{}", fmt::join(fine, ", ")), 12, width));
  for (const auto& [why, ids] : unknown)
    text += fmt::format("not known   {}\n",
                        wrap_words(fmt::format("{}: {}", fmt::join(ids, ", "), why), 12, width));
  for (const std::string& note : window.notes)
    text += fmt::format("note        {}\n", wrap_words(note, 12, width));
  return printable_text(text);
}

std::string ledger_view(const Ledger& ledger, size_t width) {
  std::string text =
      rows_text("Packets lost, from the wire to the socket and back", ledger.losses, ledger.netns_names,
                ledger.unmeasured.empty() ? "none" : "none of those that were counted");
  if (!ledger.noise.empty())
    text += "\n" + rows_text("Freed as if dropped, and no loss", ledger.noise, ledger.netns_names, "none");
  if (!ledger.balances.empty()) {
    TextTable table({{"", TextTable::Kind::text},
                     {"received"},
                     {"delivered"},
                     {"forwarded"},
                     {"merged"},
                     {"dropped"},
                     {"unexplained"}});
    for (const Balance& row : ledger.balances)
      table.add({row.what, format_exact(row.received), format_exact(row.delivered),
                 format_exact(row.forwarded), format_exact(row.merged), format_exact(row.dropped),
                 std::to_string(row.unexplained)});
    text += "\nBalance of IP: what came in, and what became of it\n" + table.render() +
            wrap_words(
                "delivered: handed to TCP, UDP and their like, which may still drop it: those losses are "
                "above, in the "
                "stack and at sockets",
                0, width) +
            "\n";
    for (const Balance& row : ledger.balances) {
      if (!row.without.empty())
        text += wrap_words(fmt::format("{}: {}", row.what, row.without), 0, width) + "\n";
      if (row.forwarded_then_dropped)
        text += fmt::format("{}: {} of the dropped packets had been counted as forwarded before\n", row.what,
                            format_exact(row.forwarded_then_dropped));
    }
  }
  for (const std::string& sentence : ledger.unmeasured)
    text += fmt::format("not measured  {}\n", wrap_words(sentence, 14, width));
  return printable_text(text);
}

nlohmann::json finding_json(const Finding& finding) {
  nlohmann::json item{{"id", finding.id},
                      {"condition", finding.condition},
                      {"severity", name_of(finding.severity)},
                      {"subject", finding.subject},
                      {"evidence", evidence_json(finding.evidence)},
                      {"explanation", finding.explanation},
                      {"cost", evidence_json(finding.cost)},
                      {"remedy", finding.remedy}};
  if (finding.confidence) item["confidence"] = name_of(*finding.confidence);
  if (!finding.doubts.empty()) item["doubts"] = finding.doubts;
  return item;
}

nlohmann::json checks_json(const std::vector<Check>& checks) {
  nlohmann::json list = nlohmann::json::array();
  for (const Check& check : checks) {
    nlohmann::json item{{"id", check.id}, {"outcome", name_of(check.outcome)}};
    if (!check.why.empty()) item["why"] = check.why;
    list.push_back(std::move(item));
  }
  return list;
}

nlohmann::json diagnosis_json(const Diagnosis& diagnosis, const Ledger& ledger, const HostState& window) {
  nlohmann::json findings = nlohmann::json::array(), balances = nlohmann::json::array();
  for (const Finding& finding : diagnosis.findings) findings.push_back(finding_json(finding));
  for (const Balance& row : ledger.balances) {
    nlohmann::json item{{"what", row.what},
                        {"received", row.received},
                        {"delivered", row.delivered},
                        {"forwarded", row.forwarded},
                        {"merged", row.merged},
                        {"dropped", row.dropped},
                        {"forwarded_then_dropped", row.forwarded_then_dropped},
                        {"unexplained", row.unexplained}};
    if (!row.without.empty()) item["without"] = row.without;
    balances.push_back(std::move(item));
  }
  return {{"schema", 1},
          {"seconds", window.seconds},
          {"findings", std::move(findings)},
          {"checks", checks_json(diagnosis.checks)},
          {"ledger",
           {{"losses", rows_json(ledger.losses, ledger.netns_names)},
            {"noise", rows_json(ledger.noise, ledger.netns_names)},
            {"balances", std::move(balances)},
            {"unmeasured", ledger.unmeasured}}},
          {"notes", window.notes}};
}

}  // namespace nettoll
