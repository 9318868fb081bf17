// SPDX-License-Identifier: Apache-2.0
#include "report/drops_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "model/drop_class.h"
#include "report/format.h"
#include "report/rows.h"
#include "report/table.h"

namespace nettoll {
namespace {

std::string rate(uint64_t packets, uint64_t duration_ns) {
  if (duration_ns == 0) return kMissing;
  return format_quantity(static_cast<double>(packets) * 1e9 / static_cast<double>(duration_ns));
}

void sort_rows(std::vector<Drops>& rows) {
  std::sort(rows.begin(), rows.end(), [](const Drops& a, const Drops& b) {
    return std::tuple(b.packets, a.reason, a.function, a.protocol, a.device, a.netns) <
           std::tuple(a.packets, b.reason, b.function, b.protocol, b.device, b.netns);
  });
}

}  // namespace

SplitDrops split_drops(std::vector<Drops> drops) {
  SplitDrops split;
  for (Drops& row : drops) {
    DropRows& to = classify(row) == DropClass::loss ? split.loss : split.noise;
    to.packets += row.packets;
    to.rows.push_back(std::move(row));
  }
  sort_rows(split.loss.rows);
  sort_rows(split.noise.rows);
  return split;
}

std::string drops_heading(const std::string& title, const DropRows& drops, uint64_t duration_ns,
                          const std::string& more) {
  if (drops.rows.empty()) return fmt::format("{}: none{}\n", title, more);
  return fmt::format("{}: {} packets, {} a second{}\n", title, format_exact(drops.packets),
                     rate(drops.packets, duration_ns), more);
}

std::string drops_table(const DropRows& drops, uint64_t duration_ns, const ReportOptions& options,
                        const DropColumns& shown) {
  if (drops.rows.empty()) return {};
  std::vector<TextTable::Column> columns{{"reason", TextTable::Kind::name}};
  if (shown.full) columns.push_back({"subsystem", TextTable::Kind::text});
  columns.push_back({"function", TextTable::Kind::name});
  if (shown.full) columns.push_back({"module", TextTable::Kind::name});
  columns.push_back({"protocol", TextTable::Kind::text});
  columns.push_back({"device", TextTable::Kind::name});
  columns.push_back({"netns", TextTable::Kind::name});
  for (const char* number : {"packets", "/s"}) columns.push_back({number});
  if (shown.why) columns.push_back({"kind", TextTable::Kind::text});

  TextTable table(std::move(columns));
  const size_t rows = rows_to_show(drops.rows.size(), options);
  for (size_t i = 0; i < rows; ++i) {
    const Drops& row = drops.rows[i];
    std::vector<std::string> cells{shown.full ? row.reason : reason_text(row.reason, row.subsystem)};
    if (shown.full) cells.push_back(or_missing(row.subsystem));
    cells.push_back(or_missing(row.function));
    if (shown.full) cells.push_back(or_missing(row.module));
    cells.push_back(or_missing(row.protocol));
    cells.push_back(or_missing(row.device));
    cells.push_back(netns_text(shown.netns_names ? *shown.netns_names : std::vector<NetnsName>(), row.netns));
    cells.push_back(format_count(row.packets));
    cells.push_back(rate(row.packets, duration_ns));
    if (shown.why) cells.push_back(meaning_of(classify(row)));
    table.add(std::move(cells));
  }
  return (options.terminal ? table.fold(*options.terminal) : table.render(shown.width)) +
         rest_line(drops.rows.size(), rows);
}

}  // namespace nettoll
