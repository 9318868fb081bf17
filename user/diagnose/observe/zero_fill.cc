// SPDX-License-Identifier: Apache-2.0
#include "diagnose/observe/zero_fill.h"

namespace nettoll {

ZeroFill zero_fill_of(const Sight& sight, uint32_t stack) {
  const auto frames = sight.frames(stack);
  const bool page = sight.leaf_works(stack).has(Work::page_clear);
  if (!page && !sight.leaf_works(stack).has(Work::memory_fill)) return ZeroFill::none;
  size_t at = 0;
  const Works fills{Work::page_clear, Work::memory_fill};
  while (at < frames.size() && sight.works(frames[at]).any_of(fills)) ++at;
  if (at == frames.size()) return ZeroFill::none;
  const Works& caller = sight.works(frames[at]);
  if (caller.has(page ? Work::page_free : Work::slab_free)) return ZeroFill::on_free;
  if (!caller.has(page ? Work::page_alloc : Work::slab_alloc)) return ZeroFill::none;
  for (; at < frames.size(); ++at) {
    const Works& works = sight.works(frames[at]);
    if (works.has(Work::wants_zeros)) return ZeroFill::none;
    if (works.has(page ? Work::wants_buffer : Work::packet_buffer)) return ZeroFill::on_alloc;
    // An object's first asker decides; between a page and who wants it stand more layers.
    if (!page && !works.has(Work::slab_alloc)) return ZeroFill::none;
  }
  return ZeroFill::none;
}

}  // namespace nettoll
