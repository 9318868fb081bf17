// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "report/chain_report.h"
#include "report/format.h"
#include "report/frame_label.h"
#include "report/rows.h"
#include "report/shares.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

/// How a tree is laid out in lines.
struct TreeLayout {
  size_t width;        ///< labels are shortened to end here, where they can be
  size_t shortest;     ///< but no further than this
  std::string indent;  ///< of the whole tree
  std::string branch;  ///< where a branch's further lines stand: below its name

  static TreeLayout on(std::optional<size_t> terminal) {
    constexpr size_t kPlain = 120;
    constexpr size_t kNarrow = 100;
    const size_t width = terminal.value_or(kPlain);
    if (width < kNarrow) return {width, TextTable::kShortestName, "  ", "  "};
    return {width, 40, "        ", "          "};
  }
};

/// A frame's label in what is left of a line of which `used` characters are taken; names of C++ can be long.
std::string label_of(const Symbol& symbol, size_t used, const TreeLayout& layout) {
  return shorten_middle(printable_line(frame_label(symbol)),
                        std::max(layout.shortest, layout.width - std::min(used, layout.width)));
}

class TreePrinter {
 public:
  TreePrinter(const Profile& profile, double total, const TreeLayout& layout)
      : profile_(profile), total_(total), layout_(layout) {}

  /// Branches of something that took `whole`. One that took all of it continues its line.
  void print(const std::vector<ChainNode>& nodes, const Estimate& whole, const std::string& indent) {
    if (nodes.size() == 1 && nodes[0].cost == whole) {
      text_ += indent + label_of(profile_.symbols[nodes[0].symbol], indent.size(), layout_) + "\n";
      print(nodes[0].children, nodes[0].cost, indent);
      return;
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      const bool last = i + 1 == nodes.size();
      text_ += indent + "|\n";
      text_ += fmt::format("{}{}--{}--{}\n", indent, last ? " " : "|", format_part(nodes[i].cost, total_),
                           label_of(profile_.symbols[nodes[i].symbol], indent.size() + 11, layout_));
      print(nodes[i].children, nodes[i].cost, indent + (last ? " " : "|") + layout_.branch);
    }
  }
  std::string take() { return std::move(text_); }

 private:
  const Profile& profile_;
  double total_;
  const TreeLayout& layout_;
  std::string text_;
};

std::string entry_text(const Profile& profile, const ChainReport& report, const ChainEntry& entry,
                       const TreeLayout& layout) {
  const Symbol& symbol = profile.symbols[entry.symbol];
  std::string text = fmt::format(
      "{:>8} {:>8}  {}  {}\n", format_part(entry.self, report.total),
      profile.session.events[report.event].chains ? format_part(entry.inclusive, report.total) : kMissing,
      shorten_middle(printable_line(symbol.name), std::min<size_t>(70, layout.width / 2)),
      or_missing(printable_line(symbol.module)));
  TreePrinter printer(profile, report.total, layout);
  const bool of_leaf =
      report.scope == ChainScope::leaf_from_caller || report.scope == ChainScope::leaf_from_callee;
  const Estimate& whole = of_leaf ? entry.self : entry.inclusive;
  // A tree that begins at the function itself need not say its name twice.
  if (entry.roots.size() == 1 && entry.roots[0].symbol == entry.symbol && entry.roots[0].cost == whole)
    printer.print(entry.roots[0].children, whole, layout.indent);
  else
    printer.print(entry.roots, whole, layout.indent);
  return text + printer.take();
}

std::string_view what(ChainScope scope) {
  switch (scope) {
    case ChainScope::leaf_from_caller:
      return "Call chains of the functions alone, from the outermost caller";
    case ChainScope::leaf_from_callee:
      return "Call chains of the functions alone, from the function outwards";
    case ChainScope::children:
      return "Call chains: what functions called, and where they were called for what they took alone";
    case ChainScope::callers:
      return "Callers";
    case ChainScope::callees:
      return "Callees";
  }
  return "";
}

}  // namespace

std::string chains_view(const Profile& profile, const std::vector<ChainReport>& reports,
                        const ReportOptions& options) {
  const TreeLayout layout = TreeLayout::on(options.terminal);
  std::string text;
  for (const ChainReport& report : reports) {
    text += fmt::format("{}{}, by {}; branches from {}% of {}\n    self     incl  function  of\n",
                        text.empty() ? "" : "\n", what(report.scope),
                        profile.session.events[report.event].name, options.chain_percent,
                        report.limit_of == LimitOf::small_function ? "it, or of a smaller function" : "it");
    for (const ChainEntry& entry : report.entries)
      text += entry_text(profile, report, entry, layout) + (entry.roots.empty() ? "" : "\n");
    text += rest_line(report.entries.size() + report.left_out, report.entries.size());
    while (text.ends_with("\n\n")) text.pop_back();
  }
  return text;
}

}  // namespace nettoll
