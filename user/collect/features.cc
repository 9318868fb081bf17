// SPDX-License-Identifier: Apache-2.0
#include "collect/features.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "collect/bpf_program.h"
#include "features.skel.h"

namespace nettoll {
namespace {

struct DestroyFeatures {
  void operator()(features_bpf* skeleton) const { features_bpf__destroy(skeleton); }
};
using FeaturesSkeleton = std::unique_ptr<features_bpf, DestroyFeatures>;

Feature refused(const char* what, int error) {
  return {false, fmt::format("{} ({})", what, std::strerror(error)), bpf_remedy(error)};
}

/// Opens the object anew with one program enabled, loads and attaches it. What is attached goes with the
/// object.
template <typename Choose>
Feature try_program(const char* kind, Choose choose) {
  FeaturesSkeleton skeleton(features_bpf__open());
  if (!skeleton) return refused("cannot open the BPF object", errno);
  bpf_program__set_autoload(skeleton->progs.nt_try_fentry, false);
  bpf_program__set_autoload(skeleton->progs.nt_try_raw_tp, false);
  struct bpf_program* program = choose(*skeleton);
  bpf_program__set_autoload(program, true);
  if (const int err = features_bpf__load(skeleton.get()); err)
    return refused(fmt::format("the kernel refuses to load {} programs", kind).c_str(), -err);
  struct bpf_link* link = bpf_program__attach(program);
  if (!link) return refused(fmt::format("the kernel refuses to attach {} programs", kind).c_str(), errno);
  bpf_link__destroy(link);
  return {true, {}, {}};
}

}  // namespace

Features probe_features(const std::string& fentry_target) {
  Features features;
  features.raw_tracepoint =
      try_program("raw tracepoint", [](features_bpf& skeleton) { return skeleton.progs.nt_try_raw_tp; });
  features.fentry = try_program("fentry", [&](features_bpf& skeleton) {
    bpf_program__set_attach_target(skeleton.progs.nt_try_fentry, 0, fentry_target.c_str());
    return skeleton.progs.nt_try_fentry;
  });
  return features;
}

}  // namespace nettoll
