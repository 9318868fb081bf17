// SPDX-License-Identifier: Apache-2.0
#include "base/kernel_fs.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "base/unique_fd.h"

namespace nettoll {

Result<std::string> KernelFs::read(std::string_view name) const {
  const std::string full = path(name);
  UniqueFd fd(::open(full.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return system_error(fmt::format("cannot open {}", full), errno);
  std::string text;
  size_t used = 0;
  while (true) {
    text.resize(used + (used < 65536 ? 4096 : 1 << 20));
    const ssize_t got = ::read(fd.get(), text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(fmt::format("cannot read {}", full), errno);
    if (got == 0) break;
    used += static_cast<size_t>(got);
  }
  text.resize(used);
  return text;
}

Status KernelFs::read_pieces(std::string_view name, const std::function<void(std::string_view)>& take) const {
  const std::string full = path(name);
  UniqueFd fd(::open(full.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return system_error(fmt::format("cannot open {}", full), errno);
  std::vector<char> piece(65536);
  while (true) {
    const ssize_t got = ::read(fd.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(fmt::format("cannot read {}", full), errno);
    if (got == 0) return {};
    take({piece.data(), static_cast<size_t>(got)});
  }
}

Result<std::string> KernelFs::read_line(std::string_view name) const {
  auto text = read(name);
  if (!text) return text;
  text->resize(std::min(text->size(), text->find('\n')));
  return text;
}

Result<long> KernelFs::read_number(std::string_view name) const {
  auto line = read_line(name);
  if (!line) return line.error();
  long value = 0;
  const auto [end, ec] = std::from_chars(line->data(), line->data() + line->size(), value);
  if (ec != std::errc() || end == line->data())
    return failure(fmt::format("{} holds '{}', not a number", path(name), *line));
  return value;
}

Result<std::vector<std::string>> KernelFs::list(std::string_view name) const {
  const std::string full = path(name);
  const auto close_dir = [](DIR* d) { ::closedir(d); };
  std::unique_ptr<DIR, decltype(close_dir)> dir(::opendir(full.c_str()), close_dir);
  if (!dir) return system_error(fmt::format("cannot list {}", full), errno);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(dir.get())) {
    const std::string_view item = entry->d_name;
    if (item != "." && item != "..") names.emplace_back(item);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool KernelFs::exists(std::string_view name) const {
  return ::access(path(name).c_str(), F_OK) == 0;
}

Result<std::string> KernelFs::read_link(std::string_view name) const {
  const std::string full = path(name);
  char target[4096];  // PATH_MAX
  const ssize_t length = ::readlink(full.c_str(), target, sizeof(target));
  if (length < 0) return system_error(fmt::format("cannot read the link {}", full), errno);
  return std::string(target, static_cast<size_t>(length));
}

Result<CpuSet> KernelFs::online_cpus() const {
  auto text = read_line("/sys/devices/system/cpu/online");
  if (!text) return text.error();
  return parse_cpu_list(*text);
}

Result<CpuSet> KernelFs::possible_cpus() const {
  auto text = read_line("/sys/devices/system/cpu/possible");
  if (!text) return text.error();
  return parse_cpu_list(*text);
}

}  // namespace nettoll
