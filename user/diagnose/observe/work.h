// SPDX-License-Identifier: Apache-2.0
// What work a kernel function does, by its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "model/function.h"

namespace nettoll {

/// Kinds of work that observations speak of. A function may do several.
enum class Work : uint8_t {
  free_dropped,    ///< frees a packet as dropped
  free_helper,     ///< only passes a packet on to what frees it
  free_no_loss,    ///< frees what was consumed or sent, or no packet of a network
  lock_wait,       ///< spins or sleeps for a lock that somebody holds
  lock_take,       ///< takes a lock; where locks have no slow path of their own, it also waits there
  lock_frame,      ///< of the locks' own code, between who wants one and where it waits
  slab_slow,       ///< the slab allocator beyond its per-CPU fast path
  page_list,       ///< the page allocator beyond its per-CPU lists
  reclaim,         ///< frees memory for others
  compaction,      ///< moves pages to make larger free ones
  checksum,        ///< sums the data of a packet
  checksum_send,   ///< for a packet that goes out
  checksum_check,  ///< of a packet that came in
  user_copy,       ///< copies between a packet and a program
  packet_copy,     ///< copies packets, or their data, in the kernel
  tap,             ///< hands a copy of each packet to packet sockets
  conntrack,
  filter,          ///< walks rules of iptables or nftables
  indirect_thunk,  ///< retpoline
  return_thunk,    ///< what returns go through
  usercopy_check,  ///< hardened usercopy
  page_clear,      ///< fills a page with zeros
  memory_fill,     ///< memset
  page_alloc,      ///< allocates pages
  page_free,       ///< frees pages
  slab_alloc,      ///< allocates objects
  slab_free,       ///< frees objects
  wants_zeros,     ///< asks for memory that must be zero: page faults, page tables
  wants_buffer,    ///< asks for memory that it will fill itself: packets, slabs, pipes
  sanitizer,       ///< KASAN, KCSAN, KMSAN
  kfence,
  lock_debug,       ///< lockdep
  slab_debug,       ///< slub_debug
  security_module,  ///< hooks of LSMs
  audit,
  seccomp,
  kernel_entry,      ///< entry from user mode and return to it
  interrupt_enable,  ///< where interrupts are enabled again: a timer that waited samples here
  calls_nothing,     ///< code that has no calls
  interrupt,         ///< entry of an interrupt, an exception or softirq work, which come upon any code
  packet_buffer,     ///< allocates packets
};
static_assert(static_cast<size_t>(Work::packet_buffer) < 64);

/// A set of them.
class Works {
 public:
  constexpr Works() = default;
  constexpr Works(std::initializer_list<Work> list) {
    for (const Work work : list) bits_ |= bit(work);
  }
  constexpr bool has(Work work) const { return bits_ & bit(work); }
  constexpr bool any_of(const Works& others) const { return bits_ & others.bits_; }
  constexpr void add(const Works& others) { bits_ |= others.bits_; }
  bool operator==(const Works&) const = default;

 private:
  static constexpr uint64_t bit(Work work) { return uint64_t{1} << static_cast<uint8_t>(work); }

  uint64_t bits_ = 0;
};

/// source_name() of what builds renamed as well: without "_noprof" (allocation profiling, 6.10) and "__pi_"
/// (arm64, riscv64: code that runs at any place).
std::string_view written_name(std::string_view name);

/// Names are those of x86, arm64 and riscv64; one that a kernel lacks does no harm. Programs and BPF choose
/// their names freely, so only kernel code has works.
Works works_of(const Symbol& symbol);

}  // namespace nettoll
