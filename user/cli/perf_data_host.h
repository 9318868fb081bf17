// SPDX-License-Identifier: Apache-2.0
// What record tells a perf.data of this host.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "collect/perf_data_file.h"
#include "model/session.h"
#include "symbolize/kernel_symbols.h"

namespace nettoll {

/// The range of the kernel's text, from _text or _stext to the end of the page where its last function
/// begins; of size 0 where kallsyms has neither.
PerfDataCode kernel_text(const KernelSymbols& symbols);

/// BPF programs and trampolines. kallsyms does not say where they end: at the next function, or at the end of
/// their page where that comes first for the last one.
std::vector<PerfDataCode> bpf_code(const KernelSymbols& symbols);

/// Modules and where they are, of the text of /proc/modules. Without addresses, as they are shown to who has
/// no rights, there are none.
std::vector<PerfDataCode> modules_in(std::string_view proc_modules);

/// The command line, as it was typed, of the text of /proc/PID/cmdline: each argument ends in a NUL.
std::vector<std::string> arguments_in(std::string_view proc_cmdline);

/// All of it, read now; the command line is that of this process. Fails where kallsyms cannot be read.
Result<PerfDataHost> perf_data_host(const Session& session, const KernelFs& fs);

}  // namespace nettoll
