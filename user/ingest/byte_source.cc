// SPDX-License-Identifier: Apache-2.0
#include "ingest/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/unique_fd.h"
#include "ingest/gzip_source.h"
#include "ingest/zstd_source.h"

namespace nettoll {
namespace {

class FileBytes : public ByteSource {
 public:
  FileBytes(UniqueFd fd, uint64_t size) : fd_(std::move(fd)), size_(size) {}

  Result<size_t> read(std::span<uint8_t> into) override {
    size_t filled = 0;
    while (filled < into.size()) {
      const ssize_t got = ::pread(fd_.get(), into.data() + filled, into.size() - filled, offset_);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return system_error("cannot be read", errno);
      if (got == 0) break;
      filled += static_cast<size_t>(got);
      offset_ += got;
    }
    return filled;
  }
  Status seek(uint64_t offset) override {
    // A place that no file can have is behind the end like any other.
    offset_ = static_cast<off_t>(std::min<uint64_t>(offset, INT64_MAX / 2));
    return {};
  }
  uint64_t stored_bytes() const override { return size_; }

 private:
  UniqueFd fd_;
  uint64_t size_;
  off_t offset_ = 0;
};

class MemoryBytes : public ByteSource {
 public:
  explicit MemoryBytes(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  Result<size_t> read(std::span<uint8_t> into) override {
    const size_t n = std::min(into.size(), bytes_.size() - offset_);
    if (n > 0) std::memcpy(into.data(), bytes_.data() + offset_, n);
    offset_ += n;
    return n;
  }
  Status seek(uint64_t offset) override {
    offset_ = static_cast<size_t>(std::min<uint64_t>(offset, bytes_.size()));
    return {};
  }
  uint64_t stored_bytes() const override { return bytes_.size(); }

 private:
  std::span<const uint8_t> bytes_;
  size_t offset_ = 0;
};

/// The most that read_to_end() unpacks: captures pack 5 to 20 times, a bomb 1,000 times and more.
constexpr uint64_t most_unpacked(uint64_t stored_bytes) {
  return (uint64_t{256} << 20) + 100 * stored_bytes;
}

/// The folder for what needs a file for a while.
std::string temporary_folder() {
  const char* set = std::getenv("TMPDIR");
  return set && *set ? set : "/tmp";
}

/// Copies what comes through a pipe of that name into a file.
Status keep(int from, int to, const std::string& name, const std::string& folder) {
  std::vector<char> piece(256 << 10);
  for (;;) {
    const ssize_t got = ::read(from, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(fmt::format("{}: cannot be read", name), errno);
    if (got == 0) return {};
    for (ssize_t done = 0; done < got;) {
      const ssize_t written = ::write(to, piece.data() + done, static_cast<size_t>(got - done));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0)
        return system_error(fmt::format("{}: cannot be kept in {}", name, folder), errno,
                            "name a folder with more room in TMPDIR");
      done += written;
    }
  }
}

/// A pipe, kept in a file that has no name, since readers of captures go back.
Result<std::unique_ptr<ByteSource>> open_pipe(int from, const std::string& name) {
  const std::string folder = temporary_folder();
  std::string file = folder + "/nettoll-XXXXXX";
  UniqueFd fd(::mkostemp(file.data(), O_CLOEXEC));
  if (!fd)
    return system_error(fmt::format("{}: cannot be kept in {}", name, folder), errno,
                        "name a folder that can be written in TMPDIR");
  ::unlink(file.c_str());
  if (auto kept = keep(from, fd.get(), name, folder); !kept) return kept.error();
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return system_error(fmt::format("{}: cannot be read", name), errno);
  return unpacked(std::make_unique<FileBytes>(std::move(fd), static_cast<uint64_t>(info.st_size)));
}

Result<std::unique_ptr<ByteSource>> open_standard_input() {
  const std::string name = shown_name(std::string(kStandardInput));
  struct stat info {};
  if (::fstat(STDIN_FILENO, &info) != 0) return system_error(fmt::format("{}: cannot be read", name), errno);
  if (::isatty(STDIN_FILENO))
    return usage_error("standard input is a terminal",
                       "pipe a capture into it: perf script | nettoll report -");
  if (!S_ISREG(info.st_mode)) return open_pipe(STDIN_FILENO, name);
  UniqueFd fd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  if (!fd) return system_error(fmt::format("{}: cannot be read", name), errno);
  return unpacked(std::make_unique<FileBytes>(std::move(fd), static_cast<uint64_t>(info.st_size)));
}

}  // namespace

Status read_to_end(ByteSource& source) {
  if (source.packing().empty()) return {};
  std::vector<uint8_t> piece(256 << 10);
  const uint64_t most = most_unpacked(source.stored_bytes());
  for (uint64_t read = 0; read < most;) {
    const auto got = source.read(piece);
    if (!got) return got.error();
    if (*got == 0) return {};
    read += *got;
  }
  return {};
}

std::string note_of_damage(const ByteSource& source) {
  return source.damage() + (source.ending() == Ending::damaged
                                ? "; what was read before may be wrong, and what follows is lost"
                                : "; what follows is lost");
}

std::string shown_name(const std::string& path) {
  return path == kStandardInput ? "standard input" : path;
}

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path, const std::string& remedy) {
  // O_NONBLOCK: the open of a FIFO would wait for its writer.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return system_error(fmt::format("{}: cannot be opened", path), errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return system_error(fmt::format("{}: cannot be read", path), errno);
  if (S_ISDIR(info.st_mode)) return failure(fmt::format("{}: is a folder", path), remedy);
  if (!S_ISREG(info.st_mode)) return failure(fmt::format("{}: not a regular file", path), remedy);
  return unpacked(std::make_unique<FileBytes>(std::move(fd), static_cast<uint64_t>(info.st_size)));
}

bool is_pipe(const std::string& path) {
  if (path == kStandardInput) return true;
  // A FIFO of another name may have no writer yet, or never.
  if (!path.starts_with("/dev/fd/") && !path.starts_with("/proc/self/fd/")) return false;
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
}

Result<std::unique_ptr<ByteSource>> open_capture(const std::string& path) {
  if (path == kStandardInput) return open_standard_input();
  if (is_pipe(path)) {
    const UniqueFd pipe(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!pipe) return system_error(fmt::format("{}: cannot be opened", path), errno);
    return open_pipe(pipe.get(), path);
  }
  return open_file(
      path,
      "name a capture (of 'perf record --threads' each file data.N in its folder), or pipe one into "
      "'nettoll report -'");
}

std::unique_ptr<ByteSource> bytes_of(std::span<const uint8_t> bytes) {
  return std::make_unique<MemoryBytes>(bytes);
}

Result<std::unique_ptr<ByteSource>> unpacked(std::unique_ptr<ByteSource> packed) {
  std::array<uint8_t, 4> magic{};
  const auto got = packed->read(magic);
  if (!got) return got.error();
  if (auto back = packed->seek(0); !back) return back.error();
  if (*got >= 2 && magic[0] == 0x1f && magic[1] == 0x8b) return unpack_gzip(std::move(packed));
  constexpr std::array<uint8_t, 4> kZstd{0x28, 0xb5, 0x2f, 0xfd};
  if (*got == 4 && magic == kZstd) return unpack_zstd(std::move(packed));
  return packed;
}

}  // namespace nettoll
