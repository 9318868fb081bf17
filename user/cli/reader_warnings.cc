// SPDX-License-Identifier: Apache-2.0
#include "cli/reader_warnings.h"

#include <fmt/format.h>

#include "model/names.h"
#include "report/format.h"

namespace nettoll {

std::vector<std::string> reader_warnings(const Profile& profile) {
  std::vector<std::string> warnings;
  for (const Loss& loss : profile.losses) {
    if (loss.count == 0) continue;
    const std::string subject = loss.subject.empty() ? "" : fmt::format(" ({})", loss.subject);
    warnings.push_back(fmt::format("lost: {} {}{}", name_of(loss.kind), format_exact(loss.count), subject));
  }
  if (profile.foreign)
    warnings.insert(warnings.end(), profile.session.notes.begin(), profile.session.notes.end());
  return warnings;
}

}  // namespace nettoll
