// SPDX-License-Identifier: Apache-2.0
#include "host/sysfs_nic.h"

#include <algorithm>
#include <limits>

#include "host/text.h"

namespace nettoll {
namespace {

class NicReader {
 public:
  NicReader(const KernelFs& fs, const std::string& name, std::vector<std::string>& notes)
      : fs_(fs), folder_("/sys/class/net/" + name), name_(name), notes_(notes) {}

  /// Nothing where it is no device, or is gone.
  std::optional<Nic> read() {
    Nic nic;
    nic.name = name_;
    // /sys/class/net also holds files, such as bonding_masters.
    const auto ifindex = number<uint32_t>("ifindex");
    if (!ifindex) return std::nullopt;
    nic.ifindex = *ifindex;
    nic.physical = fs_.exists(folder_ + "/device");
    nic.driver = driver();
    nic.up = up();
    nic.numa_node = numa_node();
    nic.speed_mbps = speed();
    nic.rx_queues = rx_queues();
    nic.tx_queues = tx_queues();
    read_counters(nic.link);
    return nic;
  }

 private:
  std::optional<std::string> line(std::string_view file) const {
    auto text = fs_.read_line(fmt::format("{}/{}", folder_, file));
    if (!text) return std::nullopt;
    return std::string(trimmed(*text));
  }

  void complain(std::string_view file, std::string_view text, std::string_view what) {
    notes_.push_back(
        fmt::format("{} holds '{}', not {}.", fs_.path(fmt::format("{}/{}", folder_, file)), text, what));
  }

  template <typename Number>
  std::optional<Number> number(std::string_view file) {
    const auto text = line(file);
    if (!text) return std::nullopt;
    const auto value = number_of<Number>(*text);
    if (!value) complain(file, *text, "a number");
    return value;
  }

  std::string driver() const {
    const auto link = fs_.read_link(folder_ + "/device/driver");
    return link ? link->substr(link->rfind('/') + 1) : "";
  }

  /// netif_oper_up() in include/linux/netdevice.h, and IFF_UP.
  bool up() const {
    constexpr uint32_t kUp = 1;
    const auto state = line("operstate"), flags = line("flags");
    if (!state || !flags || !flags->starts_with("0x")) return false;
    const auto bits = number_of<uint32_t>(std::string_view(*flags).substr(2), 16);
    return bits && (*bits & kUp) && (*state == "up" || *state == "unknown");
  }

  std::optional<int> numa_node() {
    const auto text = line("device/numa_node");
    if (!text || text->starts_with('-')) return std::nullopt;
    const auto node = number_of<uint32_t>(*text);
    if (!node || *node > static_cast<uint32_t>(std::numeric_limits<int>::max())) {
      complain("device/numa_node", *text, "a node");
      return std::nullopt;
    }
    return static_cast<int>(*node);
  }

  /// The driver's -1 is "unknown", which older kernels print as 4294967295; EINVAL where the link is down.
  std::optional<uint32_t> speed() {
    const auto text = line("speed");
    if (!text || text->starts_with('-')) return std::nullopt;
    const auto mbps = number_of<uint32_t>(*text);
    if (!mbps) complain("speed", *text, "a speed");
    if (mbps == std::numeric_limits<uint32_t>::max()) return std::nullopt;
    return mbps;
  }

  std::optional<CpuSet> mask(const std::string& file) {
    const auto text = line(file);
    if (!text) return std::nullopt;
    auto set = parse_cpu_mask(*text);
    if (!set) {
      complain(file, *text, "a mask of CPUs");
      return std::nullopt;
    }
    return std::move(*set);
  }

  /// Numbers of the queues of a direction, "rx-" or "tx-".
  std::vector<uint32_t> queues(std::string_view prefix) const {
    std::vector<uint32_t> numbers;
    const auto names = fs_.list(folder_ + "/queues");
    if (!names) return numbers;
    for (const std::string& name : *names) {
      if (!name.starts_with(prefix)) continue;
      const auto n = number_of<uint32_t>(std::string_view(name).substr(prefix.size()));
      if (n) numbers.push_back(*n);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }

  std::vector<RxQueue> rx_queues() {
    std::vector<RxQueue> rows;
    for (const uint32_t index : queues("rx-")) {
      RxQueue queue;
      queue.index = index;
      queue.rps_cpus = mask(fmt::format("queues/rx-{}/rps_cpus", index));
      queue.rps_flow_cnt = number<uint64_t>(fmt::format("queues/rx-{}/rps_flow_cnt", index));
      rows.push_back(std::move(queue));
    }
    return rows;
  }

  std::vector<TxQueue> tx_queues() {
    std::vector<TxQueue> rows;
    for (const uint32_t index : queues("tx-")) {
      TxQueue queue;
      queue.index = index;
      queue.xps_cpus = mask(fmt::format("queues/tx-{}/xps_cpus", index));
      rows.push_back(std::move(queue));
    }
    return rows;
  }

  void read_counters(LinkCounters& link) {
    const struct {
      const char* file;
      uint64_t& value;
    } rows[] = {
        {"rx_packets", link.rx_packets},      {"rx_bytes", link.rx_bytes},
        {"rx_errors", link.rx_errors},        {"rx_dropped", link.rx_dropped},
        {"rx_missed_errors", link.rx_missed}, {"rx_fifo_errors", link.rx_fifo},
        {"rx_crc_errors", link.rx_crc},       {"rx_nohandler", link.rx_nohandler},
        {"tx_packets", link.tx_packets},      {"tx_bytes", link.tx_bytes},
        {"tx_errors", link.tx_errors},        {"tx_dropped", link.tx_dropped},
    };
    std::string absent;
    for (const auto& row : rows) {
      const auto value = number<uint64_t>(fmt::format("statistics/{}", row.file));
      if (!value) absent += (absent.empty() ? "" : ", ") + std::string(row.file);
      row.value = value.value_or(0);
    }
    if (!absent.empty()) notes_.push_back(fmt::format("The statistics of {} lack {}.", name_, absent));
  }

  const KernelFs& fs_;
  std::string folder_;
  const std::string& name_;
  std::vector<std::string>& notes_;
};

}  // namespace

Result<std::vector<Nic>> read_nics(const KernelFs& fs, std::vector<std::string>& notes) {
  auto names = fs.list("/sys/class/net");
  if (!names) return names.error();
  std::vector<Nic> nics;
  for (const std::string& name : *names) {
    if (auto nic = NicReader(fs, name, notes).read()) nics.push_back(std::move(*nic));
  }
  std::sort(nics.begin(), nics.end(), [](const Nic& a, const Nic& b) { return a.ifindex < b.ifindex; });
  return nics;
}

}  // namespace nettoll
