// SPDX-License-Identifier: Apache-2.0
// Profiles for tests, written by name instead of by number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace nettoll {

/// Grows a Profile; symbols are made where they are first named.
class ProfileBuilder {
 public:
  ProfileBuilder(std::vector<std::string> events, uint32_t cpus) {
    for (auto& name : events) {
      Event event;
      event.name = std::move(name);
      if (event.name == "cpu-clock") {
        event.unit = EventUnit::nanoseconds;
        event.timer = true;
        event.kernel_only = false;
      }
      profile.session.events.push_back(std::move(event));
    }
    profile.session.cpu_limit = cpus;
    profile.session.cpus_online = cpus;
    profile.duration_ns = 1'000'000'000;
  }

  uint32_t symbol(const std::string& name, const std::string& module = kVmlinux,
                  SymbolKind kind = SymbolKind::kernel) {
    if (name == kOwnCostName) return symbol_of({name, "", SymbolKind::own});
    if (name == kUserName) return symbol_of({name, "", SymbolKind::user});
    if (name == kUnknownName) return symbol_of({name, "", SymbolKind::unknown});
    return symbol_of({name, module, kind});
  }

  /// Samples of a stack given as names, innermost first.
  ProfileBuilder& sample(uint32_t event, uint32_t cpu, const std::vector<std::string>& stack,
                         uint32_t samples, uint64_t period) {
    std::vector<uint32_t> frames;
    frames.reserve(stack.size());
    for (const auto& name : stack) frames.push_back(symbol(name));
    const uint32_t number = profile.stacks.add(frames);
    profile.samples.push_back({event, cpu, number, samples, period});
    return *this;
  }

  /// An exact count; it had its hardware counter all the time where nothing else is said.
  ProfileBuilder& count(uint32_t event, uint32_t cpu, uint64_t value, uint64_t enabled = 1000,
                        uint64_t running = 1000, std::optional<double> error = std::nullopt) {
    profile.counts.push_back({event, cpu, value, enabled, running, error});
    return *this;
  }

  /// A hooked function with `calls` calls, all on CPU 0.
  CountedFunction& counted(const std::string& name, uint64_t calls, Method method = Method::fentry) {
    CountedFunction function;
    function.name = name;
    function.module = kVmlinux;
    function.method = method;
    function.state = method == Method::tracepoint ? CountState::proxied : CountState::counted;
    function.denominator = true;
    profile.calls.push_back({static_cast<uint32_t>(profile.session.functions.size()), {calls}, 0});
    profile.session.functions.push_back(std::move(function));
    return profile.session.functions.back();
  }

  Profile profile;

 private:
  uint32_t symbol_of(Symbol wanted) {
    const auto it = std::find(profile.symbols.begin(), profile.symbols.end(), wanted);
    if (it != profile.symbols.end()) return static_cast<uint32_t>(it - profile.symbols.begin());
    profile.symbols.push_back(std::move(wanted));
    return static_cast<uint32_t>(profile.symbols.size() - 1);
  }
};

}  // namespace nettoll
