// SPDX-License-Identifier: Apache-2.0
#include "host/nic_vectors.h"

#include <map>
#include <optional>
#include <set>
#include <string>

#include "host/irq_affinity.h"
#include "host/text.h"
#include "host/vector_name.h"

namespace nettoll {
namespace {

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// Numbers in the folder msi_irqs; nothing where there is none.
std::optional<std::set<uint32_t>> msi_irqs(const KernelFs& fs, const std::string& device) {
  auto names = fs.list(device + "/msi_irqs");
  if (!names) {
    // Above another device there may be a bridge with interrupts of its own.
    const auto bus = fs.read_link(device + "/subsystem");
    if (!bus || last_part(*bus) != "virtio") return std::nullopt;
    names = fs.list(device + "/../msi_irqs");
    if (!names) return std::nullopt;
  }
  std::set<uint32_t> irqs;
  for (const std::string& name : *names) {
    if (const auto irq = number_of<uint32_t>(name)) irqs.insert(*irq);
  }
  return irqs;
}

std::set<uint32_t> irqs_by_name(const InterruptTable& interrupts, const std::string& nic,
                                const std::string& device) {
  std::set<uint32_t> irqs;
  for (const auto& [irq, row] : interrupts.rows) {
    if (names_device(row.name, nic) || names_device(row.name, device)) irqs.insert(irq);
  }
  return irqs;
}

/// Names outlive a device's renaming, so they tell ports of one function apart and nothing else.
bool is_of_another_port(const std::string& name, const Nic& nic, const std::vector<const Nic*>& ports) {
  if (names_device(name, nic.name)) return false;
  for (const Nic* port : ports) {
    if (port->ifindex != nic.ifindex && names_device(name, port->name)) return true;
  }
  return false;
}

std::string device_of(const Nic& nic) {
  return "/sys/class/net/" + nic.name + "/device";
}

/// The name of the device below: "0000:3b:00.0", "virtio2". Empty where it cannot be told.
std::string below(const KernelFs& fs, const Nic& nic) {
  const auto link = fs.read_link(device_of(nic));
  return link ? last_part(*link) : "";
}

}  // namespace

void add_vectors(const KernelFs& fs, const InterruptTable& interrupts, std::vector<Nic>& nics) {
  std::map<std::string, std::vector<const Nic*>> ports;
  for (const Nic& nic : nics) {
    if (nic.physical) ports[below(fs, nic)].push_back(&nic);
  }
  for (Nic& nic : nics) {
    if (!nic.physical) continue;
    const std::string device = below(fs, nic);
    const auto msi = msi_irqs(fs, device_of(nic));
    for (const uint32_t irq : msi ? *msi : irqs_by_name(interrupts, nic.name, device)) {
      const auto row = interrupts.rows.find(irq);
      if (row == interrupts.rows.end() || row->second.name.empty()) continue;
      if (!device.empty() && is_of_another_port(row->second.name, nic, ports[device])) continue;
      Vector vector;
      vector.irq = irq;
      vector.name = row->second.name;
      const VectorMeaning meaning = meaning_of_vector(vector.name, nic.name);
      vector.role = meaning.role;
      vector.queue = meaning.queue;
      IrqAffinity affinity = read_irq_affinity(fs, irq);
      vector.affinity = std::move(affinity.allowed);
      vector.effective_affinity = std::move(affinity.effective);
      vector.by_cpu = row->second.by_cpu;
      nic.vectors.push_back(std::move(vector));
    }
  }
}

}  // namespace nettoll
