// SPDX-License-Identifier: Apache-2.0
// What only captures of other tools have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nettoll {

/// Why an address of a capture has no name.
enum class UnnamedCause : uint8_t {
  no_mapping,         ///< nothing was mapped there, or it was not recorded
  broken_chain,       ///< a caller where nothing was mapped: code without frame pointers, or a damaged stack
  no_file,            ///< the file that it belongs to is not here
  other_file,         ///< the file that is here has another build id
  stripped,           ///< the file has no symbol there
  generated,          ///< made at run time (JIT), in no file
  no_kernel_symbols,  ///< no kallsyms of that kernel at hand
  zeroed_kallsyms,    ///< the kallsyms at hand hides its addresses
  no_module_symbols,  ///< the kallsyms at hand lacks that module, or has it at another place
  kernel_hole,        ///< between two functions of the kernel
  guest,              ///< in a guest or a hypervisor, which was not recorded
};
inline constexpr UnnamedCause kAllUnnamedCauses[] = {
    UnnamedCause::no_mapping,        UnnamedCause::broken_chain,    UnnamedCause::no_file,
    UnnamedCause::other_file,        UnnamedCause::stripped,        UnnamedCause::generated,
    UnnamedCause::no_kernel_symbols, UnnamedCause::zeroed_kallsyms, UnnamedCause::no_module_symbols,
    UnnamedCause::kernel_hole,       UnnamedCause::guest,
};

/// How much of a capture has no name for one cause.
struct Unnamed {
  UnnamedCause cause = UnnamedCause::no_mapping;
  uint64_t samples = 0;  ///< whose own place has no name
  uint64_t callers = 0;  ///< frames above, each counted once a sample

  bool operator==(const Unnamed&) const = default;
};

/// What threads of one name took of one event.
struct CommSamples {
  std::string comm;
  uint32_t event = 0;
  uint64_t samples = 0;
  uint64_t period = 0;

  bool operator==(const CommSamples&) const = default;
};

/// Whether a capture was read to its end.
enum class Ending : uint8_t {
  whole,
  cut,      ///< it ends early, or was not read further: what is missing is at its end
  damaged,  ///< some of its bytes are wrong: so may be what was read
};

/// Where such a capture comes from, and what it lacks. It has samples, and none of what nettoll counts:
/// counts, calls, packets, drops are absent, not none.
struct Foreign {
  std::string tool;       ///< "perf.data", "perf script"
  std::string command;    ///< that made it, "" where unknown
  std::string cpu_model;  ///< "" where unknown
  /// False where samples do not say their CPU: all rows then stand under CPU 0.
  bool cpus_known = true;
  std::vector<Unnamed> unnamed;
  std::optional<uint64_t> first_ns{};  ///< time of the first sample by the capture's own clock
  std::vector<CommSamples> comms{};    ///< only where they were asked for
  /// How it ended. How many samples are missing nobody can tell where that is not `whole`.
  Ending ending = Ending::whole;

  bool operator==(const Foreign&) const = default;
};

}  // namespace nettoll
