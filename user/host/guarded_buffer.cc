// SPDX-License-Identifier: Apache-2.0
#include "host/guarded_buffer.h"

namespace nettoll {

Result<GuardedBuffer> GuardedBuffer::make(size_t size) {
  const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  size = (size + page - 1) / page * page;
  void* const data = ::mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return system_error(fmt::format("cannot map {} bytes", size + page), errno);
  Mapping memory(data, size + page);
  if (::mprotect(static_cast<char*>(data) + size, page, PROT_NONE) != 0)
    return system_error("cannot protect a page", errno);
  return GuardedBuffer(std::move(memory), size);
}

}  // namespace nettoll
