/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0-only) */
/*
 * Who dropped a packet. The location that skb:kfree_skb gives may lie inside a function whose only work is to free
 * (kfree_skb_list_reason, skb_queue_purge_reason ...); then the caller of that is looked for on the stack.
 */
#ifndef NETTOLL_DROP_LOCATION_BPF_H
#define NETTOLL_DROP_LOCATION_BPF_H

#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

#include "shared.h"

/* Set before the load. The hull is what the helpers lie in, so that most locations are told apart by one comparison. */
const volatile __u32 nt_helper_count = 0;
const volatile struct nt_code nt_helper_hull = {};
const volatile struct nt_code nt_helpers[NT_FREE_HELPERS] = {};
const volatile __u32 nt_transmit_count = 0;
const volatile struct nt_code nt_transmit[NT_TRANSMIT_FUNCTIONS] = {};

static __always_inline bool nt_lies_in(__u64 address, const volatile struct nt_code *code)
{
	return address - code->begin < code->size;
}

/*
 * 1 + the place of the helper that a return address lies in; 0 for none. A global function, like the next: the verifier
 * looks at it once, not with each state of each frame.
 */
__noinline __u32 nt_helper_of(__u64 address)
{
	if (!nt_lies_in(address, &nt_helper_hull))
		return 0;
	for (__u32 i = 0; i < NT_FREE_HELPERS && i < nt_helper_count; i++) {
		if (nt_lies_in(address, &nt_helpers[i]))
			return i + 1;
	}
	return 0;
}

__noinline __u32 nt_transmits(__u64 address)
{
	for (__u32 i = 0; i < NT_TRANSMIT_FUNCTIONS && i < nt_transmit_count; i++) {
		if (nt_lies_in(address, &nt_transmit[i]))
			return 1;
	}
	return 0;
}

/*
 * Gives the key of a drop inside `helper` the first return address outside all helpers. The location is itself on the
 * stack, so what is above it (our program, the tracepoint) needs no name. Where it is not found the key stays.
 */
static __always_inline void nt_look_through(void *ctx, struct nt_drop_key *key, __u32 helper)
{
	__u64 stack[NT_DROP_FRAMES], location = key->location;
	long bytes = bpf_get_stack(ctx, stack, sizeof(stack), 0);
	__u32 i;

	for (i = 0; i < NT_DROP_FRAMES && i * 8 < bytes; i++) {
		if (stack[i] == location)
			break;
	}
	for (i++; i < NT_DROP_FRAMES && i * 8 < bytes; i++) {
		if (!nt_helper_of(stack[i]))
			break;
	}
	if (i >= NT_DROP_FRAMES || i * 8 >= bytes)
		return;
	key->location = stack[i];
	key->protocol |= helper << NT_DROP_HELPER_SHIFT;
	for (; i < NT_DROP_FRAMES && i * 8 < bytes; i++) {
		if (nt_transmits(stack[i])) {
			key->protocol |= NT_DROP_TRANSMITTING;
			return;
		}
	}
}

#endif
