// SPDX-License-Identifier: Apache-2.0
// Small owners and facts about loaded BPF programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll {

/// A program's name as /proc/kallsyms lists it: bpf_prog_<tag>_<name>.
Result<std::string> program_symbol(int prog_fd);

/// The trampoline that calls an fentry program, as kallsyms lists it: its key is the target's BTF object and
/// type id (bpf_trampoline_compute_key in kernel/bpf/trampoline.c). The kernel shares it with other tracers
/// of the function.
std::string trampoline_symbol(int prog_fd, uint32_t btf_id);

/// The same on kernels before 5.11, where the key is the type id alone.
std::string early_trampoline_symbol(uint32_t btf_id);

/// Runs that the kernel skipped because the program was running on that CPU already
/// (bpf_prog_info.recursion_misses, since 5.12; 0 on older kernels, which do not count them).
uint64_t missed_runs(int prog_fd);

/// Sends libbpf's messages to the log: its warnings are for developers, ours name the remedy.
void quiet_libbpf();

/// Maps a BPF_F_MMAPABLE array of `entries` values of `value_size` bytes for reading, or for writing too.
Result<Mapping> map_array(int map_fd, uint32_t entries, uint32_t value_size, bool writable = false);

/// What an error of BPF_PROG_LOAD or of an attach means for the person at the keyboard.
std::string bpf_remedy(int error);

}  // namespace nettoll
