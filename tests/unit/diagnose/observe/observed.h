// SPDX-License-Identifier: Apache-2.0
// What tests ask of observations.
#pragma once

#include <gtest/gtest.h>

#include "correlate/stack_costs.h"
#include "diagnose/observe/observe.h"
#include "fakes/profile_builder.h"
#include "unit/diagnose/diagnosed.h"

namespace nettoll {

inline Diagnosis observe(const Profile& profile) {
  return observe(profile, stack_costs(profile));
}

/// Stacks of names, innermost first, with the number of their samples; all of equal weight.
struct Sampled {
  std::vector<std::string> stack;
  uint32_t samples = 0;
};

inline Profile profile_of(const std::vector<Sampled>& all, const std::string& event = "cycles") {
  ProfileBuilder builder({event}, 1);
  for (const Sampled& one : all) builder.sample(0, 0, one.stack, one.samples, uint64_t{one.samples} * 1000);
  return builder.profile;
}

/// What receives and sends, in no work that is observed: chains as kernels have them.
inline const std::vector<std::string> kReceive = {"ip_rcv",          "__netif_receive_skb_one_core",
                                                  "process_backlog", "net_rx_action",
                                                  "handle_softirqs", "do_softirq"};
inline const std::vector<std::string> kSend = {"ip_finish_output2", "ip_output",    "udp_send_skb",
                                               "udp_sendmsg",       "__sys_sendto", "do_syscall_64"};
/// Kernel work that is no network's.
inline const std::vector<std::string> kElse = {"lookup_fast", "walk_component", "path_openat",
                                               "do_syscall_64"};

/// `inner` called from the frames of `outer`.
inline std::vector<std::string> on(std::vector<std::string> inner, const std::vector<std::string>& outer) {
  inner.insert(inner.end(), outer.begin(), outer.end());
  return inner;
}

}  // namespace nettoll
