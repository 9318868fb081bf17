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
 * How a program reads kernel structs. NT_PROBE: by helper, in raw tracepoints, everywhere. NT_TYPED: the context's
 * arguments have BTF types (tp_btf), so a field is one load. NT_CAST: the same, and memory behind an untyped pointer
 * can be given a type (bpf_rdonly_cast, 6.2). A constant in every call, so that each program has one way.
 */
enum nt_access { NT_PROBE, NT_TYPED, NT_CAST };

#define NT_READ(access, from, field) ((access) == NT_PROBE ? BPF_CORE_READ(from, field) : (from)->field)

extern void *bpf_rdonly_cast(const void *pointer, __u32 btf_id) __ksym __weak;

/* skb_end_pointer() by helper: `end` (an offset on 64-bit kernels) and `head` have been neighbours since 2.6; one read
 * fetches both where they still are. */
static __always_inline void *nt_probe_skb_end(struct sk_buff *skb)
{
	struct {
		__u32 end;
		__u64 head;
	} __attribute__((packed)) where;

	if (bpf_core_field_offset(skb->head) - bpf_core_field_offset(skb->end) == sizeof(where.end)) {
		if (bpf_probe_read_kernel(&where, sizeof(where), (void *)skb + bpf_core_field_offset(skb->end)))
			return NULL;
	} else {
		where.end = BPF_CORE_READ(skb, end);
		where.head = (__u64)BPF_CORE_READ(skb, head);
	}
	return (void *)where.head + where.end;
}

/*
 * Wire segments of a packet beyond the first: gso_segs of skb_shared_info, which sits at the end of the linear buffer;
 * 0 and 1 both mean one.
 */
static __always_inline __u32 nt_more_segments(struct sk_buff *skb, const enum nt_access access)
{
	struct skb_shared_info *info;
	unsigned short segs = 0;

	info = access == NT_PROBE ? nt_probe_skb_end(skb) : (void *)skb->head + skb->end;
	if (access == NT_CAST) {
		info = bpf_rdonly_cast(info, bpf_core_type_id_kernel(struct skb_shared_info));
		segs = info->gso_segs;
	} else {
		bpf_core_read(&segs, sizeof(segs), &info->gso_segs);
	}
	return segs > 1 ? segs - 1 : 0;
}

/* The namespace of a socket, or 0. What is found in the place of a socket is believed only if it leads to one. */
static __always_inline __u32 nt_netns_of_socket(struct sock *sk)
{
	struct net *net = NULL;
	__u32 inum = 0;

	/* In typed programs an argument may be null by its type, so this has to be a comparison of its own. */
	if (!sk)
		return 0;
	asm volatile("" : "+r"(sk));
	if ((long)sk >= 0) /* no kernel address */
		return 0;
	if (bpf_core_read(&net, sizeof(net), &sk->__sk_common.skc_net.net) || (long)net >= 0)
		return 0;
	bpf_core_read(&inum, sizeof(inum), &net->ns.inum);
	return inum < NT_MIN_NETNS_INUM ? 0 : inum;
}

/*
 * The device as (namespace, index), or zeros. skb->dev shares its place with other fields (dev_scratch of UDP receive
 * queues, the rbnode of TCP queues), so what is found there is believed only if it leads to a plausible namespace.
 */
static __always_inline struct nt_device nt_device_of(struct net_device *dev, const enum nt_access access)
{
	struct nt_device id = {};
	struct net *net = NULL;

	if (access == NT_PROBE) {
		if ((long)dev >= 0) /* no kernel address */
			return id;
		if (bpf_core_read(&net, sizeof(net), &dev->nd_net.net) || (long)net >= 0)
			return id;
	} else {
		/* Such loads give 0 where there is nothing to be read. */
		if (!dev)
			return id;
		net = dev->nd_net.net;
	}
	id.netns = NT_READ(access, net, ns.inum);
	id.ifindex = NT_READ(access, dev, ifindex);
	if (id.netns < NT_MIN_NETNS_INUM || (int)id.ifindex <= 0) {
		id.netns = 0;
		id.ifindex = 0;
	}
	return id;
}

#endif
