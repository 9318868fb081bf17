// SPDX-License-Identifier: Apache-2.0
// Folders of PMUs as the kernel lays them out.
#pragma once

#include <string>

#include "fakes/fake_root.h"

namespace nettoll {

inline constexpr const char* kDevices = "/sys/bus/event_source/devices/";

/// A CPU PMU like x86's. `cpus` is its `cpus` file; empty for none.
inline void write_cpu_pmu(const FakeRoot& root, const std::string& name, int type,
                          const std::string& cpus = "") {
  const std::string folder = kDevices + name;
  root.write(folder + "/type", std::to_string(type) + "\n");
  root.write(folder + "/format/event", "config:0-7\n");
  root.write(folder + "/format/umask", "config:8-15\n");
  root.write(folder + "/format/edge", "config:18\n");
  root.write(folder + "/format/offcore_rsp", "config1:0-63\n");
  root.write(folder + "/format/split", "config:0-3,32-35\n");
  root.write(folder + "/events/mem-loads", "event=0xcd,umask=0x1\n");
  root.write(folder + "/events/mem-loads.unit", "x\n");
  root.write(folder + "/events/slots", "event=0x00,umask=0x4\n");
  if (!cpus.empty()) root.write(folder + "/cpus", cpus);
}

}  // namespace nettoll
