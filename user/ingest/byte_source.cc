// SPDX-License-Identifier: Apache-2.0
#include "ingest/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

Result<std::unique_ptr<ByteSource>> open_capture(const std::string& path) {
  // O_NONBLOCK: the open of a FIFO would wait for its writer.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return system_error(fmt::format("{}: cannot be opened", path), errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return system_error(fmt::format("{}: cannot be read", path), errno);
  if (S_ISDIR(info.st_mode)) {
    return failure(fmt::format("{}: is a folder", path),
                   "name a capture in it (of 'perf record --threads' each file data.N)");
  }
  if (!S_ISREG(info.st_mode)) {
    return failure(fmt::format("{}: not a regular file", path),
                   "a capture is read twice; write it to a file first");
  }
  return unpacked(std::make_unique<FileBytes>(std::move(fd), static_cast<uint64_t>(info.st_size)));
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
