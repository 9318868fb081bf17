// SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0-only)
/*
 * The template that counts calls of a function. The user side loads it once, takes its instructions after relocation,
 * writes the byte offset of a function's slot over NT_SLOT_MARK, and loads that as a program of its own for each
 * function: fentry, kprobe or raw tracepoint, since it does not look at its context. So a call costs one helper-free
 * map lookup and one atomic add, and no lookup of a cookie.
 *
 * Only kprobe.multi has one program for all functions, since one link attaches it to all of them at once; there the
 * cookie is the slot.
 */
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

#include "shared.h"

/* [CPU][slot]; both sizes are set before the load. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, NT_MIN_SLOTS * sizeof(__u64));
} nt_calls SEC(".maps");

SEC("raw_tp")
int nt_count(void *ctx)
{
	__u32 cpu = bpf_get_smp_processor_id();
	void *slots = bpf_map_lookup_elem(&nt_calls, &cpu);
	__u64 offset;

	if (!slots)
		return 0;
	asm volatile("%[offset] = %[mark]" : [offset] "=r"(offset) : [mark] "i"(NT_SLOT_MARK));
	__sync_fetch_and_add((__u64 *)(slots + offset), 1);
	return 0;
}

/* The last slot of nt_calls; set before the load. */
const volatile __u64 last_slot = NT_MIN_SLOTS - 1;

SEC("kprobe.multi")
int nt_count_multi(void *ctx)
{
	__u32 cpu = bpf_get_smp_processor_id();
	__u64 *slots = bpf_map_lookup_elem(&nt_calls, &cpu);
	__u64 slot = bpf_get_attach_cookie(ctx);

	if (slots && slot <= last_slot)
		__sync_fetch_and_add(slots + slot, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
