// SPDX-License-Identifier: Apache-2.0
// Memory that is filled with zeros for safety alone.
#pragma once

#include <cstdint>

#include "diagnose/observe/sight.h"

namespace nettoll {

enum class ZeroFill : uint8_t { none, on_alloc, on_free };

/// What init_on_alloc and init_on_free do (mm/page_alloc.c post_alloc_hook() and free_pages_prepare(),
/// mm/slub.c slab_post_alloc_hook() and slab_free_hook()). The same code clears pages for those who must have
/// zeros, such as page faults; so who asked decides, and where that is not seen the answer is none.
ZeroFill zero_fill_of(const Sight& sight, uint32_t stack);

}  // namespace nettoll
