// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Uses every type of types.txt. That it compiles shows that the header serves libbpf's own headers; that it loads shows
// that a kernel knows the fields, since the loader refuses a program with a field it cannot relocate.
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, __u64);
} seen SEC(".maps");

static __always_inline void note(__u64 value)
{
	__u32 key = (__u32)value;

	bpf_map_update_elem(&seen, &key, &value, BPF_ANY);
}

// The arguments of a raw tracepoint are plain numbers: any kernel's will do to relocate against.
SEC("raw_tp/kfree_skb")
int check_packet(struct bpf_raw_tracepoint_args *ctx)
{
	struct sk_buff *skb = (struct sk_buff *)ctx->args[0];
	struct skb_shared_info *shared = (void *)(BPF_CORE_READ(skb, head) + BPF_CORE_READ(skb, end));

	note(BPF_CORE_READ(skb, len) + BPF_CORE_READ(skb, data_len));
	note(bpf_ntohs(BPF_CORE_READ(skb, protocol)));
	note(BPF_CORE_READ(skb, queue_mapping));
	note(BPF_CORE_READ(skb, _skb_refdst));
	note(BPF_CORE_READ(skb, dev, ifindex));
	note(BPF_CORE_READ(skb, dev, nd_net.net, ns.inum));
	note(BPF_CORE_READ(skb, sk, __sk_common.skc_net.net, ns.inum));
	note(BPF_CORE_READ(skb, sk, __sk_common.skc_family));
	note(BPF_CORE_READ(skb, mac_header) + BPF_CORE_READ(skb, network_header) + (__u64)BPF_CORE_READ(skb, data));
	note(BPF_CORE_READ(shared, gso_segs) * BPF_CORE_READ(shared, gso_size));
	return 0;
}

SEC("raw_tp/napi_poll")
int check_napi(struct bpf_raw_tracepoint_args *ctx)
{
	struct napi_struct *napi = (struct napi_struct *)ctx->args[0];
	char name[sizeof(napi->dev->name)] = {};

	BPF_CORE_READ_STR_INTO(&name, napi, dev, name);
	note(name[0]);
	note(BPF_CORE_READ(napi, napi_id) + BPF_CORE_READ(napi, weight));
	return 0;
}

SEC("raw_tp/qdisc_dequeue")
int BPF_PROG(check_qdisc, struct Qdisc *qdisc)
{
	note(BPF_CORE_READ(qdisc, dev_queue, dev, ifindex));
	return 0;
}

SEC("raw_tp/softirq_entry")
int BPF_PROG(check_softirq, unsigned int vector)
{
	if (vector == NET_RX_SOFTIRQ || vector == NET_TX_SOFTIRQ)
		note(vector);
	if (bpf_core_enum_value_exists(enum skb_drop_reason, SKB_CONSUMED))
		note(bpf_core_enum_value(enum skb_drop_reason, SKB_CONSUMED));
	return 0;
}

SEC("kprobe/check")
int check_registers(struct pt_regs *ctx)
{
	note(PT_REGS_PARM1(ctx) + PT_REGS_RC(ctx) + PT_REGS_IP(ctx));
	return 0;
}

SEC("perf_event")
int check_sample(struct bpf_perf_event_data *ctx)
{
	struct bpf_perf_event_value value = {};

	if (bpf_perf_prog_read_value(ctx, &value, sizeof(value)))
		return 0;
	note(ctx->sample_period + value.counter + value.enabled + value.running);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
