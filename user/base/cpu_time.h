// SPDX-License-Identifier: Apache-2.0
// CPU time that this program took, in the kernel too.
#pragma once

#include <chrono>

namespace nettoll {

/// Of the calling thread.
std::chrono::nanoseconds thread_cpu_time();
/// Of all threads.
std::chrono::nanoseconds process_cpu_time();

}  // namespace nettoll
