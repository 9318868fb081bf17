// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "model/drop_class.h"
#include "model/names.h"
#include "report/drops_table.h"
#include "report/format.h"
#include "report/rows.h"
#include "tui/panes.h"
#include "tui/values.h"

namespace nettoll::tui {
namespace {

/// Where kernels give reasons, those that they name can be asked for.
std::string advice_for(const std::string& reason) {
  const bool named = reason != "unclassified" && !reason.starts_with("unknown_");
  return "Stacks and examples: nettoll drops" + (named ? " --reason " + reason : "");
}

void add_rows(const DropRows& drops, const Profile& profile, PaneTable& table) {
  const uint64_t window = profile.duration_ns;
  for (const Drops& row : drops.rows) {
    const DropClass kind = classify(row);
    const bool loss = kind == DropClass::loss;
    const std::string reason = reason_text(row.reason, row.subsystem);
    PaneRow out{fmt::format("{} {} {} {} {}", reason, row.function, row.protocol, row.device, row.netns),
                {},
                loss ? Style::normal : Style::dim,
                loss ? 0 : 1};
    out.cells = {text_value(reason),
                 rate_value(row.packets, window),
                 text_value(row.function),
                 text_value(loss ? "lost" : meaning_of(kind)),
                 text_value(row.protocol),
                 text_value(row.device),
                 {netns_text(profile.netns_names, row.netns), NAN},
                 count_value(row.packets),
                 text_value(row.module)};
    out.advice = advice_for(reason);
    table.rows.push_back(std::move(out));
  }
}

/// What was lost before there was an skb, which no drop of the kernel's shows.
void add_device_losses(const Judgement& judgement, PaneTable& table) {
  const auto window = static_cast<uint64_t>(judgement.seconds * 1e9);
  for (const LedgerRow& row : judgement.ledger.losses) {
    if (row.layer != DropLayer::nic && row.layer != DropLayer::xdp) continue;
    PaneRow out{fmt::format("{} {} {}", row.reason, row.source, row.device), {}, Style::normal};
    out.cells = {text_value(row.reason),
                 rate_value(row.packets, window),
                 text_value(fmt::format("({} by {})", name_of(row.layer), row.source)),
                 text_value("lost"),
                 missing(),
                 text_value(row.device),
                 missing(),
                 count_value(row.packets),
                 missing()};
    table.rows.push_back(std::move(out));
  }
}

}  // namespace

PaneTable drops_pane(const TopData& data) {
  PaneTable table;
  table.sort = "/s";
  table.empty = "no packet was dropped";
  table.columns = {{.title = "reason", .kind = ColumnKind::name, .width = 16, .most = 26},
                   {.title = "/s", .width = 7},
                   {.title = "function", .kind = ColumnKind::name, .width = 20, .most = 32},
                   {.title = "kind", .kind = ColumnKind::text, .width = 10, .most = 20},
                   {.title = "protocol", .kind = ColumnKind::text, .width = 8},
                   {.title = "device", .kind = ColumnKind::name, .width = 10, .most = 15},
                   {.title = "netns", .kind = ColumnKind::name, .width = 10, .most = 20},
                   {.title = "packets", .width = 9},
                   {.title = "module", .kind = ColumnKind::name, .width = 8, .most = 16}};
  const SplitDrops drops = split_drops(data.profile.drops);
  add_rows(drops.loss, data.profile, table);
  if (data.judgement) add_device_losses(*data.judgement, table);
  add_rows(drops.noise, data.profile, table);
  return table;
}

}  // namespace nettoll::tui
