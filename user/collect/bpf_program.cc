// SPDX-License-Identifier: Apache-2.0
#include "collect/bpf_program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <spdlog/spdlog.h>

#include <cstdarg>
#include <cstdio>

namespace nettoll {
namespace {

int log_libbpf(enum libbpf_print_level level, const char* format, va_list args) {
  if (level == LIBBPF_DEBUG || !spdlog::should_log(spdlog::level::debug)) return 0;
  char line[2048];
  const int length = std::vsnprintf(line, sizeof(line), format, args);
  std::string_view text(line);
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (length > 0) spdlog::debug("{}", text);
  return length;
}

}  // namespace

Result<std::string> program_symbol(int prog_fd) {
  bpf_prog_info info = {};
  uint32_t size = sizeof(info);
  if (const int err = bpf_obj_get_info_by_fd(prog_fd, &info, &size); err < 0)
    return system_error("cannot read the facts of a BPF program", -err);
  std::string symbol = "bpf_prog_";
  for (const unsigned char byte : info.tag) symbol += fmt::format("{:02x}", byte);
  if (info.name[0]) symbol += fmt::format("_{}", info.name);
  return symbol;
}

std::string trampoline_symbol(int prog_fd, uint32_t btf_id) {
  bpf_prog_info info = {};
  uint32_t size = sizeof(info);
  // vmlinux is the first BTF object of every boot.
  constexpr uint64_t kVmlinuxBtf = 1, kKernelTarget = 0x80000000;
  uint64_t object = kVmlinuxBtf;
  if (bpf_obj_get_info_by_fd(prog_fd, &info, &size) == 0 && info.attach_btf_obj_id)
    object = info.attach_btf_obj_id;
  return fmt::format("bpf_trampoline_{}", object << 32 | kKernelTarget | btf_id);
}

std::string early_trampoline_symbol(uint32_t btf_id) {
  return fmt::format("bpf_trampoline_{}", btf_id);
}

uint64_t missed_runs(int prog_fd) {
  bpf_prog_info info = {};
  uint32_t size = sizeof(info);
  return bpf_obj_get_info_by_fd(prog_fd, &info, &size) < 0 ? 0 : info.recursion_misses;
}

void quiet_libbpf() {
  libbpf_set_print(log_libbpf);
}

Result<Mapping> map_array(int map_fd, uint32_t entries, uint32_t value_size, bool writable) {
  const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const size_t stride = (value_size + 7) / 8 * 8;
  const size_t size = (stride * entries + page - 1) / page * page;
  void* data = ::mmap(nullptr, size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, map_fd, 0);
  if (data == MAP_FAILED) return system_error("cannot map a BPF array", errno);
  return Mapping(data, size);
}

std::string bpf_remedy(int error) {
  switch (error) {
    case EPERM:
    case EACCES:
      return "run as root, or with CAP_BPF and CAP_PERFMON; if so already, kernel lockdown or "
             "a security "
             "module forbids it";
    case EMFILE:
      return "raise the limit on open files (ulimit -n, LimitNOFILE=)";
    case ENOMEM:
      return "raise RLIMIT_MEMLOCK (ulimit -l) or the memory cgroup's limit";
    case E2BIG:
      return "fewer functions fit: narrow --function";
    default:
      return "nettoll doctor tells what this kernel offers";
  }
}

}  // namespace nettoll
