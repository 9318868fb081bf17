// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/version.h"

int main() { fmt::print("nettoll {}\n", nettoll::version()); }
