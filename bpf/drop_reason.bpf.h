/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0-only) */
/* What skb:kfree_skb tells of a drop beside the packet. */
#ifndef NETTOLL_DROP_REASON_BPF_H
#define NETTOLL_DROP_REASON_BPF_H

#include "vmlinux.h"

#include "compat.bpf.h"

/* Which argument of skb:kfree_skb is the drop reason, counted from 0 (the skb); 0 on kernels without (before 5.17). */
const volatile __u32 reason_arg = 0;
/* Which is the socket that was to receive the packet; 0 on kernels without (before 6.11). */
const volatile __u32 socket_arg = 0;

/*
 * One argument of the tracepoint. In C the compiler would turn the choice below into arithmetic on the context's
 * address, which the verifier refuses.
 */
#define ARGUMENT(ctx, n)                                                                                       \
	({                                                                                                     \
		__u64 value;                                                                                   \
		asm volatile("%0 = *(u64 *)(%1 + %2)" : "=r"(value) : "r"(ctx), "i"(8 * (n)));                       \
		value;                                                                                         \
	})

static __always_inline __u32 drop_reason(__u64 *ctx)
{
	/* A branch that reason_arg rules out is never verified, so older kernels do not see the read. */
	if (reason_arg == 2)
		return ARGUMENT(ctx, 2);
	if (reason_arg == 3)
		return ARGUMENT(ctx, 3);
	if (reason_arg == 4)
		return ARGUMENT(ctx, 4);
	return 0;
}

static __always_inline struct sock *drop_socket(__u64 *ctx)
{
	if (socket_arg == 3)
		return (void *)ARGUMENT(ctx, 3);
	if (socket_arg == 4)
		return (void *)ARGUMENT(ctx, 4);
	return NULL;
}

/*
 * The device of a dropped packet. TCP takes packets off their device: then the socket that was to receive it, or that
 * sent it, tells the namespace.
 */
static __always_inline struct nt_device drop_device(__u64 *ctx, struct sk_buff *skb, struct net_device *dev,
						    const enum nt_access access)
{
	struct nt_device id = nt_device_of(dev, access);

	if (!id.netns)
		id.netns = nt_netns_of_socket(drop_socket(ctx));
	if (!id.netns)
		id.netns = nt_netns_of_socket(BPF_CORE_READ(skb, sk));
	return id;
}

#endif
