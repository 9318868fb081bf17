// SPDX-License-Identifier: Apache-2.0
#include "base/settings_file.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace nettoll {
namespace {

Error too_large(const std::string& path) {
  return failure(fmt::format("{} has more than {} MiB", path, kMaxSettingsFile >> 20));
}

}  // namespace

Result<UniqueFd> open_settings_file(const std::string& path) {
  // Not to wait for the writer of a FIFO; regular files know no difference.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd) return system_error(fmt::format("cannot open {}", path), errno);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return system_error(fmt::format("cannot read {}", path), errno);
  if (!S_ISREG(status.st_mode)) return failure(fmt::format("{}: not a regular file", path));
  if (status.st_size > static_cast<off_t>(kMaxSettingsFile)) return too_large(path);
  return fd;
}

Result<std::string> read_settings_file(const std::string& path) {
  const auto fd = open_settings_file(path);
  if (!fd) return fd.error();
  std::string text;
  char piece[65536];
  // It may grow meanwhile.
  while (text.size() <= kMaxSettingsFile) {
    const ssize_t got = ::read(fd->get(), piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(fmt::format("cannot read {}", path), errno);
    if (got == 0) return text;
    text.append(piece, static_cast<size_t>(got));
  }
  return too_large(path);
}

}  // namespace nettoll
