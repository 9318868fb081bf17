// SPDX-License-Identifier: Apache-2.0
// A live run of `nettoll drops`: exact counts and samples, with names.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/kernel_fs.h"
#include "base/result.h"
#include "collect/drop_sampler.h"
#include "collect/net_path.h"
#include "host/netns_names.h"
#include "model/drop_attribution.h"
#include "model/drop_reasons.h"
#include "model/drop_sample.h"
#include "symbolize/symbolizer.h"

namespace nettoll {

/// What the kernel says of drops.
struct DropFacts {
  /// From the running kernel's BTF.
  static Result<DropFacts> load();

  uint32_t reason_argument = 0;  ///< see BtfFacts
  uint32_t socket_argument = 0;
  DropReasonNames reasons;
};

class DropSession {
 public:
  /// Called with every sample as it comes.
  using TakeSample = std::function<void(const DropSample&)>;

  /// Samples kept for a window; what comes beyond is given to `take` alone.
  static constexpr size_t kMostKept = 100'000;

  /// Loads and attaches. `per_second` 0: no samples.
  static Result<DropSession> start(const DropFacts& facts, const DropFilter& filter, uint32_t per_second,
                                   const KernelFs& fs);

  /// Readable while there are samples to take; -1 without samples.
  int fd() const { return sampler_ ? sampler_->fd() : -1; }
  /// Names what is in the ring.
  Status take_samples(const TakeSample& take);
  /// All since the last call.
  Result<DropWindow> read(const TakeSample& take);

 private:
  DropSession(NetPath counts, std::optional<DropSampler> sampler, std::unique_ptr<Symbolizer> symbolizer)
      : counts_(std::move(counts)), sampler_(std::move(sampler)), symbolizer_(std::move(symbolizer)) {}

  void name_namespaces(DropWindow& window);

  NetPath counts_;
  std::optional<DropSampler> sampler_;
  std::unique_ptr<Symbolizer> symbolizer_;
  NetnsNamer netns_{KernelFs{}};
  DropFacts facts_;
  DropFilter filter_;
  DropCode code_;
  uint64_t last_read_ns_ = 0;
  SampleAccount account_seen_;
  std::vector<DropSample> samples_;
  uint64_t not_kept_ = 0;
};

}  // namespace nettoll
