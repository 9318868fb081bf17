// SPDX-License-Identifier: Apache-2.0
// The counted part of the JSON report: rows of the profile as they are.
#pragma once

#include <nlohmann/json.hpp>

#include "model/profile.h"

namespace nettoll {

nlohmann::json napi_json(const Profile& profile);
nlohmann::json queues_json(const Profile& profile);
nlohmann::json softirqs_json(const Profile& profile);
nlohmann::json drops_json(const Profile& profile);
nlohmann::json losses_json(const Profile& profile);

}  // namespace nettoll
