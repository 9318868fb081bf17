// SPDX-License-Identifier: Apache-2.0
// Kernel functions that must not be probed.
#pragma once

#include <string_view>

namespace nettoll {

/// Why a probe of ours must stay away from them; for people.
inline constexpr const char* kRunByProbes =
    "nettoll's own programs run it: a probe in it would call itself, which can stop the kernel";

/// True for what BPF programs, their trampolines, maps and helpers run: locks, clocks, map code, the PMU's
/// reads. Kernels before 5.15 let a trampoline call itself without end, and on later ones a program that
/// waits for the map lock which the function it hangs on holds waits for ever.
bool is_run_by_probes(std::string_view function);

}  // namespace nettoll
