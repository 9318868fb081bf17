// SPDX-License-Identifier: Apache-2.0
// Names that perf gives to kernel code.
#pragma once

#include <string>
#include <string_view>

namespace nettoll {

/// The module in "/lib/modules/6.1.0/kernel/net/nf-nat.ko.xz" or "[nf_nat]", as kallsyms spells it: "nf_nat".
/// "" for what is no module.
std::string module_of_path(std::string_view path);

/// True for the kernel proper: "[kernel.kallsyms]", with or without "_text" behind it, "[kernel.vmlinux]",
/// "[kernel]", or a path to a vmlinux file.
bool is_kernel_path(std::string_view path);

/// True for a guest's kernel: "[guest.kernel.kallsyms]" and with a pid behind it.
bool is_guest_kernel_path(std::string_view path);

/// True for a path to no file: "[vdso]", "[heap]", "//anon", "anon_inode:...", "/memfd:...", "/SYSV...",
/// "/dev/zero".
bool is_no_file(std::string_view path);

}  // namespace nettoll
