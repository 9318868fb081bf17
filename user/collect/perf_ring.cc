// SPDX-License-Identifier: Apache-2.0
#include "collect/perf_ring.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace nettoll {
namespace {

size_t page_size() {
  return static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

Result<PerfRing> PerfRing::map(int fd, size_t data_bytes) {
  const size_t page = page_size();
  data_bytes = std::max(data_bytes, page);
  while (true) {
    const size_t size = page + data_bytes;
    void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (data != MAP_FAILED) return PerfRing(Mapping(data, size), data_bytes);
    const int code = errno;
    if ((code != EPERM && code != ENOMEM) || data_bytes == page) {
      return system_error(fmt::format("cannot map a perf ring of {} KB", data_bytes / 1024), code,
                          code == EPERM ? "raise kernel.perf_event_mlock_kb or run with CAP_IPC_LOCK" : "");
    }
    data_bytes /= 2;
  }
}

PerfRing::PerfRing(Mapping mapping, size_t data_bytes)
    : mapping_(std::move(mapping)), data_bytes_(data_bytes) {}

void PerfRing::drain(RecordSink& sink) {
  if (!mapping_) return;
  auto* page = static_cast<perf_event_mmap_page*>(mapping_.data());
  const auto* words =
      reinterpret_cast<const uint64_t*>(static_cast<const std::byte*>(mapping_.data()) + page_size());
  const size_t ring_words = data_bytes_ / sizeof(uint64_t);

  // Pairs with the kernel's barrier before it moves data_head: the records up to here are whole.
  const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
  uint64_t tail = page->data_tail;  // only we write it
  if (head - tail > data_bytes_) {
    sink.on_unmatched();
    tail = head;
  }
  while (tail < head) {
    const size_t at = tail / sizeof(uint64_t) % ring_words;
    perf_event_header header;
    std::memcpy(&header, &words[at], sizeof(header));
    // The kernel writes whole words, and no record beyond its head.
    if (header.size < sizeof(header) || header.size % sizeof(uint64_t) != 0 || header.size > head - tail) {
      sink.on_unmatched();
      tail = head;
      break;
    }
    const size_t count = header.size / sizeof(uint64_t);
    if (at + count <= ring_words) {
      decode_record({&words[at], count}, sink);
    } else {
      const size_t before = ring_words - at;
      joined_.assign(&words[at], &words[at] + before);
      joined_.insert(joined_.end(), words, words + (count - before));
      decode_record(joined_, sink);
    }
    tail += header.size;
  }
  // Pairs with the kernel's read of data_tail: all our reads of the records are before it may write there.
  __atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

}  // namespace nettoll
