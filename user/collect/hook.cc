// SPDX-License-Identifier: Apache-2.0
#include "collect/hook.h"

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/kernel_fs.h"

namespace nettoll {
namespace {

/// At most 15 characters (BPF_OBJ_NAME_LEN), of those that the kernel takes.
std::string program_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c) && c != '_'; }, '_');
  name.resize(std::min<size_t>(name.size(), BPF_OBJ_NAME_LEN - 1));
  return name;
}

bpf_prog_type program_type(Method method) {
  switch (method) {
    case Method::fentry:
      return BPF_PROG_TYPE_TRACING;
    case Method::kprobe_multi:
    case Method::kprobe:
      return BPF_PROG_TYPE_KPROBE;
    default:
      return BPF_PROG_TYPE_RAW_TRACEPOINT;
  }
}

UniqueFd open_kprobe_event(uint64_t address, uint32_t cpu) {
  // No event source of that name: kprobes are not built in.
  const auto type = KernelFs().read_number("/sys/bus/event_source/devices/kprobe/type");
  if (!type) {
    errno = EOPNOTSUPP;
    return {};
  }
  perf_event_attr attr = {};
  attr.size = sizeof(attr);
  attr.type = static_cast<uint32_t>(*type);
  attr.kprobe_addr = address;  // with kprobe_func 0
  return UniqueFd(static_cast<int>(
      ::syscall(SYS_perf_event_open, &attr, -1, static_cast<int>(cpu), -1, PERF_FLAG_FD_CLOEXEC)));
}

/// struct bpf_link_info from where its kinds differ, as kernels since 6.7 fill it for kprobe links
/// (include/uapi/linux/bpf.h); headers of today may be older.
struct LinkFacts {
  uint32_t type, id, prog_id, pad;
  union {
    struct {
      uint64_t addresses;
      uint32_t count, flags;
      uint64_t missed;
      uint64_t cookies;
    } kprobe_multi;
    struct {
      uint32_t type, pad;
      uint64_t function;
      uint32_t name_length, offset;
      uint64_t address;
      uint64_t missed;
      uint64_t cookie;
    } kprobe;
  };
};

LinkFacts link_facts(int link) {
  LinkFacts facts = {};
  uint32_t size = sizeof(facts);
  if (bpf_obj_get_info_by_fd(link, &facts, &size) < 0) return {};
  return facts;
}

}  // namespace

ProgramCode empty_program() {
  static constexpr std::array<bpf_insn, 2> kCode{bpf_insn{BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0},
                                                 bpf_insn{BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  return kCode;
}

Result<UniqueFd> load_program(Method method, ProgramCode code, const std::string& name,
                              const BtfTarget& target) {
  bpf_prog_load_opts options = {};
  options.sz = sizeof(options);
  UniqueFd module_btf;
  if (method == Method::fentry) {
    options.expected_attach_type = BPF_TRACE_FENTRY;
    options.attach_btf_id = target.type;
    if (target.object != 0) {
      module_btf.reset(bpf_btf_get_fd_by_id(target.object));
      if (!module_btf) return system_error("the module's BTF is gone", errno);
      options.attach_btf_obj_fd = static_cast<uint32_t>(module_btf.get());
    }
  } else if (method == Method::kprobe_multi) {
    options.expected_attach_type = BPF_TRACE_KPROBE_MULTI;
  }
  const int fd = bpf_prog_load(program_type(method), program_name(name).c_str(), "Dual BSD/GPL", code.data(),
                               code.size(), &options);
  if (fd < 0) return system_error("the kernel refused the program", -fd);
  return UniqueFd(fd);
}

Result<UniqueFd> attach_fentry(int program) {
  const int fd = bpf_raw_tracepoint_open(nullptr, program);
  if (fd < 0) return system_error("the kernel refused the attach", -fd);
  return UniqueFd(fd);
}

Result<UniqueFd> attach_tracepoint(int program, const std::string& tracepoint) {
  const int fd = bpf_raw_tracepoint_open(tracepoint.c_str(), program);
  if (fd < 0) return system_error("the kernel refused the attach", -fd);
  return UniqueFd(fd);
}

Result<Kprobe> attach_kprobe(int program, uint64_t address, uint32_t cpu) {
  Kprobe kprobe;
  kprobe.event = open_kprobe_event(address, cpu);
  if (!kprobe.event) return system_error("the kernel refused the kprobe", errno);
  const int link = bpf_link_create(program, kprobe.event.get(), BPF_PERF_EVENT, nullptr);
  if (link >= 0) {
    kprobe.link.reset(link);
    return kprobe;
  }
  if (::ioctl(kprobe.event.get(), PERF_EVENT_IOC_SET_BPF, program) < 0 ||
      ::ioctl(kprobe.event.get(), PERF_EVENT_IOC_ENABLE, 0) < 0)
    return system_error("the kernel refused the program at the kprobe", errno);
  return kprobe;
}

Result<UniqueFd> attach_kprobe_multi(int program, std::span<const uint64_t> addresses,
                                     std::span<const uint64_t> cookies) {
  bpf_link_create_opts options = {};
  options.sz = sizeof(options);
  options.kprobe_multi.cnt = static_cast<uint32_t>(addresses.size());
  options.kprobe_multi.addrs = addresses.data();
  // uint64_t and the kernel's __u64 are different types of the same size.
  if (!cookies.empty()) options.kprobe_multi.cookies = reinterpret_cast<const __u64*>(cookies.data());
  const int fd = bpf_link_create(program, 0, BPF_TRACE_KPROBE_MULTI, &options);
  if (fd < 0) return system_error("the kernel refused the attach", -fd);
  return UniqueFd(fd);
}

uint64_t missed_by_kprobe(int link) {
  return link_facts(link).kprobe.missed;
}

uint64_t missed_by_kprobe_multi(int link) {
  return link_facts(link).kprobe_multi.missed;
}

}  // namespace nettoll
