// SPDX-License-Identifier: Apache-2.0
#include "report/counted_functions_view.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

CountedFunction function(const char* name, const char* module, Method method, CountState state,
                         const char* tracepoint, const char* condition) {
  CountedFunction f;
  f.name = name;
  f.module = module;
  f.method = method;
  f.state = state;
  f.tracepoint = tracepoint;
  f.condition = condition;
  return f;
}

TEST(CountedFunctionsView, SharesNotesAndStaysInLine) {
  const char* kRefused = "neither works here";
  EXPECT_EQ(counted_functions_view(
                {function("ip_rcv", kVmlinux, Method::samples, CountState::sampled, "", kRefused),
                 function("veth_xmit", "veth", Method::fentry, CountState::counted, "", ""),
                 function("__netif_receive_skb_core", kVmlinux, Method::tracepoint, CountState::proxied,
                          "netif_receive_skb_list_entry", "once a list"),
                 function("ip_output", kVmlinux, Method::samples, CountState::sampled, "", kRefused)},
                "wide", 3.5),
            R"(function                  state    counted by                    note
ip_rcv                    sampled  -                             [1]
veth_xmit [veth]          counted  fentry
__netif_receive_skb_core  proxied  netif_receive_skb_list_entry  [2]
ip_output                 sampled  -                             [1]
[1] neither works here
[2] once a list

set wide: 1 counted, 1 proxied, 2 sampled; at most 3.5 hooks a packet
)");
}

}  // namespace
}  // namespace nettoll
