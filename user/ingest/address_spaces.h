// SPDX-License-Identifier: Apache-2.0
// What code was where: in each process at each time, and in the kernel.
//
// Records of a capture come by CPU buffer, not by time, so a sample may stand before the mapping that it
// needs. Everything that changes address spaces is collected first, put in order of time, and then answers
// for any time. Spaces that no change of a mapping tells apart are one: a stack of the same addresses in one
// is the same stack.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nettoll {

/// A file or another piece of code that was mapped.
struct MappedFile {
  std::string path;      ///< as recorded; of a BPF program its symbol's name
  std::string build_id;  ///< lower-case hex, "" where it was not recorded
  bool symbol = false;   ///< the piece is one function, and `path` its name (PERF_RECORD_KSYMBOL)
};

/// The pid under which the kernel's own mappings are recorded.
inline constexpr uint32_t kKernelPid = UINT32_MAX;

/// A piece of a file in a range of addresses.
struct CodeMapping {
  uint64_t start = 0;
  uint64_t end = 0;  ///< first address behind it
  uint64_t file_offset = 0;
  uint32_t file = 0;  ///< see AddressSpaces::file()
};

/// All address spaces of one machine.
class AddressSpaces {
 public:
  /// A number for a file; equal paths and build ids give the same.
  uint32_t intern(std::string_view path, std::string_view build_id, bool symbol = false);
  const MappedFile& file(uint32_t number) const { return files_[number]; }
  const std::vector<MappedFile>& files() const { return files_; }
  /// Gives files with this path, and no build id of their own, one.
  void set_build_id(std::string_view path, std::string_view build_id);

  // What happened, in any order; `time` decides, and among equal times the order of the calls.
  void map(uint64_t time, uint32_t pid, const CodeMapping& mapping);
  void fork(uint64_t time, uint32_t pid, uint32_t parent);
  /// `pid` runs another program from now on: what that maps covers what was there.
  void exec(uint64_t time, uint32_t pid);

  /// Puts what happened in order. Call once, then ask.
  void settle();

  /// The space of a process at a time: 0 where nothing is known of it.
  uint32_t space_of(uint32_t pid, uint64_t time) const;
  /// What lies at an address of a space.
  const CodeMapping* find(uint32_t space, uint64_t address) const;
  /// Whether a space has any mapping.
  bool empty(uint32_t space) const;

  /// Roughly what all of this takes.
  uint64_t memory_bytes() const { return memory_; }
  /// Mappings whose history was cut because too much happened to one process: the last one stands for all
  /// times.
  uint64_t simplified() const { return simplified_; }

 private:
  struct Change {
    enum class Kind : uint8_t { map, fork, exec };
    uint64_t time;
    Kind kind;
    uint32_t pid;
    uint32_t parent;  ///< of a fork
    CodeMapping mapping;
  };
  /// Mappings by start; what is not in them may be in the parent's.
  struct Space {
    uint32_t parent = 0;
    uint32_t depth = 0;
    std::map<uint64_t, CodeMapping> own;
  };
  struct Since {
    uint64_t time;
    uint32_t space;
  };

  uint32_t add_space(uint32_t parent);
  uint32_t current(uint32_t pid);
  void begin(uint32_t pid, uint64_t time, uint32_t space);
  void place(uint32_t pid, uint64_t time, const CodeMapping& mapping);

  std::vector<MappedFile> files_;
  std::map<std::pair<std::string, std::string>, uint32_t> file_numbers_;
  std::vector<Change> changes_;
  std::vector<Space> spaces_{1};  ///< the first is none
  std::unordered_map<uint32_t, std::vector<Since>> history_;
  uint64_t memory_ = 0;
  uint64_t simplified_ = 0;
};

}  // namespace nettoll
