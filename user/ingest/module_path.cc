// SPDX-License-Identifier: Apache-2.0
#include "ingest/module_path.h"

#include <algorithm>

namespace nettoll {
namespace {

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string with_underscores(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

}  // namespace

bool is_kernel_path(std::string_view path) {
  for (const std::string_view name :
       {"[kernel.kallsyms]", "[kernel.vmlinux]", "[kernel]", "[kernel.vmlinux.img]"}) {
    if (path.starts_with(name)) return true;
  }
  const std::string_view file = last_part(path);
  return file == "vmlinux" || file.starts_with("vmlinux-") || file == "kallsyms" || file == "[kernel.kcore]";
}

bool is_guest_kernel_path(std::string_view path) {
  return path.starts_with("[guest.kernel");
}

std::string module_of_path(std::string_view path) {
  if (is_kernel_path(path) || is_guest_kernel_path(path)) return "";
  if (path.size() > 2 && path.front() == '[' && path.back() == ']') {
    const std::string_view name = path.substr(1, path.size() - 2);
    for (const std::string_view of_user :
         {"vdso", "vsyscall", "heap", "stack", "unknown", "uprobes", "vectors", "sigpage"}) {
      if (name.starts_with(of_user)) return "";
    }
    return with_underscores(name);
  }
  std::string_view file = last_part(path);
  for (const std::string_view packing : {".gz", ".xz", ".zst"}) {
    if (file.ends_with(packing)) {
      file.remove_suffix(packing.size());
      break;
    }
  }
  if (!file.ends_with(".ko") || file.size() == 3) return "";
  file.remove_suffix(3);
  return with_underscores(file);
}

bool is_no_file(std::string_view path) {
  for (const std::string_view start :
       {"[", "//anon", "anon_inode:", "/memfd:", "/SYSV", "/dev/zero", "/anon_hugepage"}) {
    if (path.starts_with(start)) return true;
  }
  return path.empty() || path == "//toolong";
}

}  // namespace nettoll
