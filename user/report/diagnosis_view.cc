// SPDX-License-Identifier: Apache-2.0
#include "report/diagnosis_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>

#include "model/names.h"
#include "report/format.h"
#include "report/table.h"

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

void add_lines(std::string& text, const char* title, const std::vector<Evidence>& list) {
  for (const Evidence& evidence : list) {
    text += fmt::format("  {:<10}{}: {}\n", title, evidence.what, amount(evidence));
    title = "";
  }
}

/// Words in lines of about `width` characters, the lines after the first set in.
std::string wrap(const std::string& text, size_t indent, size_t width) {
  std::string out;
  size_t column = indent;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const size_t length = end - at;
    if (column > indent && column + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(at, length);
    column += length;
    at = end + 1;
  }
  return out;
}

nlohmann::json evidence_json(const std::vector<Evidence>& list) {
  nlohmann::json all = nlohmann::json::array();
  for (const Evidence& evidence : list) {
    nlohmann::json item{{"what", evidence.what}, {"value", evidence.value}};
    if (!evidence.unit.empty()) item["unit"] = evidence.unit;
    all.push_back(std::move(item));
  }
  return all;
}

nlohmann::json rows_json(const std::vector<LedgerRow>& rows) {
  nlohmann::json all = nlohmann::json::array();
  for (const LedgerRow& row : rows) {
    nlohmann::json item{{"layer", name_of(row.layer)},
                        {"reason", row.reason},
                        {"source", row.source},
                        {"packets", row.packets}};
    if (!row.device.empty()) item["device"] = row.device;
    if (row.netns) item["netns"] = row.netns;
    all.push_back(std::move(item));
  }
  return all;
}

std::string rows_text(const char* title, const std::vector<LedgerRow>& rows, const char* none) {
  if (rows.empty()) return fmt::format("{}: {}\n", title, none);
  TextTable table({{"layer", TextTable::Kind::text},
                   {"device", TextTable::Kind::name},
                   {"reason", TextTable::Kind::name},
                   {"packets"},
                   {"counted by", TextTable::Kind::text},
                   {"of netns", TextTable::Kind::text}});
  for (const LedgerRow& row : rows)
    table.add({std::string(name_of(row.layer)), or_missing(row.device), row.reason, format_count(row.packets),
               row.source, row.netns ? std::to_string(row.netns) : kMissing});
  return fmt::format("{}\n{}", title, table.render());
}

}  // namespace

std::string finding_view(const Finding& finding, size_t width) {
  std::string text = fmt::format("{}: {}: {} ({})\n", name_of(finding.severity), finding.subject,
                                 finding.condition, finding.id);
  add_lines(text, "evidence", finding.evidence);
  add_lines(text, "cost", finding.cost);
  text += fmt::format("  {:<10}{}\n", "why", wrap(finding.explanation, 12, width));
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
    text += fmt::format("fine        {}\n", wrap(fmt::format("{}", fmt::join(fine, ", ")), 12, width));
  for (const auto& [why, ids] : unknown)
    text +=
        fmt::format("not known   {}\n", wrap(fmt::format("{}: {}", fmt::join(ids, ", "), why), 12, width));
  for (const std::string& note : window.notes) text += fmt::format("note        {}\n", wrap(note, 12, width));
  return text;
}

std::string ledger_view(const Ledger& ledger, size_t width) {
  std::string text = rows_text("Packets lost, from the wire to the socket and back", ledger.losses,
                               ledger.unmeasured.empty() ? "none" : "none of those that were counted");
  if (!ledger.noise.empty())
    text += "\n" + rows_text("Freed as if dropped, and no loss", ledger.noise, "none");
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
            wrap(
                "delivered: handed to TCP, UDP and their like, which may still drop it: those losses are "
                "above, in the "
                "stack and at sockets",
                0, width) +
            "\n";
    for (const Balance& row : ledger.balances) {
      if (!row.without.empty()) text += wrap(fmt::format("{}: {}", row.what, row.without), 0, width) + "\n";
      if (row.forwarded_then_dropped)
        text += fmt::format("{}: {} of the dropped packets had been counted as forwarded before\n", row.what,
                            format_exact(row.forwarded_then_dropped));
    }
  }
  for (const std::string& sentence : ledger.unmeasured)
    text += fmt::format("not measured  {}\n", wrap(sentence, 14, width));
  return text;
}

nlohmann::json diagnosis_json(const Diagnosis& diagnosis, const Ledger& ledger, const HostState& window) {
  nlohmann::json findings = nlohmann::json::array(), checks = nlohmann::json::array(),
                 balances = nlohmann::json::array();
  for (const Finding& finding : diagnosis.findings)
    findings.push_back({{"id", finding.id},
                        {"condition", finding.condition},
                        {"severity", name_of(finding.severity)},
                        {"subject", finding.subject},
                        {"evidence", evidence_json(finding.evidence)},
                        {"explanation", finding.explanation},
                        {"cost", evidence_json(finding.cost)},
                        {"remedy", finding.remedy}});
  for (const Check& check : diagnosis.checks) {
    nlohmann::json item{{"id", check.id}, {"outcome", name_of(check.outcome)}};
    if (!check.why.empty()) item["why"] = check.why;
    checks.push_back(std::move(item));
  }
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
          {"checks", std::move(checks)},
          {"ledger",
           {{"losses", rows_json(ledger.losses)},
            {"noise", rows_json(ledger.noise)},
            {"balances", std::move(balances)},
            {"unmeasured", ledger.unmeasured}}},
          {"notes", window.notes}};
}

}  // namespace nettoll
