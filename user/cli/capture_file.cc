// SPDX-License-Identifier: Apache-2.0
#include "cli/capture_file.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "ingest/ingest.h"
#include "recording/limits.h"
#include "recording/recording.h"

namespace nettoll {
namespace {

Error at(const std::string& path, Error error) {
  error.message = fmt::format("{}: {}", shown_name(path), error.message);
  return error;
}

/// That --symfs names a folder: else every program's code would go without a name, and nobody would know why.
Status check_folder(const SymbolOptions& symbols) {
  std::error_code error;
  if (symbols.symfs.empty() || std::filesystem::is_directory(symbols.symfs, error)) return {};
  return usage_error(fmt::format("--symfs {}: is no folder", symbols.symfs),
                     "name the root of the files that the processes had mapped");
}

/// That symbols were not given for what names its functions itself.
Status check_symbols_serve(const std::string& path, CaptureKind kind, const SymbolOptions& symbols) {
  if (kind == CaptureKind::perf_data) return {};
  const char* option = !symbols.kallsyms.empty() ? "--kallsyms"
                       : !symbols.symfs.empty()  ? "--symfs"
                                                 : nullptr;
  if (!option) return {};
  const char* what = kind == CaptureKind::recording ? "a recording" : "the text of perf script";
  return usage_error(
      fmt::format("{}: {} is {}, which holds its names already", option, shown_name(path), what),
      fmt::format("leave {} out, or name a perf.data", option));
}

/// A recording that is packed, or comes through a pipe.
Result<Profile> unpack_recording(ByteSource& source) {
  std::string bytes;
  std::string piece(256 << 10, '\0');
  for (;;) {
    const auto got = source.read({reinterpret_cast<uint8_t*>(piece.data()), piece.size()});
    if (!got) return got.error();
    if (*got == 0) break;
    if (bytes.size() + *got > kMaxRecordingBytes)
      return failure("unpacks to more than a recording may have", "record for a shorter time");
    bytes.append(piece, 0, *got);
  }
  if (!source.damage().empty()) return failure(source.damage(), "copy the file again");
  return decode_recording(bytes);
}

}  // namespace

Result<OpenedCapture> OpenedCapture::open(const std::string& path, const SymbolOptions& symbols) {
  if (auto fine = check_folder(symbols); !fine) return fine.error();
  auto source = open_capture(path);
  if (source) return OpenedCapture(path, symbols, std::move(*source));
  Error error = source.error();
  if (error.code == ENOENT) error.remedy = "'nettoll record -o FILE' makes a recording";
  return error;
}

Result<Profile> OpenedCapture::read(const IngestOptions& filters) const {
  if (auto back = source_->seek(0); !back) return at(path_, back.error());
  const auto kind = kind_of(*source_);
  if (!kind) return at(path_, kind.error());
  if (symbols_.must_serve) {
    if (auto fine = check_symbols_serve(path_, *kind, symbols_); !fine) return fine.error();
  }
  if (*kind == CaptureKind::recording) {
    if (source_->packing().empty() && !is_pipe(path_)) return read_recording(path_);
    auto profile = unpack_recording(*source_);
    if (!profile) return at(path_, profile.error());
    return profile;
  }
  CaptureNames names(KernelFs{}, symbols_);
  if (auto loaded = names.load_given(); !loaded) return loaded.error();
  auto profile = read_foreign(*source_, *kind, filters, names);
  if (!profile) return at(path_, profile.error());
  return profile;
}

Result<Profile> read_capture(const std::string& path, const SymbolOptions& symbols) {
  const auto file = OpenedCapture::open(path, symbols);
  if (!file) return file.error();
  return file->read();
}

}  // namespace nettoll
