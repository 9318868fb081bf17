// SPDX-License-Identifier: Apache-2.0
#include "ingest/module_path.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(ModulePath, NamesModulesAsKallsymsDoes) {
  const std::pair<const char*, const char*> table[] = {
      {"/lib/modules/6.1.0/kernel/net/nf-nat.ko", "nf_nat"},
      {"/lib/modules/6.1.0/kernel/net/nf-nat.ko.xz", "nf_nat"},
      {"/lib/modules/6.1.0/kernel/net/x.ko.zst", "x"},
      {"[nf_conntrack]", "nf_conntrack"},
      {"[kernel.kallsyms]", ""},
      {"[kernel.kallsyms]_text", ""},
      {"[guest.kernel.kallsyms]", ""},
      {"[vdso]", ""},
      {"[heap]", ""},
      {"/bin/ls", ""},
      {"/tmp/.ko", ""},
      {"", ""},
  };
  for (const auto& [path, module] : table) EXPECT_EQ(module_of_path(path), module) << path;
}

TEST(ModulePath, TellsTheKernelFromFiles) {
  for (const char* path :
       {"[kernel.kallsyms]", "[kernel.kallsyms]_stext", "/usr/lib/debug/boot/vmlinux-6.1.0-9-amd64",
        "/lib/modules/4.1.0-virtual/build/vmlinux", "[kernel.vmlinux]"})
    EXPECT_TRUE(is_kernel_path(path)) << path;
  for (const char* path : {"/bin/vmlinux_reader", "[guest.kernel.kallsyms]", "[kvm]", "/bin/ls"})
    EXPECT_FALSE(is_kernel_path(path)) << path;
  for (const char* path : {"//anon", "[vdso]", "/memfd:x (deleted)", "anon_inode:[perf]", ""})
    EXPECT_TRUE(is_no_file(path)) << path;
  EXPECT_FALSE(is_no_file("/bin/ls"));
}

}  // namespace
}  // namespace nettoll
