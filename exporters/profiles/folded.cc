// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/folded.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "exporters/profiles/buffered_out.h"
#include "exporters/profiles/frame_name.h"
#include "exporters/profiles/whole_weights.h"

namespace nettoll {
namespace {

std::string frame_text(const Symbol& symbol, const FoldedOptions& options) {
  std::string text = printable_line(frame_name(symbol));
  std::replace(text.begin(), text.end(), ';', ':');
  if (options.annotate && symbol.kind == SymbolKind::kernel) text += "_[k]";
  return text;
}

}  // namespace

Status write_folded(const NamedStacks& costs, uint32_t event, const FoldedOptions& options, ByteSink& sink) {
  std::vector<std::string> names;
  names.reserve(costs.symbols.size());
  for (const Symbol& symbol : costs.symbols) names.push_back(frame_text(symbol, options));
  BufferedOut out(sink);
  for_each_weight(costs, event, [&](const NamedStackCost* row, uint64_t weight) {
    if (row) {
      const char* between = "";
      for (const uint32_t frame : costs.stacks[row->stack]) {
        out.put(std::exchange(between, ";"));
        out.put(names[frame]);
      }
    } else {
      out.put(kNotSampledName);
    }
    out.format(" {}\n", weight);
  });
  return out.finish();
}

}  // namespace nettoll
