// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <initializer_list>

#include "report/views.h"

namespace nettoll {
namespace {

/// A recording may come from a stranger, and its names go to a terminal: what a terminal would obey becomes
/// '?'. That is the C0 controls but line ends, DEL, and the C1 controls, which UTF-8 writes as C2 80 to C2
/// 9F.
std::string without_controls(std::string text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool c1 = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    if (c1) text[i + 1] = '?';
    if (c1 || (byte < 0x20 && byte != '\n') || byte == 0x7F) text[i] = '?';
  }
  return text;
}

}  // namespace

std::string render_report(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  std::string text = header_view(profile, cost);
  for (const std::string& view : {
           functions_view(profile, cost, options),
           path_functions_view(profile, cost, Path::rx, options),
           path_functions_view(profile, cost, Path::tx, options),
           efficiency_view(profile, cost, options),
           exact_view(profile),
           paths_view(profile, cost),
           cpus_view(profile, cost),
           napi_view(profile, options),
           queues_view(profile, options),
           softirqs_view(profile),
           drops_view(profile, options),
           other_functions_view(profile, cost, options),
       }) {
    if (!view.empty()) text += "\n" + view;
  }
  return without_controls(std::move(text));
}

}  // namespace nettoll
