// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace nettoll {

/// The name in the source of a C++ or (legacy-mangled) Rust function, without its return type and parameters,
/// as perf prints it; any other name as it is.
std::string demangled(const char* name);

}  // namespace nettoll
