// SPDX-License-Identifier: Apache-2.0
// Names for other tools' captures, from kallsyms and ELF files.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/kernel_fs.h"
#include "ingest/code_names.h"
#include "symbolize/elf_symbols.h"
#include "symbolize/kernel_match.h"
#include "symbolize/kernel_symbols.h"

namespace nettoll {

/// Where symbols are to be found.
struct SymbolOptions {
  std::string kallsyms;     ///< a file, plain or packed; "" for this host's, where it fits
  std::string symfs;        ///< the root of the files that processes had mapped; "" for this host's
  bool must_serve = false;  ///< whether it is an error to give them for what has its names already
};

/// Reads kernel symbols when the capture is known, files when they are asked for.
class CaptureNames : public CodeNames {
 public:
  CaptureNames(KernelFs fs, SymbolOptions options) : fs_(std::move(fs)), options_(std::move(options)) {}

  /// Reads the file of `--kallsyms`, so that an error is told before a long capture is read. Without one
  /// nothing is done.
  Status load_given();

  std::vector<std::string> prepare(const CaptureFacts& facts) override;
  CodeName kernel(uint64_t address, std::string_view module) override;
  CodeName user(const MappedFile& file, uint64_t file_offset) override;
  std::vector<std::string> remarks() const override;

 private:
  /// A file's symbols, or why it has none.
  struct File {
    std::optional<ElfSymbols> symbols;
    UnnamedCause cause = UnnamedCause::no_file;
  };

  void load_host(const CaptureFacts& facts, KernelIdentity& identity);
  const File& file_of(const MappedFile& mapped);

  KernelFs fs_;
  SymbolOptions options_;
  std::optional<KernelSymbols> symbols_;
  std::unordered_set<std::string> modules_;  ///< that `symbols_` has functions of
  KernelMatch match_;
  uint64_t kernel_found_ = 0;  ///< addresses of the kernel itself that lie in a function of `symbols_`
  uint64_t kernel_missed_ = 0;
  UnnamedCause without_symbols_ = UnnamedCause::no_kernel_symbols;
  std::unordered_map<std::string, File> files_;  ///< by path and build id
};

}  // namespace nettoll
