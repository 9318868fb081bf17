// SPDX-License-Identifier: Apache-2.0
// Attaching many at once when some of them cannot be attached.
#pragma once

#include <cerrno>
#include <cstddef>
#include <span>

#include "base/result.h"

namespace nettoll {

/// Whether attaching fewer at once may work where this error came: one of them is no function to hook
/// (EINVAL, ENOENT, ESRCH, EBUSY...), or they are too many (ENOMEM, E2BIG). A lack of rights or of the whole
/// feature is the same for one.
inline bool is_worth_halving(int error) {
  return error != EPERM && error != EACCES && error != EOPNOTSUPP && error != ENOSYS && error != EMFILE &&
         error != ENFILE;
}

/// Calls `attach(part)` for all of `items` together, and for the halves of what fails, down to single ones;
/// what fails alone goes to `fail(item, error)`. Where halving is of no use, all of the part fail.
template <typename Item, typename Attach, typename Fail>
void attach_halving(std::span<const Item> items, const Attach& attach, const Fail& fail) {
  if (items.empty()) return;
  const Status done = attach(items);
  if (done) return;
  if (items.size() == 1 || !is_worth_halving(done.error().code)) {
    for (const Item& item : items) fail(item, done.error());
    return;
  }
  const size_t half = items.size() / 2;
  attach_halving(items.first(half), attach, fail);
  attach_halving(items.subspan(half), attach, fail);
}

}  // namespace nettoll
