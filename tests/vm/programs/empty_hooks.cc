// SPDX-License-Identifier: Apache-2.0
// Attaches programs that do nothing: what dispatch alone costs, to compare tracers with.
//
//   empty_hooks METHOD:NAME...      METHOD: tracepoint, fentry, kprobe, kprobe_multi
//
// Prints "attached N" and waits for a signal.
#include <unistd.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "base/kernel_fs.h"
#include "cli/trace_options.h"
#include "collect/btf_facts.h"
#include "collect/hook.h"
#include "model/names.h"

namespace {

using namespace nettoll;

/// Keeps what is attached until the program ends.
struct Attached {
  std::vector<UniqueFd> fds;

  template <typename T>
  const T& take(Result<T>& result) {
    if (!result) {
      std::fprintf(stderr, "empty_hooks: %s\n", result.error().text().c_str());
      ::_exit(1);
    }
    return *result;
  }
  void keep(Result<UniqueFd> fd) {
    take(fd);
    fds.push_back(std::move(*fd));
  }
};

}  // namespace

int main(int argc, char** argv) {
  Attached attached;
  auto symbols = KernelSymbols::load(KernelFs());
  attached.take(symbols);
  const FunctionEntries entries = function_entries(*symbols);
  auto btf = BtfFacts::load();
  attached.take(btf);
  std::vector<uint64_t> together;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string method = word.substr(0, word.find(':')), name = word.substr(word.find(':') + 1);
    if (method == "kprobe_multi") {
      for (const FunctionEntry& entry : entries(name)) together.push_back(entry.address);
    } else if (method == "tracepoint") {
      auto program = load_program(Method::tracepoint, empty_program(), "nt_empty");
      attached.keep(attach_tracepoint(attached.take(program).get(), name));
      attached.keep(std::move(program));
    } else if (method == "fentry") {
      const auto target = btf->function(name, kVmlinux);
      auto program = load_program(Method::fentry, empty_program(), "nt_empty", target.value_or(BtfTarget{}));
      attached.keep(attach_fentry(attached.take(program).get()));
      attached.keep(std::move(program));
    } else if (method == "kprobe") {
      auto program = load_program(Method::kprobe, empty_program(), "nt_empty");
      attached.take(program);
      for (const FunctionEntry& entry : entries(name)) {
        auto kprobe = attach_kprobe(program->get(), entry.address, 0);
        attached.take(kprobe);
        attached.fds.push_back(std::move(kprobe->event));
        attached.fds.push_back(std::move(kprobe->link));
      }
      attached.keep(std::move(program));
    } else {
      std::fprintf(stderr, "empty_hooks: no method '%s'\n", method.c_str());
      return 2;
    }
  }
  if (!together.empty()) {
    auto program = load_program(Method::kprobe_multi, empty_program(), "nt_empty");
    attached.keep(attach_kprobe_multi(attached.take(program).get(), together, {}));
    attached.keep(std::move(program));
  }
  std::printf("attached %d\n", argc - 1);
  std::fflush(stdout);
  ::pause();
  return 0;
}
