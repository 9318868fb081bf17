// SPDX-License-Identifier: Apache-2.0
// The files of a host at the two ends of a window, as its readers find them.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/kernel_fs.h"
#include "fakes/fake_ethtool.h"
#include "fakes/fake_root.h"
#include "fakes/fake_route.h"
#include "host/read_host.h"
#include "host/window.h"

namespace nettoll {

/// What a case tells of an interrupt: its counts by CPU.
struct CaseVector {
  uint32_t irq = 0;
  std::string name;
  std::vector<uint64_t> before, after;
};

/// Writes what a case tells and no more, so that readers find the rest missing as they would.
class CaseFiles {
 public:
  explicit CaseFiles(uint32_t cpus) : cpus_(cpus) {
    both("/sys/devices/system/cpu/online", cpus == 1 ? "0\n" : fmt::format("0-{}\n", cpus - 1));
  }

  void both(const std::string& name, const std::string& text) const {
    before_->write(name, text);
    after_->write(name, text);
  }
  void change(const std::string& name, const std::string& before, const std::string& after) const {
    before_->write(name, before);
    after_->write(name, after);
  }

  /// A device that is up, with RPS masks of its receive queues as the files have them.
  void device(const std::string& name, const std::vector<std::string>& rps, uint64_t received,
              const std::vector<CaseVector>& vectors = {}) {
    const std::string folder = "/sys/class/net/" + name;
    both(folder + "/ifindex", fmt::format("{}\n", ++ifindex_));
    both(folder + "/operstate", "up\n");
    both(folder + "/flags", "0x1003\n");
    both(folder + "/device/numa_node", "-1\n");
    for (size_t queue = 0; queue < rps.size(); ++queue) {
      both(fmt::format("{}/queues/rx-{}/rps_cpus", folder, queue), rps[queue] + "\n");
      both(fmt::format("{}/queues/rx-{}/rps_flow_cnt", folder, queue), "0\n");
    }
    change(folder + "/statistics/rx_packets", "1000\n", fmt::format("{}\n", 1000 + received));
    for (const auto& vector : vectors) {
      both(fmt::format("{}/device/msi_irqs/{}", folder, vector.irq), "msix\n");
      vectors_.push_back(vector);
    }
    ethtool.devices[name];
  }

  /// Rows of /proc/stat: user, idle and softirq ticks of each CPU in the window.
  void times(const std::vector<std::array<uint64_t, 3>>& ticks) const {
    std::string before;
    std::string after;
    for (size_t cpu = 0; cpu < ticks.size(); ++cpu) {
      before += fmt::format("cpu{} 100 0 0 100 0 0 100 0 0 0\n", cpu);
      after += fmt::format("cpu{} {} 0 0 {} 0 0 {} 0 0 0\n", cpu, 100 + ticks[cpu][0], 100 + ticks[cpu][1],
                           100 + ticks[cpu][2]);
    }
    change("/proc/stat", before, after);
  }

  void ksoftirqd(uint32_t cpu, uint64_t ticks) const {
    const uint32_t pid = 20 + cpu;
    const auto line = [&](uint64_t system) {
      return fmt::format("{} (ksoftirqd/{}) S 2 0 0 0 -1 69238848 0 0 0 0 0 {} 0 0 20 0 1\n", pid, cpu,
                         system);
    };
    both(fmt::format("/proc/{}/comm", pid), fmt::format("ksoftirqd/{}\n", cpu));
    change(fmt::format("/proc/{}/stat", pid), line(500), line(500 + ticks));
  }

  HostState window(double seconds) {
    if (!vectors_.empty()) change("/proc/interrupts", interrupts(false), interrupts(true));
    const auto read = [this](const FakeRoot& root, bool after) {
      FakeEthtool& source = after ? ethtool : ethtool_before;
      auto state = read_host(KernelFs(root.path()), source, route);
      if (!state) throw std::runtime_error(state.error().message);
      return std::move(*state);
    };
    if (ethtool_before.devices.empty()) ethtool_before = ethtool;
    const HostState before = read(*before_, false);
    return nettoll::window(before, read(*after_, true), seconds);
  }

  FakeEthtool ethtool;         ///< at the end
  FakeEthtool ethtool_before;  ///< at the start; the same where nothing is set
  FakeRoute route;

 private:
  std::string interrupts(bool after) const {
    std::string text = "    ";
    for (uint32_t cpu = 0; cpu < cpus_; ++cpu) text += fmt::format("       CPU{}", cpu);
    for (const auto& vector : vectors_) {
      text += fmt::format("\n{}:", vector.irq);
      const auto& counts = after ? vector.after : vector.before;
      for (uint32_t cpu = 0; cpu < cpus_; ++cpu)
        text += fmt::format(" {:>10}", cpu < counts.size() ? counts[cpu] : 0);
      text += fmt::format("   PCI-MSI {}-edge      {}", vector.irq, vector.name);
    }
    return text + "\n";
  }

  uint32_t cpus_;
  uint32_t ifindex_ = 1;
  std::vector<CaseVector> vectors_;
  std::unique_ptr<FakeRoot> before_ = std::make_unique<FakeRoot>(), after_ = std::make_unique<FakeRoot>();
};

}  // namespace nettoll
