// SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0-only)
/*
 * Packets, NAPI polls, softirq time and drops, at tracepoints that every kernel since 5.10 has. A packet meets two of
 * these hooks (one receive, one transmit), a batch three (NAPI poll, softirq entry and exit), a drop one.
 *
 * What a packet pays is the dispatch, two reads and an atomic add to its CPU's own cache line; no hash lookup.
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "shared.h"

#include "compat.bpf.h"
#include "drop_location.bpf.h"
#include "drop_protocol.bpf.h"
#include "drop_reason.bpf.h"

/* Count packets by receive queue: four reads and a hash lookup a packet more. */
const volatile bool count_queues = false;

/* One entry a possible CPU; set before the load. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct nt_net_cpu);
} nt_net SEC(".maps");

/* Drops of kinds that the mapped table does not hold (yet). The size is set before the load. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1);
	__type(key, struct nt_drop_key);
	__type(value, __u64);
} nt_drops SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, NT_MAX_DEVICES);
	__type(key, struct nt_device);
	__type(value, struct nt_napi);
} nt_napi SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, NT_MAX_QUEUES);
	__type(key, struct nt_queue_key);
	__type(value, __u64);
} nt_queues SEC(".maps");

/* Names of devices, which live in other namespaces too: only the kernel side can read those. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, NT_MAX_DEVICES);
	__type(key, struct nt_device);
	__type(value, char[NT_IFNAME]);
} nt_names SEC(".maps");

/*
 * Kinds of drops with a place in nt_net_cpu::drop_kind. The user side writes an empty place once, its `location` last,
 * and never again, so a reader sees it empty, not matching, or whole.
 */
struct nt_drop_key nt_kinds[NT_DROP_KINDS];

static __always_inline struct nt_net_cpu *this_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&nt_net, &cpu);
}

static __always_inline void add(__u64 *counter, __u64 n)
{
	__sync_fetch_and_add(counter, n);
}

/* First sight of a device: keep its name. */
static __always_inline void remember_name(struct net_device *dev, struct nt_device *id)
{
	char name[NT_IFNAME] = {};

	if (!id->ifindex)
		return;
	BPF_CORE_READ_STR_INTO(&name, dev, name);
	bpf_map_update_elem(&nt_names, id, name, BPF_ANY);
}

static __always_inline void count_queue(struct nt_net_cpu *cpu, struct sk_buff *skb, const enum nt_access access)
{
	struct net_device *dev = NT_READ(access, skb, dev);
	struct nt_queue_key key = {.device = nt_device_of(dev, access), .queue = NT_READ(access, skb, queue_mapping)};
	__u64 one = 1, *count = bpf_map_lookup_elem(&nt_queues, &key);

	if (!count) {
		remember_name(dev, &key.device);
		if (!bpf_map_update_elem(&nt_queues, &key, &one, BPF_NOEXIST))
			return;
		count = bpf_map_lookup_elem(&nt_queues, &key);
	}
	add(count ?: &cpu->queue_unkeyed, 1);
}

/* Once for each skb that enters the protocol stack, at the top of __netif_receive_skb_core (net/core/dev.c). */
static __always_inline int count_rx(struct sk_buff *skb, const enum nt_access access)
{
	struct nt_net_cpu *cpu = this_cpu();
	__u32 more;

	if (!cpu)
		return 0;
	add(&cpu->rx_packets, 1);
	more = nt_more_segments(skb, access);
	if (more)
		add(&cpu->rx_more_segments, more);
	if (count_queues)
		count_queue(cpu, skb, access);
	return 0;
}

/* Once for each skb that __dev_queue_xmit hands to a qdisc or device, after the egress hooks. */
static __always_inline int count_tx(struct sk_buff *skb, const enum nt_access access)
{
	struct nt_net_cpu *cpu = this_cpu();
	__u32 more;

	if (!cpu)
		return 0;
	add(&cpu->tx_packets, 1);
	more = nt_more_segments(skb, access);
	if (more)
		add(&cpu->tx_more_segments, more);
	return 0;
}

/* Once for each poll: the NAPI instance, the packets it processed and the most it was allowed. */
static __always_inline int count_poll(struct napi_struct *napi, int work, int budget, const enum nt_access access)
{
	bool exhausted = budget > 0 && work >= budget;
	struct net_device *dev = NT_READ(access, napi, dev);
	struct nt_net_cpu *cpu = this_cpu();
	struct nt_napi *count, first = {};
	struct nt_device id;

	if (!cpu)
		return 0;
	id = nt_device_of(dev, access);
	if (!id.ifindex) {
		count = &cpu->backlog;
	} else {
		count = bpf_map_lookup_elem(&nt_napi, &id);
		if (!count) {
			remember_name(dev, &id);
			bpf_map_update_elem(&nt_napi, &id, &first, BPF_NOEXIST);
			count = bpf_map_lookup_elem(&nt_napi, &id);
		}
	}
	if (!count) {
		add(&cpu->napi_unkeyed, 1);
		return 0;
	}
	add(&count->polls, 1);
	if (work > 0)
		add(&count->packets, work);
	if (exhausted)
		add(&count->exhausted, 1);
	return 0;
}

/* handle_softirqs (kernel/softirq.c) brackets each handler with these two; handlers of one CPU do not nest. */
SEC("raw_tp/softirq_entry")
int nt_softirq_in(struct bpf_raw_tracepoint_args *ctx)
{
	struct nt_net_cpu *cpu = this_cpu();

	if (cpu)
		cpu->softirq_entered = bpf_ktime_get_ns();
	return 0;
}

SEC("raw_tp/softirq_exit")
int nt_softirq_out(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 vector = ctx->args[0], entered, now;
	struct nt_net_cpu *cpu = this_cpu();

	if (!cpu || vector >= NT_SOFTIRQS)
		return 0;
	entered = cpu->softirq_entered;
	if (!entered) /* it was running when we came */
		return 0;
	cpu->softirq_entered = 0;
	now = bpf_ktime_get_ns();
	add(&cpu->softirq[vector].runs, 1);
	add(&cpu->softirq[vector].ns, now - entered);
	return 0;
}

static __always_inline void count_new_kind(struct nt_net_cpu *cpu, struct net_device *dev, struct nt_drop_key *key)
{
	__u64 one = 1, *count = bpf_map_lookup_elem(&nt_drops, key);

	if (!count) {
		remember_name(dev, &key->device);
		if (!bpf_map_update_elem(&nt_drops, key, &one, BPF_NOEXIST))
			return;
		/* Another CPU came first, the table is full, or an interrupt holds the bucket. */
		count = bpf_map_lookup_elem(&nt_drops, key);
	}
	add(count ?: &cpu->drops_unkeyed, 1);
}

/* Counts a drop whose kind has a place in the mapped table. */
static __always_inline bool count_known_kind(struct nt_net_cpu *cpu, const struct nt_drop_key *key)
{
	__u32 place = nt_drop_place(key) & (NT_DROP_KINDS - 1);
	struct nt_drop_key *kind = &nt_kinds[place];

	if (kind->location != key->location || kind->reason != key->reason || kind->protocol != key->protocol ||
	    kind->device.netns != key->device.netns || kind->device.ifindex != key->device.ifindex)
		return false;
	add(&cpu->drop_kind[place], 1);
	return true;
}

/* Once for each skb that is freed as a drop, with its last reference (net/core/skbuff.c). */
static __always_inline int count_drop(__u64 *ctx, const enum nt_access access)
{
	struct sk_buff *skb = (void *)ctx[0];
	struct net_device *dev = NT_READ(access, skb, dev);
	struct nt_drop_key key = {
		.location = ctx[1],
		.reason = drop_reason(ctx),
		.protocol = NT_READ(access, skb, protocol),
		.device = drop_device(ctx, skb, dev, access),
	};
	struct nt_net_cpu *cpu = this_cpu();
	__u32 helper;

	if (!cpu)
		return 0;
	/* A kind inside a free helper never gets a place, so drops that have one are not looked at again. */
	if (count_known_kind(cpu, &key))
		return 0;
	helper = nt_helper_of(key.location);
	if (helper) {
		nt_look_through(ctx, &key, helper);
		if (count_known_kind(cpu, &key))
			return 0;
	}
	count_new_kind(cpu, dev, &key);
	return 0;
}

/*
 * The programs at skbs and NAPI instances, one for each way to read them; the user side loads the first set that this
 * kernel takes: cast, typed, then the plain ones.
 */
SEC("raw_tp/netif_receive_skb")
int nt_rx(__u64 *ctx)
{
	return count_rx((void *)ctx[0], NT_PROBE);
}

SEC("tp_btf/netif_receive_skb")
int nt_rx_typed(__u64 *ctx)
{
	return count_rx((void *)ctx[0], NT_TYPED);
}

SEC("tp_btf/netif_receive_skb")
int nt_rx_cast(__u64 *ctx)
{
	return count_rx((void *)ctx[0], NT_CAST);
}

SEC("raw_tp/net_dev_queue")
int nt_tx(__u64 *ctx)
{
	return count_tx((void *)ctx[0], NT_PROBE);
}

SEC("tp_btf/net_dev_queue")
int nt_tx_typed(__u64 *ctx)
{
	return count_tx((void *)ctx[0], NT_TYPED);
}

SEC("tp_btf/net_dev_queue")
int nt_tx_cast(__u64 *ctx)
{
	return count_tx((void *)ctx[0], NT_CAST);
}

SEC("raw_tp/napi_poll")
int nt_napi_poll(__u64 *ctx)
{
	return count_poll((void *)ctx[0], ctx[1], ctx[2], NT_PROBE);
}

SEC("tp_btf/napi_poll")
int nt_napi_typed(__u64 *ctx)
{
	return count_poll((void *)ctx[0], ctx[1], ctx[2], NT_TYPED);
}

SEC("raw_tp/kfree_skb")
int nt_drop(__u64 *ctx)
{
	return count_drop(ctx, NT_PROBE);
}

SEC("tp_btf/kfree_skb")
int nt_drop_typed(__u64 *ctx)
{
	return count_drop(ctx, NT_TYPED);
}

/* In the place of both where one protocol is asked for, so that they pay nothing for the question. */
SEC("raw_tp/kfree_skb")
int nt_drop_chosen(__u64 *ctx)
{
	struct nt_headers at = {};

	nt_find_headers((void *)ctx[0], &at);
	return nt_protocol_matches(&at) ? count_drop(ctx, NT_PROBE) : 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
