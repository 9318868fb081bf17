// SPDX-License-Identifier: Apache-2.0
// Waiting for locks, and what may be that.
#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {

void lock_contention(const Sight& sight, Verdict& verdict) {
  const Works waits{Work::lock_wait};
  judge(
      sight, verdict,
      {.of = WorkShare::Of::either,
       .limit = limit::kLockWait,
       .holds = in_stack(sight, waits),
       .what = "waiting for locks",
       .explanation =
           "The slow path of a lock runs where another CPU holds it. The callers say which lock: one socket "
           "that all CPUs fill, a queueing discipline, conntrack, the page allocator. More CPUs for the same "
           "load make it worse.",
       .remedy = {"perf lock contention -a -b sleep 10    # which lock, and how long",
                  "in the program: a socket for each thread, with SO_REUSEPORT",
                  "tc qdisc show; a multi-queue discipline (mq, fq) in place of a single one"},
       .list = "wanted by",
       .listed_under = caller_of(sight, waits, {Work::lock_take, Work::lock_frame})});
}

void lock_taking(const Sight& sight, Verdict& verdict) {
  const Works takes{Work::lock_take};
  judge(sight, verdict,
        {.of = WorkShare::Of::either,
         .limit = limit::kLockTake,
         .holds = at_leaf(sight, takes),
         .what = "taking spin locks, without their slow path,",
         .explanation =
             "Either the lock's cache line comes from another CPU each time, or this kernel spins in the "
             "function itself: ticket locks (riscv, old kernels), and guests whose slow path is inlined. The "
             "samples cannot tell which.",
         .remedy = {"perf lock contention -a -b sleep 10",
                    "perf c2c record -a sleep 10    # where there is a PMU"},
         .list = "wanted by",
         .listed_under = caller_of(sight, takes, {Work::lock_frame})});
}

}  // namespace nettoll
