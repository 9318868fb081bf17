// SPDX-License-Identifier: Apache-2.0
#include "recording/recording.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/unique_fd.h"
#include "recording/cbor_check.h"
#include "recording/envelope.h"
#include "recording/profile_check.h"
#include "recording/profile_codec.h"

namespace nettoll {
namespace {

Error at(const std::string& path, Error error) {
  error.message = fmt::format("{}: {}", path, error.message);
  return error;
}

// Appends to `text` until it is `size` long or the file ends.
Status read_up_to(int fd, size_t size, std::string& text) {
  size_t used = text.size();
  text.resize(size);
  while (used < size) {
    const ssize_t got = ::read(fd, text.data() + used, size - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("cannot be read", errno);
    if (got == 0) break;
    used += static_cast<size_t>(got);
  }
  text.resize(used);
  return {};
}

Result<std::string> read_file(const std::string& path) {
  // O_NONBLOCK: the open of a FIFO would wait for its writer.
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) {
    return system_error("cannot be opened", errno,
                        errno == ENOENT ? "'nettoll record -o FILE' makes a recording" : "");
  }
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return system_error("cannot be read", errno);
  if (S_ISDIR(info.st_mode)) return failure("is a folder", "name a recording in it");
  if (!S_ISREG(info.st_mode)) return failure("not a regular file", "name a file that 'nettoll record' wrote");

  // The first line first: a file of another kind may be far larger than memory.
  std::string bytes;
  if (auto read = read_up_to(fd.get(), kMaxHeaderBytes, bytes); !read) return std::move(read).error();
  const auto header = parse_header(bytes);
  if (!header) return header.error();
  const auto size = static_cast<size_t>(info.st_size);
  if (auto whole = check_length(*header, size); !whole) return std::move(whole).error();
  if (auto read = read_up_to(fd.get(), size, bytes); !read) return std::move(read).error();
  return bytes;
}

}  // namespace

Result<std::string> encode_recording(const Profile& profile) {
  if (auto fine = check_profile(profile); !fine)
    return failure(fmt::format("cannot record: {}", fine.error().message), "please report this as a bug");
  const std::string cbor = encode_profile(profile);
  auto file = pack(cbor);
  if (!file) return file;
  const RecordingLimits limits = limits_for(file->size());
  if (file->size() > kMaxRecordingBytes || cbor.size() > limits.payload_bytes ||
      !check_cbor(cbor, limits.items))
    return failure("cannot record: the profile is too large for a recording", "record for a shorter time");
  return file;
}

Result<Profile> decode_recording(std::string_view bytes) {
  const RecordingLimits limits = limits_for(bytes.size());
  const auto cbor = unpack(bytes, limits);
  if (!cbor) return cbor.error();
  auto profile = decode_profile(*cbor, limits);
  if (!profile) return profile;
  if (auto fine = check_profile(*profile); !fine)
    return failure(fmt::format("damaged: {}", fine.error().message), "record again");
  return profile;
}

Status write_recording(const std::string& path, const Profile& profile) {
  auto file = AtomicFile::create(path);
  if (!file) return std::move(file).error();
  const auto bytes = encode_recording(profile);
  if (!bytes) return bytes.error();
  return file->commit(*bytes);
}

Result<Profile> read_recording(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return at(path, bytes.error());
  auto profile = decode_recording(*bytes);
  if (!profile) return at(path, profile.error());
  return profile;
}

}  // namespace nettoll
