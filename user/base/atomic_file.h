// SPDX-License-Identifier: Apache-2.0
// Files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace nettoll {

/// A file on its way into a folder. The bytes go to a temporary file there, which is renamed over the target
/// when they are safe on the disk; readers see the old file or the new one. Without a successful commit() the
/// target is as it was and nothing is left in the folder.
///
/// The temporary file is made when the object is, so that a run of an hour learns in its first second that
/// the folder cannot be written. It has no name until it is complete (O_TMPFILE, open(2)), so that not even
/// SIGKILL leaves it behind; on file systems without O_TMPFILE it is named ".nettoll-<pid>-<n>.tmp".
class AtomicFile {
 public:
  /// Whether the temporary file may go without a name. `named` is what a file system without O_TMPFILE gets.
  enum class Temporary { unnamed, named };

  /// Fails where the folder is missing or cannot be written, and where `path` is there already and is no
  /// regular file: a folder, a device, also a symbolic link, since the rename would replace the link (as root
  /// that could be /dev/stdout).
  static Result<AtomicFile> create(const std::string& path, Temporary temporary = Temporary::unnamed);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Writes `bytes` behind those of calls before: for files that are too long to stand in memory. After an
  /// error the temporary file is gone, and with it all later calls fail.
  Status append(std::string_view bytes);
  /// Writes over what is there, `offset` bytes from the start; as append() where it fails.
  Status overwrite(uint64_t offset, std::string_view bytes);
  /// Writes `bytes` at the end and puts the file in place, with the permissions that umask leaves of 0666. To
  /// be called once; after an error the temporary file is gone.
  Status commit(std::string_view bytes = {});

  /// The target as it was given.
  const std::string& path() const { return path_; }

 private:
  AtomicFile() = default;
  Status open_unnamed();
  Status open_named();
  Error written_or_gone() const;
  Status publish(std::string_view bytes);
  void discard();

  std::string path_;
  std::string name_;            ///< the target's name in its folder
  std::string temporary_name_;  ///< "" while the temporary file has no name
  UniqueFd folder_;
  UniqueFd file_;
};

}  // namespace nettoll
