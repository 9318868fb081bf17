// SPDX-License-Identifier: Apache-2.0
// What a person has to know who named functions to count.
#pragma once

#include <string>
#include <vector>

#include "model/function.h"

namespace nettoll {

/// A sentence for each reason why functions among `named` are not counted; the first few are listed by name.
std::vector<std::string> counting_notes(const std::vector<std::string>& named,
                                        const std::vector<CountedFunction>& functions);

}  // namespace nettoll
