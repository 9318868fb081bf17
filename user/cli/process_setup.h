// SPDX-License-Identifier: Apache-2.0
// What the process needs whatever the command is.
#pragma once

namespace nettoll {

/// To be called first. Makes failures come as errors of system calls, not as damage or sudden death:
///  - Standard descriptors that the caller closed are taken, or else the next file that is opened would get
///    messages written into it. Reading and writing them fails with EBADF, as on closed ones.
///  - A write past the limit on the size of files fails with EFBIG (setrlimit(2)), not by SIGXFSZ.
void prepare_process();

}  // namespace nettoll
