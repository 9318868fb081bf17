// SPDX-License-Identifier: Apache-2.0
#include "collect/net_path.h"

#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <net/if.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "bpf/shared.h"
#include "collect/bpf_program.h"
#include "collect/percpu_hash.h"
#include "collect/protocol_filter.h"
#include "netpath.skel.h"

namespace nettoll {
namespace {

struct DestroyNetPath {
  void operator()(netpath_bpf* skeleton) const { netpath_bpf__destroy(skeleton); }
};
using NetPathSkeleton = std::unique_ptr<netpath_bpf, DestroyNetPath>;

constexpr uint32_t kNetTx = 2, kNetRx = 3;  // NET_TX_SOFTIRQ and NET_RX_SOFTIRQ, include/linux/interrupt.h

/// Ordered copies of the kernel side's hash keys.
using DropKey = std::array<uint64_t, 3>;
using QueueKey = std::array<uint64_t, 2>;

template <typename To, typename From>
To copy_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

DeviceId device_id(const nt_device& device) {
  return {device.netns, device.ifindex};
}

/// The inode number of this process's network namespace, 0 if it cannot be read.
uint32_t own_netns() {
  struct stat facts = {};
  return ::stat("/proc/self/ns/net", &facts) == 0 ? static_cast<uint32_t>(facts.st_ino) : 0;
}

/// Moves `seen` to `now` and gives the difference.
template <typename T>
uint64_t advance(T& seen, uint64_t now) {
  return now - std::exchange(seen, static_cast<T>(now));
}

/// One attached program and the runs of it that the kernel skipped.
struct Program {
  FreeCounter counts = FreeCounter::none;  ///< what a skipped run is missing from
  std::string name;
  int fd = -1;
  uint64_t missed_seen = 0;
};

/// Counts of one window by free counter and CPU.
class FreeCounts {
 public:
  explicit FreeCounts(uint32_t cpu_limit) {
    for (auto& by_cpu : counts_) by_cpu.resize(cpu_limit);
  }
  void add(FreeCounter counter, uint32_t cpu, uint64_t n) { counts_[static_cast<size_t>(counter)][cpu] += n; }
  void add_missed(FreeCounter counter, uint64_t n) { missed_[static_cast<size_t>(counter)] += n; }
  FunctionCalls calls(FreeCounter counter, uint32_t row) const {
    return {row, counts_[static_cast<size_t>(counter)], missed_[static_cast<size_t>(counter)]};
  }

 private:
  static constexpr size_t kCounters = static_cast<size_t>(FreeCounter::drops) + 1;
  std::array<std::vector<uint64_t>, kCounters> counts_;
  std::array<uint64_t, kCounters> missed_{};
};

using DropCounts = std::map<DropKey, uint64_t>;

/// How the programs read packets (enum nt_access of the kernel side), best first.
enum class Access { cast, typed, probe };

std::vector<std::pair<bpf_program*, FreeCounter>> programs_of(const netpath_bpf& skeleton) {
  const auto& p = skeleton.progs;
  return {{p.nt_rx, FreeCounter::rx_packets},        {p.nt_rx_typed, FreeCounter::rx_packets},
          {p.nt_rx_cast, FreeCounter::rx_packets},   {p.nt_tx, FreeCounter::tx_packets},
          {p.nt_tx_typed, FreeCounter::tx_packets},  {p.nt_tx_cast, FreeCounter::tx_packets},
          {p.nt_napi_poll, FreeCounter::napi_polls}, {p.nt_napi_typed, FreeCounter::napi_polls},
          {p.nt_drop, FreeCounter::drops},           {p.nt_drop_typed, FreeCounter::drops},
          {p.nt_drop_chosen, FreeCounter::drops},    {p.nt_softirq_in, FreeCounter::none},
          {p.nt_softirq_out, FreeCounter::none}};
}

/// Leaves one program for each tracepoint.
void choose_programs(const netpath_bpf& skeleton, Access access, bool one_protocol) {
  const auto& p = skeleton.progs;
  const bool typed = access != Access::probe;
  for (bpf_program* program : {p.nt_rx, p.nt_tx, p.nt_napi_poll, p.nt_drop})
    bpf_program__set_autoload(program, !typed);
  for (bpf_program* program : {p.nt_napi_typed, p.nt_drop_typed}) bpf_program__set_autoload(program, typed);
  for (bpf_program* program : {p.nt_rx_typed, p.nt_tx_typed})
    bpf_program__set_autoload(program, access == Access::typed);
  for (bpf_program* program : {p.nt_rx_cast, p.nt_tx_cast})
    bpf_program__set_autoload(program, access == Access::cast);
  bpf_program__set_autoload(p.nt_drop_chosen, one_protocol);
  if (!one_protocol) return;
  for (bpf_program* program : {p.nt_drop, p.nt_drop_typed}) bpf_program__set_autoload(program, false);
}

void keep_drops_only(const netpath_bpf& skeleton) {
  for (const auto& [program, counts] : programs_of(skeleton)) {
    if (counts != FreeCounter::drops) bpf_program__set_autoload(program, false);
  }
}

nt_code code_of(const CodeRange& range) {
  // Return addresses lie from the second byte to the first behind the code.
  return {range.begin + 1, range.end - range.begin};
}

/// Tells the programs where the free helpers are. Those that find no room stay the place of their drops.
void publish_drop_code(const DropCode& code, netpath_bpf& skeleton) {
  auto& to = *skeleton.rodata;
  uint64_t begin = UINT64_MAX, end = 0;
  const size_t helpers = std::min(code.helpers.size(), static_cast<size_t>(NT_FREE_HELPERS));
  for (size_t i = 0; i < helpers; ++i) {
    const nt_code helper = code_of(code.helpers[i]);
    to.nt_helpers[i].begin = helper.begin;
    to.nt_helpers[i].size = helper.size;
    begin = std::min<uint64_t>(begin, helper.begin);
    end = std::max<uint64_t>(end, helper.begin + helper.size);
  }
  to.nt_helper_count = static_cast<uint32_t>(helpers);
  if (helpers) {
    to.nt_helper_hull.begin = begin;
    to.nt_helper_hull.size = end - begin;
  }
  const size_t transmit = std::min(code.transmit.size(), static_cast<size_t>(NT_TRANSMIT_FUNCTIONS));
  for (size_t i = 0; i < transmit; ++i) {
    const nt_code function = code_of(code.transmit[i]);
    to.nt_transmit[i].begin = function.begin;
    to.nt_transmit[i].size = function.size;
  }
  to.nt_transmit_count = static_cast<uint32_t>(transmit);
}

Result<NetPathSkeleton> load_for(const NetPathConfig& config, Access access) {
  NetPathSkeleton skeleton(netpath_bpf__open());
  if (!skeleton) return system_error("cannot open the net path programs", errno);
  skeleton->rodata->reason_arg = config.drop_reason_argument;
  skeleton->rodata->socket_arg = config.drop_socket_argument;
  skeleton->rodata->count_queues = config.count_queues;
  bpf_map__set_max_entries(skeleton->maps.nt_net, config.possible.limit());
  bpf_map__set_max_entries(skeleton->maps.nt_drops, config.max_drop_kinds);
  if (!config.count_queues) bpf_map__set_max_entries(skeleton->maps.nt_queues, 1);
  publish_drop_code(config.drop_code, *skeleton);
  set_protocol_filter(config.drop_protocol, skeleton->rodata->nt_protocol);
  choose_programs(*skeleton, access, !config.drop_protocol.any());
  if (config.drops_only) keep_drops_only(*skeleton);
  if (const int err = netpath_bpf__load(skeleton.get()); err)
    return system_error("the kernel refused the net path programs", -err, bpf_remedy(-err));
  return skeleton;
}

/// The cheapest way to read packets that this kernel takes.
Result<NetPathSkeleton> load(const NetPathConfig& config) {
  for (const Access access : {Access::cast, Access::typed}) {
    if (auto skeleton = load_for(config, access)) return skeleton;
  }
  return load_for(config, Access::probe);
}

}  // namespace

struct NetPath::State {
  NetPathSkeleton skeleton;
  Mapping counters;
  CpuSet possible;
  CpuSet online;  ///< at the start
  uint32_t netns = 0;
  bool count_queues = false;
  bool drops_only = false;
  DropCode drop_code;
  std::vector<std::string> symbols;
  std::vector<Program> programs;
  std::vector<nt_net_cpu> seen;       ///< by CPU id
  std::map<DropKey, uint32_t> kinds;  ///< kinds of drops with a place in the mapped table
  std::map<std::pair<DropKey, uint32_t>, uint64_t> drops_seen;  ///< by kind and CPU
  std::map<std::pair<DeviceId, uint32_t>, nt_napi> napi_seen;   ///< by device and CPU
  std::map<QueueKey, uint64_t> queues_seen;

  const nt_net_cpu& cpu(uint32_t id) const { return static_cast<const nt_net_cpu*>(counters.data())[id]; }
  std::string device_name(const nt_device& device) const;
  std::string helper_name(const nt_drop_key& key) const;
  void publish(const DropKey& bits);
  void read_cpu(uint32_t id, RawBatch& batch, FreeCounts& free, DropCounts& drops);
  Status read_napi(RawBatch& batch, FreeCounts& free);
  Status read_new_drops(FreeCounts& free, DropCounts& drops);
  Status read_queues(RawBatch& batch);
  void append_drops(RawBatch& batch, const DropCounts& drops) const;
  void read_losses(RawBatch& batch, const std::vector<nt_net_cpu>& before, FreeCounts& free);
};

/// The name as the host has it now for devices of our own namespace, which may have been renamed; else the
/// name at first sight.
std::string NetPath::State::device_name(const nt_device& device) const {
  if (device.ifindex == 0) return {};
  char name[std::max(IF_NAMESIZE, NT_IFNAME) + 1] = {};
  if (device.netns == netns && ::if_indextoname(device.ifindex, name)) return name;
  if (bpf_map_lookup_elem(bpf_map__fd(skeleton->maps.nt_names), &device, name) == 0) return name;
  return fmt::format("if{}", device.ifindex);
}

/// The helper that a drop was looked through, "" for none.
std::string NetPath::State::helper_name(const nt_drop_key& key) const {
  const uint32_t number = key.protocol >> NT_DROP_HELPER_SHIFT & NT_DROP_HELPER_MASK;
  return number && number <= drop_code.helpers.size() ? drop_code.helpers[number - 1].function
                                                      : std::string();
}

/// Gives a kind of drop a place in the mapped table, if its place is free.
void NetPath::State::publish(const DropKey& bits) {
  const auto key = copy_bits<nt_drop_key>(bits);
  const uint32_t place = nt_drop_place(&key);
  nt_drop_key& kind = skeleton->bss->nt_kinds[place];
  // Drops inside a helper are to be looked through each time, since their callers differ.
  if (kind.location != 0 || drop_code.helper_of(key.location)) return;
  kind.reason = key.reason;
  kind.protocol = key.protocol;
  kind.device = key.device;
  __atomic_store_n(&kind.location, key.location, __ATOMIC_RELEASE);
  kinds.emplace(bits, place);
}

void NetPath::State::read_cpu(uint32_t id, RawBatch& batch, FreeCounts& free, DropCounts& drops) {
  // A copy first: each counter is read once, and what comes later belongs to the next window.
  const nt_net_cpu now = cpu(id);
  const nt_net_cpu& before = seen[id];
  const uint64_t rx = now.rx_packets - before.rx_packets, tx = now.tx_packets - before.tx_packets;
  // A measured zero is a number too: CPUs that were there from the start always have their rows.
  const bool always = online.contains(id) && !drops_only;
  if (rx || always)
    batch.packets.push_back({Path::rx, id, rx, rx + now.rx_more_segments - before.rx_more_segments});
  if (tx || always)
    batch.packets.push_back({Path::tx, id, tx, tx + now.tx_more_segments - before.tx_more_segments});
  free.add(FreeCounter::rx_packets, id, rx);
  free.add(FreeCounter::tx_packets, id, tx);

  const uint64_t polls = now.backlog.polls - before.backlog.polls;
  if (polls) {
    batch.napi.push_back({{},
                          "backlog",
                          id,
                          polls,
                          now.backlog.packets - before.backlog.packets,
                          now.backlog.exhausted - before.backlog.exhausted});
  }
  free.add(FreeCounter::napi_polls, id, polls + now.napi_unkeyed - before.napi_unkeyed);

  for (uint32_t vector = 0; vector < NT_SOFTIRQS; ++vector) {
    const uint64_t runs = now.softirq[vector].runs - before.softirq[vector].runs;
    if (runs)
      batch.softirqs.push_back({vector, id, runs, now.softirq[vector].ns - before.softirq[vector].ns});
    if (vector == kNetRx) free.add(FreeCounter::net_rx_runs, id, runs);
    if (vector == kNetTx) free.add(FreeCounter::net_tx_runs, id, runs);
  }

  for (const auto& [key, place] : kinds) {
    const uint64_t count = now.drop_kind[place] - before.drop_kind[place];
    if (count) drops[key] += count;
    free.add(FreeCounter::drops, id, count);
  }
  free.add(FreeCounter::drops, id, now.drops_unkeyed - before.drops_unkeyed);
  seen[id] = now;
}

Status NetPath::State::read_napi(RawBatch& batch, FreeCounts& free) {
  return for_each_entry<nt_device, nt_napi>(
      bpf_map__fd(skeleton->maps.nt_napi), possible.size(),
      [&](const nt_device& device, const std::vector<nt_napi>& values) {
        std::string name;
        for (size_t i = 0; i < values.size(); ++i) {
          const uint32_t cpu = possible.ids[i];
          nt_napi& before = napi_seen[{device_id(device), cpu}];
          const uint64_t polls = advance(before.polls, values[i].polls);
          const uint64_t packets = advance(before.packets, values[i].packets);
          const uint64_t exhausted = advance(before.exhausted, values[i].exhausted);
          if (!polls && !packets) continue;
          if (name.empty()) name = device_name(device);
          batch.napi.push_back({device_id(device), name, cpu, polls, packets, exhausted});
          free.add(FreeCounter::napi_polls, cpu, polls);
        }
      });
}

Status NetPath::State::read_new_drops(FreeCounts& free, DropCounts& drops) {
  return for_each_entry<nt_drop_key, uint64_t>(
      bpf_map__fd(skeleton->maps.nt_drops), possible.size(),
      [&](const nt_drop_key& key, const std::vector<uint64_t>& values) {
        const auto bits = copy_bits<DropKey>(key);
        for (size_t i = 0; i < values.size(); ++i) {
          if (!values[i]) continue;
          const uint64_t count = advance(drops_seen[{bits, possible.ids[i]}], values[i]);
          if (count) drops[bits] += count;
          free.add(FreeCounter::drops, possible.ids[i], count);
        }
        if (!kinds.contains(bits)) publish(bits);
      });
}

Status NetPath::State::read_queues(RawBatch& batch) {
  if (!count_queues) return {};
  return for_each_entry<nt_queue_key, uint64_t>(
      bpf_map__fd(skeleton->maps.nt_queues), possible.size(),
      [&](const nt_queue_key& key, const std::vector<uint64_t>& values) {
        uint64_t sum = 0;
        for (const uint64_t n : values) sum += n;
        const uint64_t count = advance(queues_seen[copy_bits<QueueKey>(key)], sum);
        if (!count) return;
        batch.queues.push_back(
            {device_id(key.device), device_name(key.device), static_cast<int32_t>(key.queue) - 1, count});
      });
}

void NetPath::State::append_drops(RawBatch& batch, const DropCounts& drops) const {
  for (const auto& [bits, count] : drops) {
    const auto key = copy_bits<nt_drop_key>(bits);
    batch.drops.push_back({key.reason, key.location, ntohs(static_cast<uint16_t>(key.protocol)),
                           device_id(key.device), device_name(key.device), count, helper_name(key),
                           (key.protocol & NT_DROP_TRANSMITTING) != 0});
  }
}

void NetPath::State::read_losses(RawBatch& batch, const std::vector<nt_net_cpu>& before, FreeCounts& free) {
  uint64_t drops = 0, napi = 0, queues = 0;
  for (size_t id = 0; id < seen.size(); ++id) {
    drops += seen[id].drops_unkeyed - before[id].drops_unkeyed;
    napi += seen[id].napi_unkeyed - before[id].napi_unkeyed;
    queues += seen[id].queue_unkeyed - before[id].queue_unkeyed;
  }
  const auto lost = [&](LossKind kind, const std::string& subject, uint64_t count) {
    if (count) batch.losses.push_back({kind, subject, count});
  };
  lost(LossKind::drop_table, "nt_drop", drops);
  lost(LossKind::napi_table, "nt_napi_poll", napi);
  lost(LossKind::queue_table, "nt_rx", queues);
  for (Program& program : programs) {
    const uint64_t missed = advance(program.missed_seen, missed_runs(program.fd));
    lost(LossKind::missed_run, program.name, missed);
    free.add_missed(program.counts, missed);
  }
}

NetPath::NetPath(std::unique_ptr<State> state) : state_(std::move(state)) {}
NetPath::NetPath(NetPath&&) noexcept = default;
NetPath& NetPath::operator=(NetPath&&) noexcept = default;
NetPath::~NetPath() = default;

Result<NetPath> NetPath::attach(const NetPathConfig& config) {
  auto state = std::make_unique<State>();
  state->possible = config.possible;
  state->online = config.online;
  state->count_queues = config.count_queues;
  state->drops_only = config.drops_only;
  state->drop_code = config.drop_code;
  state->netns = own_netns();
  state->seen.resize(config.possible.limit());
  auto skeleton = load(config);
  if (!skeleton) return skeleton.error();
  state->skeleton = std::move(*skeleton);
  const auto& maps = state->skeleton->maps;
  auto mapped = map_array(bpf_map__fd(maps.nt_net), config.possible.limit(), sizeof(nt_net_cpu));
  if (!mapped) return mapped.error();
  state->counters = std::move(*mapped);
  if (const int err = netpath_bpf__attach(state->skeleton.get()); err)
    return system_error("the kernel refused to attach the net path programs", -err, bpf_remedy(-err));
  for (const auto& [program, counts] : programs_of(*state->skeleton)) {
    if (!bpf_program__autoload(program)) continue;
    const int fd = bpf_program__fd(program);
    state->programs.push_back({counts, bpf_program__name(program), fd, 0});
    spdlog::debug("attached: {} to {}", bpf_program__name(program), bpf_program__section_name(program));
    if (auto symbol = program_symbol(fd)) state->symbols.push_back(std::move(*symbol));
  }
  return NetPath(std::move(state));
}

Status NetPath::read(RawBatch& batch, const std::vector<PlanRow>& rows) {
  State& state = *state_;
  FreeCounts free(state.possible.limit());
  DropCounts drops;
  const std::vector<nt_net_cpu> before = state.seen;
  for (uint32_t id = 0; id < state.possible.limit(); ++id) state.read_cpu(id, batch, free, drops);
  if (auto ok = state.read_napi(batch, free); !ok) return ok;
  if (auto ok = state.read_new_drops(free, drops); !ok) return ok;
  if (auto ok = state.read_queues(batch); !ok) return ok;
  state.append_drops(batch, drops);
  state.read_losses(batch, before, free);
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if (rows[i].free != FreeCounter::none) batch.calls.push_back(free.calls(rows[i].free, i));
  }
  return {};
}

uint64_t NetPath::packets() const {
  uint64_t sum = 0;
  for (uint32_t id = 0; id < state_->possible.limit(); ++id) {
    const nt_net_cpu& cpu = state_->cpu(id);
    sum += __atomic_load_n(&cpu.rx_packets, __ATOMIC_RELAXED) +
           __atomic_load_n(&cpu.tx_packets, __ATOMIC_RELAXED);
  }
  return sum;
}

const std::vector<std::string>& NetPath::program_symbols() const {
  return state_->symbols;
}

std::vector<std::string> NetPath::tracepoints() {
  return {"netif_receive_skb", "net_dev_queue", "napi_poll", "softirq_entry", "softirq_exit", "kfree_skb"};
}

}  // namespace nettoll
