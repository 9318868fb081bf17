// SPDX-License-Identifier: Apache-2.0
// The part of the JSON report that exact mode measured.
#pragma once

#include <nlohmann/json.hpp>

#include "model/profile.h"

namespace nettoll {

nlohmann::json exact_json(const Profile& profile);

}  // namespace nettoll
