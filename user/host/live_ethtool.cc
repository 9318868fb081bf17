// SPDX-License-Identifier: Apache-2.0
#include "host/live_ethtool.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstring>

#include "host/guarded_buffer.h"
#include "host/text.h"

namespace nettoll {
namespace {

/// More statistics, features or buckets than any driver has; what says that it has more is not believed.
constexpr uint32_t kMostEntries = 1 << 16;

Error too_many(uint32_t count) {
  return failure(fmt::format("the driver claims {} entries, more than {}", count, kMostEntries));
}

Error changed() {
  return system_error("the driver's answer changed while it was read", EAGAIN);
}

/// A command with a tail of `tail` bytes, zeroed.
template <typename Command>
class WithTail {
 public:
  explicit WithTail(size_t tail) : words_((sizeof(Command) + tail + 7) / 8) {}
  Command* operator->() { return reinterpret_cast<Command*>(words_.data()); }
  void* data() { return words_.data(); }
  const char* tail() const { return reinterpret_cast<const char*>(words_.data()) + sizeof(Command); }

 private:
  std::vector<uint64_t> words_;
};

uint32_t word_at(const char* bytes, size_t index) {
  uint32_t word = 0;
  std::memcpy(&word, bytes + index * sizeof(word), sizeof(word));
  return word;
}

/// ETH_RSS_HASH_*_BIT in include/linux/ethtool.h.
std::string hash_name(uint8_t bits) {
  switch (bits) {
    case 1:
      return "toeplitz";
    case 2:
      return "xor";
    case 4:
      return "crc32";
    default:
      return "";
  }
}

std::optional<uint32_t> flow_type(std::string_view protocol) {
  if (protocol == "tcp4") return TCP_V4_FLOW;
  if (protocol == "udp4") return UDP_V4_FLOW;
  if (protocol == "tcp6") return TCP_V6_FLOW;
  if (protocol == "udp6") return UDP_V6_FLOW;
  return std::nullopt;
}

}  // namespace

Result<LiveEthtool> LiveEthtool::open() {
  UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  // Kernels without IPv4 take any socket.
  if (!socket) socket.reset(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0));
  if (!socket) return system_error("cannot open a socket to ask network drivers", errno);
  return LiveEthtool(std::move(socket));
}

Status LiveEthtool::ask(const std::string& device, void* command) const {
  ifreq request{};
  if (device.size() >= sizeof(request.ifr_name))
    return system_error(fmt::format("'{}' is too long for a device", device), ENODEV);
  device.copy(request.ifr_name, device.size());
  request.ifr_data = static_cast<char*>(command);
  if (::ioctl(socket_.get(), SIOCETHTOOL, &request) != 0)
    return system_error(fmt::format("cannot ask the driver of {}", device), errno);
  return {};
}

Result<std::string> LiveEthtool::driver(const std::string& device) {
  ethtool_drvinfo info{};
  info.cmd = ETHTOOL_GDRVINFO;
  if (auto ok = ask(device, &info); !ok) return ok.error();
  return std::string(info.driver, ::strnlen(info.driver, sizeof(info.driver)));
}

Result<Channels> LiveEthtool::channels(const std::string& device) {
  ethtool_channels answer{};
  answer.cmd = ETHTOOL_GCHANNELS;
  if (auto ok = ask(device, &answer); !ok) return ok.error();
  Channels channels;
  channels.rx = answer.rx_count;
  channels.tx = answer.tx_count;
  channels.combined = answer.combined_count;
  channels.max_rx = answer.max_rx;
  channels.max_tx = answer.max_tx;
  channels.max_combined = answer.max_combined;
  return channels;
}

Result<RingSizes> LiveEthtool::rings(const std::string& device) {
  ethtool_ringparam answer{};
  answer.cmd = ETHTOOL_GRINGPARAM;
  if (auto ok = ask(device, &answer); !ok) return ok.error();
  RingSizes rings;
  rings.rx = answer.rx_pending;
  rings.tx = answer.tx_pending;
  rings.max_rx = answer.rx_max_pending;
  rings.max_tx = answer.tx_max_pending;
  return rings;
}

Result<Indirection> LiveEthtool::indirection(const std::string& device) {
  ethtool_rxfh sizes{};
  sizes.cmd = ETHTOOL_GRSSH;
  if (auto ok = ask(device, &sizes); !ok) return old_indirection(device);
  const uint32_t buckets = sizes.indir_size, key = sizes.key_size;
  if (buckets > kMostEntries || key > kMostEntries) return too_many(buckets > key ? buckets : key);
  // virtio_net answers so without RSS.
  if (buckets == 0) return system_error(fmt::format("{} has no indirection table", device), EOPNOTSUPP);
  WithTail<ethtool_rxfh> answer(buckets * sizeof(uint32_t) + key);
  answer->cmd = ETHTOOL_GRSSH;
  answer->indir_size = buckets;
  answer->key_size = key;
  if (auto ok = ask(device, answer.data()); !ok) return ok.error();
  if (answer->indir_size != buckets || answer->key_size != key) return changed();
  Indirection table;
  for (uint32_t i = 0; i < buckets; ++i) table.queues.push_back(word_at(answer.tail(), i));
  const char* const bytes = answer.tail() + buckets * sizeof(uint32_t);
  table.key.assign(bytes, bytes + key);
  table.hash_function = hash_name(answer->hfunc);
  return table;
}

Result<Indirection> LiveEthtool::old_indirection(const std::string& device) const {
  ethtool_rxfh_indir size{};
  size.cmd = ETHTOOL_GRXFHINDIR;
  if (auto ok = ask(device, &size); !ok) return ok.error();
  if (size.size > kMostEntries) return too_many(size.size);
  if (size.size == 0) return system_error(fmt::format("{} has no indirection table", device), EOPNOTSUPP);
  WithTail<ethtool_rxfh_indir> answer(size.size * sizeof(uint32_t));
  answer->cmd = ETHTOOL_GRXFHINDIR;
  answer->size = size.size;
  if (auto ok = ask(device, answer.data()); !ok) return ok.error();
  if (answer->size != size.size) return changed();
  Indirection table;
  for (uint32_t i = 0; i < size.size; ++i) table.queues.push_back(word_at(answer.tail(), i));
  return table;
}

Result<FlowHash> LiveEthtool::flow_hash(const std::string& device, const std::string& protocol) {
  const auto type = flow_type(protocol);
  if (!type) return failure(fmt::format("'{}' is no kind of flow", protocol));
  ethtool_rxnfc answer{};
  answer.cmd = ETHTOOL_GRXFH;
  answer.flow_type = *type;
  if (auto ok = ask(device, &answer); !ok) return ok.error();
  const auto has = [&](uint64_t bits) { return (answer.data & bits) == bits; };
  FlowHash hash;
  hash.protocol = protocol;
  hash.addresses = has(RXH_IP_SRC | RXH_IP_DST);
  hash.ports = has(RXH_L4_B_0_1 | RXH_L4_B_2_3);
  return hash;
}

Result<Coalescing> LiveEthtool::coalescing(const std::string& device) {
  ethtool_coalesce answer{};
  answer.cmd = ETHTOOL_GCOALESCE;
  if (auto ok = ask(device, &answer); !ok) return ok.error();
  Coalescing coalescing;
  coalescing.rx_usecs = answer.rx_coalesce_usecs;
  coalescing.rx_frames = answer.rx_max_coalesced_frames;
  coalescing.adaptive_rx = answer.use_adaptive_rx_coalesce != 0;
  return coalescing;
}

Result<uint32_t> LiveEthtool::string_count(const std::string& device, uint32_t set) const {
  WithTail<ethtool_sset_info> answer(sizeof(uint32_t));
  answer->cmd = ETHTOOL_GSSET_INFO;
  answer->sset_mask = uint64_t{1} << set;
  if (auto ok = ask(device, answer.data()); !ok) return ok.error();
  // The mask keeps the sets that the device has.
  if (answer->sset_mask == 0) return system_error(fmt::format("{} has no such names", device), EOPNOTSUPP);
  const uint32_t count = word_at(answer.tail(), 0);
  if (count > kMostEntries) return too_many(count);
  return count;
}

Result<std::vector<std::string>> LiveEthtool::strings(const std::string& device, uint32_t set) const {
  const auto count = string_count(device, set);
  if (!count) return count.error();
  std::vector<std::string> names;
  if (*count == 0) return names;
  auto buffer = GuardedBuffer::make(sizeof(ethtool_gstrings) + *count * size_t{ETH_GSTRING_LEN});
  if (!buffer) return buffer.error();
  auto* const answer = static_cast<ethtool_gstrings*>(buffer->data());
  answer->cmd = ETHTOOL_GSTRINGS;
  answer->string_set = set;
  answer->len = *count;
  if (auto ok = ask(device, answer); !ok) return ok.error();
  if (answer->len != *count) return changed();
  const char* const text = static_cast<const char*>(buffer->data()) + sizeof(ethtool_gstrings);
  for (uint32_t i = 0; i < *count; ++i) {
    const char* const name = text + i * size_t{ETH_GSTRING_LEN};
    names.emplace_back(name, ::strnlen(name, ETH_GSTRING_LEN));
  }
  return names;
}

Result<std::map<std::string, bool>> LiveEthtool::features(const std::string& device) {
  const auto names = strings(device, ETH_SS_FEATURES);
  if (!names || names->empty()) return old_features(device);
  const size_t blocks = (names->size() + 31) / 32;
  WithTail<ethtool_gfeatures> answer(blocks * sizeof(ethtool_get_features_block));
  answer->cmd = ETHTOOL_GFEATURES;
  answer->size = static_cast<uint32_t>(blocks);
  if (auto ok = ask(device, answer.data()); !ok) return ok.error();
  std::map<std::string, bool> features;
  for (size_t i = 0; i < names->size(); ++i) {
    ethtool_get_features_block block{};
    std::memcpy(&block, answer.tail() + i / 32 * sizeof(block), sizeof(block));
    if (!(*names)[i].empty()) features[(*names)[i]] = block.active >> (i % 32) & 1;
  }
  return features;
}

Result<std::map<std::string, bool>> LiveEthtool::old_features(const std::string& device) const {
  const struct {
    uint32_t command;
    const char* name;
  } rows[] = {{ETHTOOL_GGRO, "rx-gro"}, {ETHTOOL_GRXCSUM, "rx-checksum"}};
  std::map<std::string, bool> features;
  Error error;
  for (const auto& row : rows) {
    ethtool_value answer{};
    answer.cmd = row.command;
    if (auto ok = ask(device, &answer); ok) {
      features[row.name] = answer.data != 0;
    } else {
      error = std::move(ok).error();
    }
  }
  if (features.empty()) return error;
  return features;
}

Result<StatisticsList> LiveEthtool::statistics(const std::string& device) {
  auto names = strings(device, ETH_SS_STATS);
  if (!names) return names.error();
  if (names->empty()) return StatisticsList{};
  auto buffer = GuardedBuffer::make(sizeof(ethtool_stats) + names->size() * sizeof(uint64_t));
  if (!buffer) return buffer.error();
  auto* const answer = static_cast<ethtool_stats*>(buffer->data());
  answer->cmd = ETHTOOL_GSTATS;
  answer->n_stats = static_cast<uint32_t>(names->size());
  if (auto ok = ask(device, answer); !ok) return ok.error();
  if (answer->n_stats != names->size()) return changed();
  StatisticsList statistics;
  const char* const values = static_cast<const char*>(buffer->data()) + sizeof(ethtool_stats);
  for (size_t i = 0; i < names->size(); ++i) {
    uint64_t value = 0;
    std::memcpy(&value, values + i * sizeof(value), sizeof(value));
    if (!(*names)[i].empty()) statistics.emplace_back(std::move((*names)[i]), value);
  }
  return statistics;
}

}  // namespace nettoll
