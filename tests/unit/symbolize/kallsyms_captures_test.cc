// SPDX-License-Identifier: Apache-2.0
// The table against text of real kernels, where that is at hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "symbolize/kernel_symbols.h"

namespace nettoll {
namespace {

class KallsymsCaptures : public testing::Test {
 protected:
  static std::string path(const std::string& name) {
    return std::string(NETTOLL_SOURCE_DIR) + "/../shared/captures/kallsyms/" + name;
  }
  static std::string read(const std::string& name) {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

#define NEEDS(name) \
  if (!std::filesystem::exists(path(name))) GTEST_SKIP() << "no " << path(name)

TEST_F(KallsymsCaptures, X86) {
  NEEDS("guest-6.18-x86-excerpt.txt");
  const auto symbols = KernelSymbols::parse(read("guest-6.18-x86-excerpt.txt"));
  ASSERT_TRUE(symbols.has_value());
  EXPECT_EQ(symbols->skipped_lines(), 0u);
  EXPECT_EQ(symbols->find(0xffffffff81200425)->name, "set_p4d");
  EXPECT_EQ(symbols->find(0xffffffff8123f760)->name, "__napi_poll.cold");
  EXPECT_EQ(symbols->find(0xffffffff81207ff0)->name, "kmalloc_array_noprof.constprop.0");
  EXPECT_EQ(symbols->count_named("set_p4d"), 4u);
  EXPECT_EQ(symbols->count_named("kmalloc_array_noprof.constprop.0"), 4u);
  EXPECT_EQ(symbols->count_named("__pfx_set_p4d"), 0u);
  EXPECT_FALSE(symbols->find(0xffffffff80ffffff));
  EXPECT_FALSE(symbols->find(0xffffffff82209988));  // _etext
}

TEST_F(KallsymsCaptures, Arm64) {
  NEEDS("ebpf_exporter-kallsyms-arm64-excerpt.txt");
  const auto symbols = KernelSymbols::parse(read("ebpf_exporter-kallsyms-arm64-excerpt.txt"));
  ASSERT_TRUE(symbols.has_value());
  EXPECT_GT(symbols->skipped_lines(), 0u);  // the excerpt's "--"
  EXPECT_EQ(symbols->find(0xffffffeb19a28ab4)->name, "do_el0_svc");
  const auto program = symbols->find(0xffffffc0806499b0);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->name, "bpf_prog_ee0e253c78993a24_sd_devices");
  EXPECT_EQ(program->module, "bpf");
  EXPECT_EQ(symbols->find(0xffffffc080b89010)->module, "__builtin__kprobes");
  EXPECT_FALSE(symbols->find(0xffffffc080b8a000));
}

TEST_F(KallsymsCaptures, HiddenAddresses) {
  NEEDS("guest-6.18-nonroot-zeros.txt");
  const auto symbols = KernelSymbols::parse(read("guest-6.18-nonroot-zeros.txt"));
  ASSERT_FALSE(symbols.has_value());
  EXPECT_NE(symbols.error().text().find("kptr_restrict"), std::string::npos);
}

}  // namespace
}  // namespace nettoll
