// SPDX-License-Identifier: Apache-2.0
#include "model/drop_attribution.h"

#include <algorithm>

namespace nettoll {
namespace {

const CodeRange* range_of(const std::vector<CodeRange>& ranges, uint64_t return_address) {
  const auto found = std::find_if(ranges.begin(), ranges.end(),
                                  [&](const CodeRange& range) { return range.returns_here(return_address); });
  return found == ranges.end() ? nullptr : &*found;
}

}  // namespace

const CodeRange* DropCode::helper_of(uint64_t return_address) const {
  return range_of(helpers, return_address);
}

std::span<const uint64_t> stack_from_location(uint64_t location, std::span<const uint64_t> stack) {
  const auto found = std::find(stack.begin(), stack.end(), location);
  return found == stack.end() ? stack : stack.subspan(static_cast<size_t>(found - stack.begin()));
}

DropOrigin find_drop_origin(uint64_t location, std::span<const uint64_t> stack, const DropCode& code) {
  DropOrigin origin{location, "", false};
  const CodeRange* helper = code.helper_of(location);
  if (!helper || std::find(stack.begin(), stack.end(), location) == stack.end()) return origin;
  const auto callers = stack_from_location(location, stack);
  const auto caller = std::find_if(callers.begin(), callers.end(),
                                   [&](uint64_t address) { return !code.helper_of(address); });
  if (caller == callers.end()) return origin;
  origin.location = *caller;
  origin.helper = helper->function;
  origin.transmitting = std::any_of(
      caller, callers.end(), [&](uint64_t address) { return range_of(code.transmit, address) != nullptr; });
  return origin;
}

}  // namespace nettoll
