// SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0)
// Programs that do nothing, on the hooks of nettoll's core set: what they add to a packet is the price of
// being called at all, the floor under any tracer that uses these hooks.
#define SEC(name) __attribute__((section(name), used))

#define EMPTY(tracepoint)                 \
  SEC("raw_tp/" #tracepoint)              \
  int empty_##tracepoint(void* context) { \
    return 0;                             \
  }

EMPTY(netif_receive_skb)
EMPTY(net_dev_queue)
EMPTY(napi_poll)
EMPTY(softirq_entry)
EMPTY(softirq_exit)
EMPTY(kfree_skb)

char terms[] SEC("license") = "Dual BSD/GPL";
