/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0-only) */
/* Reads of kernel structs that changed between kernels; each names the change. */
#ifndef NETTOLL_COMPAT_BPF_H
#define NETTOLL_COMPAT_BPF_H

#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/* Lowest inode number of a network namespace: NET_NS_INIT_INO since 6.18, PROC_DYNAMIC_FIRST (0xf0000000) before. */
#define NT_MIN_NETNS_INUM 0xeffffff0U

/*
 * Wire segments of a packet: gso_segs of skb_shared_info, which sits at the end of the linear buffer; 0 and 1 both
 * mean one. `end` (an offset on 64-bit kernels) and `head` have been neighbours since 2.6; one read fetches both
 * where they still are.
 */
static __always_inline __u32 nt_more_segments(struct sk_buff *skb)
{
	struct {
		__u32 end;
		__u64 head;
	} __attribute__((packed)) where;
	unsigned short segs = 0;

	if (bpf_core_field_offset(skb->head) - bpf_core_field_offset(skb->end) == sizeof(where.end)) {
		if (bpf_probe_read_kernel(&where, sizeof(where), (void *)skb + bpf_core_field_offset(skb->end)))
			return 0;
	} else {
		where.end = BPF_CORE_READ(skb, end);
		where.head = (__u64)BPF_CORE_READ(skb, head);
	}
	bpf_probe_read_kernel(&segs, sizeof(segs),
			      (void *)where.head + where.end + bpf_core_field_offset(struct skb_shared_info, gso_segs));
	return segs > 1 ? segs - 1 : 0;
}

/*
 * The device as (namespace, index), or zeros. skb->dev shares its place with other fields (dev_scratch of UDP receive
 * queues, the rbnode of TCP queues), so what is found there is believed only if it leads to a plausible namespace.
 */
static __always_inline struct nt_device nt_device_of(struct net_device *dev)
{
	struct nt_device id = {};
	struct net *net = NULL;

	if ((long)dev >= 0) /* no kernel address */
		return id;
	if (bpf_core_read(&net, sizeof(net), &dev->nd_net.net) || (long)net >= 0)
		return id;
	id.netns = BPF_CORE_READ(net, ns.inum);
	id.ifindex = BPF_CORE_READ(dev, ifindex);
	if (id.netns < NT_MIN_NETNS_INUM || (int)id.ifindex <= 0) {
		id.netns = 0;
		id.ifindex = 0;
	}
	return id;
}

#endif
