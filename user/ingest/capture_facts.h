// SPDX-License-Identifier: Apache-2.0
// What a capture says of the host that it comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nettoll {

/// A kernel module and where it was.
struct CapturedModule {
  std::string name;  ///< as kallsyms has it: "nf_conntrack"
  uint64_t start = 0;
  uint64_t end = 0;
};

/// A symbol of the kernel whose address the capture holds: it tells by how much the kernel was moved at boot.
struct ReferenceSymbol {
  std::string name;  ///< "_text" or "_stext"
  uint64_t address = 0;
};

/// Empty where the capture does not say.
struct CaptureFacts {
  std::string host;
  std::string release;  ///< uname -r
  std::string arch;     ///< uname -m
  std::string cpu;      ///< model
  std::string command;  ///< of perf
  std::string perf_version;
  uint32_t cpus_online = 0;
  uint32_t cpus_available = 0;
  std::string kernel_build_id;  ///< lower-case hex
  std::optional<ReferenceSymbol> reference;
  std::vector<CapturedModule> modules;
};

}  // namespace nettoll
