// SPDX-License-Identifier: Apache-2.0
// What somebody meant who typed a name that does not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nettoll {

/// The candidates that are near `name`, nearest first, five at most: few single-letter edits away, but not
/// as many as they have letters, which are compared without case, or names that hold it whole.
std::vector<std::string> near_names(std::string_view name, std::vector<std::string> candidates);

/// "did you mean A, B?", or `otherwise` where nothing is near.
std::string did_you_mean(std::string_view name, std::vector<std::string> candidates, std::string otherwise);

}  // namespace nettoll
