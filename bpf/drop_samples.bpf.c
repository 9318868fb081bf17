// SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0-only)
/*
 * Examples of dropped packets, at skb:kfree_skb. Each drop that the filter lets through is counted, with what
 * became of it; up to so many a second are copied into a ring, with their stack and the start of their
 * headers.
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "shared.h"

#include "compat.bpf.h"
#include "drop_protocol.bpf.h"
#include "drop_reason.bpf.h"

#define SECOND 1000000000ULL

/* Set before the load. */
const volatile struct nt_drop_filter nt_filter = {};
const volatile __s64 nt_samples_per_second = 0;

/* One entry a possible CPU; set before the load. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct nt_sample_cpu);
} nt_sampled SEC(".maps");

/* The size is set before the load. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 256 * 1024);
} nt_ring SEC(".maps");

/*
 * Samples left in this second, for all CPUs. Two CPUs that come at once may take one too many: what each drop
 * became is counted by the drop itself, so the counts are right all the same.
 */
struct {
	__u64 window_end;
	__s64 left;
} nt_budget;

static __always_inline void add(__u64 *counter)
{
	__sync_fetch_and_add(counter, 1);
}

static __always_inline bool reason_matches(__u32 reason)
{
	if (!nt_filter.reason_count)
		return true;
	for (__u32 i = 0; i < NT_FILTER_REASONS && i < nt_filter.reason_count; i++) {
		if (nt_filter.reasons[i] == reason)
			return true;
	}
	return false;
}

static __always_inline bool within_rate(__u64 now)
{
	if (now >= nt_budget.window_end) {
		nt_budget.left = nt_samples_per_second;
		nt_budget.window_end = now + SECOND;
	}
	if (nt_budget.left <= 0)
		return false;
	__sync_fetch_and_add(&nt_budget.left, -1);
	return true;
}

static __always_inline void read_gso(struct sk_buff *skb, struct nt_drop_sample *sample)
{
	struct skb_shared_info *info = nt_probe_skb_end(skb);

	sample->gso_size = 0;
	sample->gso_segs = 0;
	bpf_core_read(&sample->gso_size, sizeof(sample->gso_size), &info->gso_size);
	bpf_core_read(&sample->gso_segs, sizeof(sample->gso_segs), &info->gso_segs);
}

/*
 * Copies from the link's header on, else from the network's. Behind the packet there is skb_shared_info, so
 * the copy never leaves the buffer; what lies behind the packet's bytes is not counted, and what is no header is cut
 * off by the user side.
 */
static __always_inline void copy_bytes(const struct nt_headers *at, struct nt_drop_sample *sample)
{
	bool mac = at->mac != NO_HEADER && at->protocol && at->mac <= at->network;
	__u32 start = mac ? at->mac : at->network;

	sample->bytes_size = 0;
	sample->network_from = at->network - start;
	sample->data_from = at->data - start;
	sample->bytes_begin = mac ? NT_BYTES_MAC : at->protocol ? NT_BYTES_NETWORK : NT_BYTES_NONE;
	if (sample->bytes_begin == NT_BYTES_NONE)
		return;
	if (at->end > start && !bpf_probe_read_kernel(sample->bytes, sizeof(sample->bytes), at->head + start))
		sample->bytes_size = at->end - start < sizeof(sample->bytes) ? at->end - start : sizeof(sample->bytes);
}

static __always_inline void fill(__u64 *ctx, struct sk_buff *skb, const struct nt_headers *at,
				 struct nt_drop_sample *sample)
{
	struct net_device *dev = BPF_CORE_READ(skb, dev);

	sample->location = ctx[1];
	sample->reason = drop_reason(ctx);
	sample->cpu = bpf_get_smp_processor_id();
	sample->device = drop_device(ctx, skb, dev, NT_PROBE);
	__builtin_memset(sample->device_name, 0, sizeof(sample->device_name));
	if (sample->device.ifindex)
		bpf_probe_read_kernel_str(sample->device_name, sizeof(sample->device_name),
					  (void *)dev + bpf_core_field_offset(dev->name));
	sample->length = BPF_CORE_READ(skb, len);
	sample->protocol = BPF_CORE_READ(skb, protocol);
	sample->pid = bpf_get_current_pid_tgid() >> 32;
	bpf_get_current_comm(sample->comm, sizeof(sample->comm));
	sample->stack_size = bpf_get_stack(ctx, sample->stack, sizeof(sample->stack), 0);
	sample->network_protocol = at->protocol;
	sample->pad = 0;
	read_gso(skb, sample);
	copy_bytes(at, sample);
}

SEC("raw_tp/kfree_skb")
int nt_sample_drop(__u64 *ctx)
{
	struct sk_buff *skb = (void *)ctx[0];
	__u32 id = bpf_get_smp_processor_id();
	struct nt_sample_cpu *cpu = bpf_map_lookup_elem(&nt_sampled, &id);
	struct nt_drop_sample *sample;
	struct nt_headers at = {};
	__u64 now;

	if (!cpu || !reason_matches(drop_reason(ctx)))
		return 0;
	if (nt_filter.netns || nt_filter.ifindex) {
		struct nt_device device = drop_device(ctx, skb, BPF_CORE_READ(skb, dev), NT_PROBE);

		if ((nt_filter.netns && device.netns != nt_filter.netns) ||
		    (nt_filter.ifindex && device.ifindex != nt_filter.ifindex))
			return 0;
	}
	nt_find_headers(skb, &at);
	if (!nt_protocol_matches(&at))
		return 0;
	add(&cpu->matched);
	now = bpf_ktime_get_ns();
	if (!within_rate(now)) {
		add(&cpu->limited);
		return 0;
	}
	sample = bpf_ringbuf_reserve(&nt_ring, sizeof(*sample), 0);
	if (!sample) {
		add(&cpu->ring_full);
		return 0;
	}
	sample->time = now;
	fill(ctx, skb, &at, sample);
	bpf_ringbuf_submit(sample, 0);
	add(&cpu->emitted);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
