// SPDX-License-Identifier: Apache-2.0
#include "live/kernel_counters.h"

#include <charconv>
#include <optional>
#include <vector>

#include "base/kernel_fs.h"

namespace nettoll::live {
namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; (at = text.find_first_not_of(separators, at)) != text.npos;) {
    const size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end;
  }
  return parts;
}

template <typename T>
std::optional<T> number(std::string_view word, int base = 10) {
  T value{};
  const auto [end, ec] = std::from_chars(word.data(), word.data() + word.size(), value, base);
  if (ec != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

Error bad_line(const char* file, std::string_view line) {
  return failure(fmt::format("{} has an unexpected line: '{}'", file, line));
}

template <typename Map, typename Subtract>
Map subtract(const Map& after, const Map& before, Subtract minus) {
  Map result;
  for (const auto& [key, value] : after) {
    const auto found = before.find(key);
    result[key] = found == before.end() ? value : minus(value, found->second);
  }
  return result;
}

}  // namespace

Result<std::map<std::string, DeviceCounters>> parse_net_dev(std::string_view text) {
  std::map<std::string, DeviceCounters> devices;
  for (const std::string_view line : split(text, "\n")) {
    if (line.find('|') != line.npos) continue;  // the two lines of headings
    const size_t colon = line.rfind(':');       // names of old aliases hold colons themselves
    if (colon == line.npos) return bad_line("/proc/net/dev", line);
    const auto names = split(line.substr(0, colon), " ");
    const auto words = split(line.substr(colon + 1), " ");
    if (names.size() != 1 || words.size() != 16) return bad_line("/proc/net/dev", line);
    DeviceCounters device;
    const std::pair<size_t, uint64_t*> columns[] = {
        {0, &device.rx_bytes}, {1, &device.rx_packets}, {2, &device.rx_errors},  {3, &device.rx_dropped},
        {8, &device.tx_bytes}, {9, &device.tx_packets}, {10, &device.tx_errors}, {11, &device.tx_dropped}};
    for (const auto& [column, field] : columns) {
      const auto value = number<uint64_t>(words[column]);
      if (!value) return bad_line("/proc/net/dev", line);
      *field = *value;
    }
    devices[std::string(names[0])] = device;
  }
  return devices;
}

Result<std::map<std::string, int64_t>> parse_snmp(std::string_view text) {
  std::map<std::string, int64_t> counters;
  const auto lines = split(text, "\n");
  for (size_t i = 0; i < lines.size(); i += 2) {
    if (i + 1 == lines.size()) return bad_line("snmp", lines[i]);
    const auto names = split(lines[i], " ");
    const auto values = split(lines[i + 1], " ");
    if (names.size() != values.size() || names[0] != values[0] || !names[0].ends_with(':'))
      return bad_line("snmp", lines[i + 1]);
    const std::string prefix(names[0].substr(0, names[0].size() - 1));
    for (size_t column = 1; column < names.size(); ++column) {
      const auto value = number<int64_t>(values[column]);
      if (!value) return bad_line("snmp", lines[i + 1]);
      counters[prefix + std::string(names[column])] = *value;
    }
  }
  return counters;
}

Result<std::map<std::string, int64_t>> parse_snmp6(std::string_view text) {
  std::map<std::string, int64_t> counters;
  for (const std::string_view line : split(text, "\n")) {
    const auto words = split(line, " \t");
    const auto value = words.size() == 2 ? number<int64_t>(words[1]) : std::nullopt;
    if (!value) return bad_line("snmp6", line);
    counters[std::string(words[0])] = *value;
  }
  return counters;
}

Result<std::map<uint32_t, SoftnetCounters>> parse_softnet_stat(std::string_view text) {
  // softnet_seq_show() in net/core/net-procfs.c. The CPU id is the 13th column since 5.14; before, lines are
  // the online CPUs in order, which tells the id only while none is offline.
  constexpr size_t kCpuColumn = 12;
  std::map<uint32_t, SoftnetCounters> cpus;
  uint32_t row = 0;
  for (const std::string_view line : split(text, "\n")) {
    std::vector<uint32_t> values;
    for (const std::string_view word : split(line, " ")) {
      const auto value = number<uint32_t>(word, 16);
      if (!value) return bad_line("/proc/net/softnet_stat", line);
      values.push_back(*value);
    }
    if (values.size() < 10) return bad_line("/proc/net/softnet_stat", line);
    const uint32_t cpu = values.size() > kCpuColumn ? values[kCpuColumn] : row;
    cpus[cpu] = {values[0], values[1], values[2], values[9]};
    ++row;
  }
  return cpus;
}

DeviceCounters KernelCounters::device(const std::string& name) const {
  const auto found = devices.find(name);
  return found == devices.end() ? DeviceCounters{} : found->second;
}

int64_t KernelCounters::protocol(const std::string& name) const {
  const auto found = protocols.find(name);
  return found == protocols.end() ? 0 : found->second;
}

uint64_t KernelCounters::softnet_processed() const {
  uint64_t sum = 0;
  for (const auto& [cpu, counters] : softnet) sum += counters.processed;
  return sum;
}

Result<KernelCounters> read_kernel_counters() {
  const KernelFs fs;
  KernelCounters counters;
  // /proc/net itself is the namespace of the process's main thread.
  auto dev = fs.read("/proc/thread-self/net/dev");
  if (!dev) return dev.error();
  auto devices = parse_net_dev(*dev);
  if (!devices) return devices.error();
  counters.devices = std::move(*devices);

  for (const char* file :
       {"/proc/thread-self/net/snmp", "/proc/thread-self/net/netstat", "/proc/thread-self/net/snmp6"}) {
    const bool v6 = std::string_view(file).ends_with("snmp6");
    if (v6 && !fs.exists(file)) continue;  // no IPv6 in this kernel
    auto text = fs.read(file);
    if (!text) return text.error();
    auto parsed = v6 ? parse_snmp6(*text) : parse_snmp(*text);
    if (!parsed) return parsed.error();
    counters.protocols.merge(*parsed);
  }

  auto softnet = fs.read("/proc/net/softnet_stat");
  if (!softnet) return softnet.error();
  auto cpus = parse_softnet_stat(*softnet);
  if (!cpus) return cpus.error();
  counters.softnet = std::move(*cpus);
  return counters;
}

Result<KernelCounters> read_kernel_counters(const NetNs& ns) {
  return ns.call<KernelCounters>([] { return read_kernel_counters(); });
}

KernelCounters difference(const KernelCounters& after, const KernelCounters& before) {
  KernelCounters result;
  result.devices =
      subtract(after.devices, before.devices, [](const DeviceCounters& x, const DeviceCounters& y) {
        return DeviceCounters{x.rx_bytes - y.rx_bytes,   x.rx_packets - y.rx_packets,
                              x.rx_errors - y.rx_errors, x.rx_dropped - y.rx_dropped,
                              x.tx_bytes - y.tx_bytes,   x.tx_packets - y.tx_packets,
                              x.tx_errors - y.tx_errors, x.tx_dropped - y.tx_dropped};
      });
  result.protocols = subtract(after.protocols, before.protocols, [](int64_t x, int64_t y) { return x - y; });
  result.softnet =
      subtract(after.softnet, before.softnet, [](const SoftnetCounters& x, const SoftnetCounters& y) {
        return SoftnetCounters{x.processed - y.processed, x.dropped - y.dropped,
                               x.time_squeeze - y.time_squeeze, x.received_rps - y.received_rps};
      });
  return result;
}

}  // namespace nettoll::live
