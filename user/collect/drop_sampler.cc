// SPDX-License-Identifier: Apache-2.0
#include "collect/drop_sampler.h"

#include <arpa/inet.h>
#include <bpf/libbpf.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "bpf/shared.h"
#include "collect/bpf_program.h"
#include "collect/protocol_filter.h"
#include "drop_samples.skel.h"

namespace nettoll {
namespace {

static_assert(kMostFilterReasons == NT_FILTER_REASONS);

struct DestroySkeleton {
  void operator()(drop_samples_bpf* skeleton) const { drop_samples_bpf__destroy(skeleton); }
};
struct FreeRing {
  void operator()(ring_buffer* ring) const { ring_buffer__free(ring); }
};
using Skeleton = std::unique_ptr<drop_samples_bpf, DestroySkeleton>;

std::string text_of(const char* text, size_t room) {
  return {text, ::strnlen(text, room)};
}

BytesBegin begin_of(uint16_t kind) {
  return kind == NT_BYTES_MAC       ? BytesBegin::mac
         : kind == NT_BYTES_NETWORK ? BytesBegin::network
                                    : BytesBegin::nothing;
}

RawDropSample sample_of(const nt_drop_sample& from) {
  RawDropSample sample;
  sample.time_ns = from.time;
  sample.location = from.location;
  sample.reason = from.reason;
  sample.cpu = from.cpu;
  sample.id = {from.device.netns, from.device.ifindex};
  sample.device = text_of(from.device_name, sizeof(from.device_name));
  sample.protocol = ntohs(from.protocol);
  sample.network_protocol = ntohs(from.network_protocol);
  sample.gso_segments = from.gso_segs;
  sample.gso_size = from.gso_size;
  sample.pid = from.pid;
  sample.task = text_of(from.comm, sizeof(from.comm));
  const size_t frames = from.stack_size > 0 ? static_cast<size_t>(from.stack_size) / sizeof(uint64_t) : 0;
  for (size_t i = 0; i < std::min<size_t>(frames, NT_DROP_FRAMES) && from.stack[i]; ++i)
    sample.stack.push_back(from.stack[i]);
  sample.begin = begin_of(from.bytes_begin);
  // What lies before `data` was pulled, and is no longer in the skb's length.
  const int64_t before = sample.begin == BytesBegin::nothing ? 0 : from.data_from;
  sample.length = static_cast<uint32_t>(std::max<int64_t>(0, from.length + before));
  sample.network_offset = from.network_from;
  const size_t size = std::min({static_cast<size_t>(from.bytes_size), static_cast<size_t>(NT_SAMPLE_BYTES),
                                static_cast<size_t>(sample.length)});
  sample.bytes.assign(from.bytes, from.bytes + size);
  return sample;
}

int take_sample(void* to, void* data, size_t size) {
  if (size < sizeof(nt_drop_sample)) return 0;
  nt_drop_sample sample;
  std::memcpy(&sample, data, sizeof(sample));
  static_cast<std::vector<RawDropSample>*>(to)->push_back(sample_of(sample));
  return 0;
}

/// The filter but for the protocol as the program has it. The skeleton's struct is another type with the same
/// fields.
template <typename Filter>
void set_filter(const DropFilter& from, Filter& to) {
  to.reason_count = static_cast<uint32_t>(from.reasons.size());
  std::copy(from.reasons.begin(), from.reasons.end(), to.reasons);
  to.netns = from.netns;
  to.ifindex = from.ifindex;
}

}  // namespace

struct DropSampler::State {
  Skeleton skeleton;
  Mapping counters;
  uint32_t cpu_limit = 0;
  std::vector<RawDropSample> taken;
  std::unique_ptr<ring_buffer, FreeRing> ring;
  std::vector<std::string> symbols;
};

uint32_t drop_ring_bytes(uint32_t per_second) {
  constexpr uint64_t kLeast = uint64_t{1} << 18, kMost = uint64_t{1} << 24, kSeconds = 2;
  const uint64_t wanted = kSeconds * per_second * (sizeof(nt_drop_sample) + BPF_RINGBUF_HDR_SZ);
  return static_cast<uint32_t>(std::bit_ceil(std::clamp(wanted, kLeast, kMost)));
}

DropSampler::DropSampler(std::unique_ptr<State> state) : state_(std::move(state)) {}
DropSampler::DropSampler(DropSampler&&) noexcept = default;
DropSampler& DropSampler::operator=(DropSampler&&) noexcept = default;
DropSampler::~DropSampler() = default;

Result<DropSampler> DropSampler::attach(const DropSamplerConfig& config) {
  if (config.filter.reasons.size() > kMostFilterReasons || config.filter.transports.size() > 2)
    return failure("the filter of drops names too much");
  auto state = std::make_unique<State>();
  state->cpu_limit = config.possible.limit();
  Skeleton skeleton(drop_samples_bpf__open());
  if (!skeleton) return system_error("cannot open the drop sampling program", errno);
  skeleton->rodata->reason_arg = config.drop_reason_argument;
  skeleton->rodata->socket_arg = config.drop_socket_argument;
  skeleton->rodata->nt_samples_per_second = config.per_second;
  set_filter(config.filter, skeleton->rodata->nt_filter);
  set_protocol_filter(config.filter, skeleton->rodata->nt_protocol);
  bpf_map__set_max_entries(skeleton->maps.nt_sampled, state->cpu_limit);
  bpf_map__set_max_entries(skeleton->maps.nt_ring, drop_ring_bytes(config.per_second));
  if (const int err = drop_samples_bpf__load(skeleton.get()); err)
    return system_error("the kernel refused the drop sampling program", -err, bpf_remedy(-err));
  auto mapped = map_array(bpf_map__fd(skeleton->maps.nt_sampled), state->cpu_limit, sizeof(nt_sample_cpu));
  if (!mapped) return mapped.error();
  state->counters = std::move(*mapped);
  state->ring.reset(
      ring_buffer__new(bpf_map__fd(skeleton->maps.nt_ring), take_sample, &state->taken, nullptr));
  if (!state->ring) return system_error("cannot read the ring of dropped packets", errno);
  if (const int err = drop_samples_bpf__attach(skeleton.get()); err)
    return system_error("the kernel refused to attach the drop sampling program", -err, bpf_remedy(-err));
  spdlog::debug("attached: nt_sample_drop to {}, {} samples a second, a ring of {} bytes",
                bpf_program__section_name(skeleton->progs.nt_sample_drop), config.per_second,
                drop_ring_bytes(config.per_second));
  if (auto symbol = program_symbol(bpf_program__fd(skeleton->progs.nt_sample_drop)))
    state->symbols.push_back(std::move(*symbol));
  state->skeleton = std::move(skeleton);
  return DropSampler(std::move(state));
}

int DropSampler::fd() const {
  return ring_buffer__epoll_fd(state_->ring.get());
}

Status DropSampler::read(std::vector<RawDropSample>& samples) {
  if (const int err = ring_buffer__consume(state_->ring.get()); err < 0)
    return system_error("cannot read the ring of dropped packets", -err);
  std::move(state_->taken.begin(), state_->taken.end(), std::back_inserter(samples));
  state_->taken.clear();
  return {};
}

SampleAccount DropSampler::account() const {
  SampleAccount sum;
  for (uint32_t id = 0; id < state_->cpu_limit; ++id) {
    const nt_sample_cpu cpu = static_cast<const nt_sample_cpu*>(state_->counters.data())[id];
    sum.matched += cpu.matched;
    sum.emitted += cpu.emitted;
    sum.rate_limited += cpu.limited;
    sum.ring_full += cpu.ring_full;
  }
  sum.missed_runs = missed_runs(bpf_program__fd(state_->skeleton->progs.nt_sample_drop));
  return sum;
}

const std::vector<std::string>& DropSampler::program_symbols() const {
  return state_->symbols;
}

}  // namespace nettoll
