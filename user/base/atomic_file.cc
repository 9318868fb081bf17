// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace nettoll {
namespace {

constexpr mode_t kMode = 0666;  // less umask
constexpr int kNameTries = 100;

struct Target {
  std::string folder;
  std::string name;
};

Target split(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {path.substr(0, slash + 1), path.substr(slash + 1)};
}

std::string numbered_name(int n) {
  return fmt::format(".nettoll-{}-{}.tmp", ::getpid(), n);
}

const char* remedy_for(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return "make the folder first, or name another one";
    case EACCES:
    case EPERM:
      return "choose a folder that this user may write, or run as its owner";
    case EROFS:
      return "choose a folder on a file system that can be written";
    case ENOSPC:
    case EDQUOT:
      return "free some space, or choose a folder on another disk";
    case EFBIG:
      return "raise the limit on the size of files (ulimit -f)";
    default:
      return "";
  }
}

Error cannot(std::string_view what, std::string_view path, int code) {
  return system_error(fmt::format("cannot {} {}", what, path), code, remedy_for(code));
}

Status write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return system_error("write", errno);
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return {};
}

// The target, where there is one, is about to be replaced: only a regular file may be.
Status check_target(int folder, const std::string& name, const std::string& path) {
  struct stat info {};
  if (::fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return {};
    return cannot("write", path, errno);
  }
  if (S_ISREG(info.st_mode)) return {};
  if (S_ISDIR(info.st_mode))
    return failure(fmt::format("cannot write {}: it is a folder", path), "name a file in it");
  if (S_ISLNK(info.st_mode))
    return failure(fmt::format("cannot write {}: it is a symbolic link, which would be replaced", path),
                   "name the file it leads to");
  return failure(fmt::format("cannot write {}: it is not a regular file", path),
                 "name a file that may be replaced");
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::string& path, Temporary temporary) {
  if (path.empty()) return usage_error("the name of the file to write is empty");
  AtomicFile made;
  auto [folder, name] = split(path);
  made.path_ = path;
  made.name_ = std::move(name);
  made.folder_.reset(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!made.folder_) return cannot("write into folder", folder, errno);
  if (made.name_.empty() || made.name_ == "." || made.name_ == "..")
    return failure(fmt::format("cannot write {}: it is a folder", path), "name a file in it");
  if (auto fine = check_target(made.folder_.get(), made.name_, path); !fine) return std::move(fine).error();
  auto opened = temporary == Temporary::unnamed ? made.open_unnamed() : made.open_named();
  if (!opened) return std::move(opened).error();
  return made;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      name_(std::move(other.name_)),
      temporary_name_(std::exchange(other.temporary_name_, {})),
      folder_(std::move(other.folder_)),
      file_(std::move(other.file_)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    name_ = std::move(other.name_);
    temporary_name_ = std::exchange(other.temporary_name_, {});
    folder_ = std::move(other.folder_);
    file_ = std::move(other.file_);
  }
  return *this;
}

AtomicFile::~AtomicFile() {
  discard();
}

Status AtomicFile::open_unnamed() {
  file_.reset(::openat(folder_.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode));
  if (file_) return {};
  // EISDIR: kernels and file systems that know O_DIRECTORY alone in O_TMPFILE (open(2), BUGS).
  if (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) return open_named();
  return cannot("write into the folder of", path_, errno);
}

Status AtomicFile::open_named() {
  for (int n = 0; n < kNameTries; ++n) {
    std::string name = numbered_name(n);
    file_.reset(::openat(folder_.get(), name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, kMode));
    if (file_) {
      temporary_name_ = std::move(name);
      return {};
    }
    if (errno != EEXIST) return cannot("write into the folder of", path_, errno);
  }
  return failure(fmt::format("cannot write {}: {} temporary files are in its folder", path_, kNameTries),
                 "remove the .nettoll-*.tmp files there");
}

Error AtomicFile::written_or_gone() const {
  return failure(fmt::format("cannot write {} after it was put in place or given up", path_));
}

Status AtomicFile::append(std::string_view bytes) {
  if (!file_) return written_or_gone();
  const auto written = write_all(file_.get(), bytes);
  if (written) return {};
  discard();
  return cannot("write", path_, written.error().code);
}

Status AtomicFile::overwrite(uint64_t offset, std::string_view bytes) {
  if (!file_) return written_or_gone();
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      const int code = errno;
      discard();
      return cannot("write", path_, code);
    }
    bytes.remove_prefix(static_cast<size_t>(done));
    offset += static_cast<uint64_t>(done);
  }
  return {};
}

Status AtomicFile::commit(std::string_view bytes) {
  if (!file_) return written_or_gone();
  auto done = publish(bytes);
  discard();
  return done;
}

Status AtomicFile::publish(std::string_view bytes) {
  if (auto written = write_all(file_.get(), bytes); !written)
    return cannot("write", path_, written.error().code);
  // A full disk may show only here. EINVAL is a file system that cannot sync (fsync(2)).
  if (::fsync(file_.get()) != 0 && errno != EINVAL) return cannot("write", path_, errno);

  // linkat() cannot replace a file, so that the nameless file takes a temporary name for a moment.
  const std::string open_file = fmt::format("/proc/self/fd/{}", file_.get());
  for (int n = 0; temporary_name_.empty(); ++n) {
    std::string name = numbered_name(n);
    if (::linkat(AT_FDCWD, open_file.c_str(), folder_.get(), name.c_str(), AT_SYMLINK_FOLLOW) == 0)
      temporary_name_ = std::move(name);
    else if (errno != EEXIST || n == kNameTries)
      return cannot("put in place", path_, errno);
  }
  // Network file systems may report a full disk or quota at close (close(2)).
  if (::close(file_.release()) != 0 && errno != EINTR) return cannot("write", path_, errno);
  // Again, since something may have come there since create().
  if (auto fine = check_target(folder_.get(), name_, path_); !fine) return fine;
  if (::renameat(folder_.get(), temporary_name_.c_str(), folder_.get(), name_.c_str()) != 0)
    return cannot("put in place", path_, errno);
  temporary_name_.clear();
  return {};
}

void AtomicFile::discard() {
  file_.reset();
  if (!temporary_name_.empty()) ::unlinkat(folder_.get(), temporary_name_.c_str(), 0);
  temporary_name_.clear();
}

}  // namespace nettoll
