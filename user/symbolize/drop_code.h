// SPDX-License-Identifier: Apache-2.0
// Where this kernel's free helpers are.
#pragma once

#include "model/drop_attribution.h"
#include "symbolize/kernel_symbols.h"

namespace nettoll {

/// The free helpers and transmit functions of the kernel proper, with the parts that compilers split off, by
/// address. A function ends where the next begins; one that seems longer than any helper is cut.
DropCode find_drop_code(const KernelSymbols& symbols);

}  // namespace nettoll
