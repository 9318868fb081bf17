// SPDX-License-Identifier: Apache-2.0
// Loads an object of BPF programs, attaches each by its section name, prints how many, and keeps them
// attached until SIGINT or SIGTERM.
#include <bpf/libbpf.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

struct Close {
  void operator()(bpf_object* object) const { bpf_object__close(object); }
  void operator()(bpf_link* link) const { bpf_link__destroy(link); }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: empty_attach OBJECT\n");
    return 2;
  }
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigprocmask(SIG_BLOCK, &ends, nullptr);

  const std::unique_ptr<bpf_object, Close> object(bpf_object__open_file(argv[1], nullptr));
  if (!object || bpf_object__load(object.get()) != 0) {
    std::fprintf(stderr, "empty_attach: cannot load %s (libbpf's reason is above)\n", argv[1]);
    return 1;
  }
  std::vector<std::unique_ptr<bpf_link, Close>> links;
  bpf_program* program = nullptr;
  bpf_object__for_each_program(program, object.get()) {
    links.emplace_back(bpf_program__attach(program));
    if (!links.back()) {
      std::fprintf(stderr, "empty_attach: cannot attach %s\n", bpf_program__section_name(program));
      return 1;
    }
  }
  std::printf("attached %zu\n", links.size());
  std::fflush(stdout);
  int got = 0;
  sigwait(&ends, &got);
  return 0;
}
