// SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0-only)
/*
 * Exact mode: what one call costs, by reading the clock and the counters at a function's entry and at its exit.
 *
 * Two pairs of templates: for fentry and fexit, and for the tracepoints around a softirq handler. As with the counting
 * template the user side takes their instructions after relocation, writes a function's slot over the mark, and loads
 * that as a program of its own.
 *
 * Which exit belongs to which entry: fentry and fexit programs of a function run from one trampoline, whose stack frame
 * holds their context. So the address of the context is that of the frame: it is the same at both ends of one call, and
 * no two open calls share it, whatever nests, interrupts or moves to another CPU. An exit whose program the kernel
 * skipped leaves an entry behind; the next call with that frame replaces it, or removes it where it is not measured.
 *
 * The readings are taken as close to the function as can be: last thing at the entry, first thing at the exit, the time
 * innermost. What the pair itself costs in between is measured beforehand (nt_own_*). Where measured functions run
 * inside one another the outer one sees the whole of the inner one's programs: each CPU counts the calls that its
 * probes saw, so that the outer exit knows how many came in between, and takes off what they cost (nt_inside_*).
 */
#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "shared.h"

/* Events in use, and the size of arrays indexed by CPU. */
const volatile __u32 nt_events = 0;
const volatile __u32 nt_cpu_limit = 1;
/* Where most calls are not measured, exits find out before they read anything. */
const volatile bool nt_look_first = false;

/* An address that stays. */
__u64 nt_anchor = 1;
/* What a call of another measured function in between adds, if that is measured and if it is not. */
__u64 nt_inside_measured[NT_EXACT_MEASURES];
__u64 nt_inside_passed[NT_EXACT_MEASURES];
/* The own cost of each pair by measure; 0 until it is known. */
__u64 nt_own_function[NT_EXACT_MEASURES];
__u64 nt_own_softirq[NT_EXACT_MEASURES];

/* Number of times that a task was switched out; both counters are there since 2.6. */
struct task_struct___switches {
	unsigned long nvcsw;
	unsigned long nivcsw;
} __attribute__((preserve_access_index));

struct readings {
	__u64 ns;
	struct bpf_perf_event_value events[NT_EXACT_EVENTS];
};

/* What tells an open call from all others. */
struct call {
	__u64 frame;
	__u64 slot;
};

struct open_call {
	__u32 cpu;
	__u32 open;
	__u64 switches;
	__u64 measured;
	__u64 passed;
	struct readings at_entry;
};

static struct open_call nt_blank;

/* [CPU]: nt_exact_cpu and the slots; both sizes are set before the load. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct nt_exact_cpu) +
			   2 * (sizeof(struct nt_exact_slot) + sizeof(struct nt_exact_cell)));
} nt_exact SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, NT_EXACT_OPEN_CALLS);
	__type(key, struct call);
	__type(value, struct open_call);
} nt_open SEC(".maps");

/* [event][CPU]; the size is set before the load. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} nt_counters SEC(".maps");

static __always_inline void add(__u64 *counter, __u64 n)
{
	__sync_fetch_and_add(counter, n);
}

static __always_inline __u64 slot_offset(void)
{
	__u64 offset;

	asm volatile("%[offset] = %[mark]" : [offset] "=r"(offset) : [mark] "i"(NT_EXACT_SLOT_MARK));
	return offset;
}

/* The context's address as a number. The verifier lets pointers be subtracted, and the anchor stays where it is. */
static __always_inline __u64 frame_of(void *ctx)
{
	__u64 frame = (__u64)ctx;
	void *anchor = &nt_anchor;

	asm volatile("%[frame] -= %[anchor]" : [frame] "+r"(frame) : [anchor] "r"(anchor));
	return frame;
}

static __always_inline __u64 switches_of_task(void)
{
	struct task_struct___switches *task = (void *)bpf_get_current_task();

	return BPF_CORE_READ(task, nvcsw) + BPF_CORE_READ(task, nivcsw);
}

/* A counter that cannot be read gives zeros. */
static __always_inline void read_event(__u32 event, __u32 cpu, struct bpf_perf_event_value *value)
{
	bpf_perf_event_read_value(&nt_counters, event * nt_cpu_limit + cpu, value, sizeof(*value));
}

static __always_inline int entered(__u64 frame)
{
	__u32 cpu = bpf_get_smp_processor_id();
	__u64 offset = slot_offset(), rate;
	struct call call = {.frame = frame, .slot = offset};
	struct nt_exact_cpu *here = bpf_map_lookup_elem(&nt_exact, &cpu);
	struct nt_exact_slot *slot;
	struct open_call *open;

	if (!here)
		return 0;
	slot = (void *)here + offset;
	add(&slot->calls, 1);
	rate = slot->rate;
	if (rate > 1) {
		__u64 left = slot->left;

		if (left > 1) {
			slot->left = left - 1;
			add(&here->passed, 1);
			if (bpf_map_lookup_elem(&nt_open, &call))
				bpf_map_delete_elem(&nt_open, &call);
			return 0;
		}
		/* At random, so that no rhythm of the traffic falls in step; the mean is the rate. */
		slot->left = 1 + bpf_get_prandom_u32() % (2 * rate - 1);
	}
	bpf_map_update_elem(&nt_open, &call, &nt_blank, BPF_ANY);
	open = bpf_map_lookup_elem(&nt_open, &call);
	if (!open || open->open) { /* or the old entry could not be replaced */
		add(&slot->no_room, 1);
		return 0;
	}
	open->cpu = cpu;
	open->open = 1;
	open->switches = switches_of_task();
	open->measured = here->measured;
	open->passed = here->passed;
#pragma unroll
	for (__u32 i = 0; i < NT_EXACT_EVENTS; ++i) {
		if (i < nt_events)
			read_event(i, cpu, &open->at_entry.events[i]);
	}
	open->at_entry.ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline void record(struct nt_exact_cell *cell, __u64 difference, __u64 own, __u64 inside)
{
	__u64 value = difference > inside ? difference - inside : 0;
	__u64 small = value >> 32 ? 0xffffffffULL : value;
	__u64 square = small * small;
	__u32 bucket = nt_exact_bucket(value > own ? value - own : 0);

	add(&cell->n, 1);
	add(&cell->sum, value);
	add(&cell->squares_low, (__u32)square);
	add(&cell->squares_high, square >> 32);
	if (value < own)
		add(&cell->below, 1);
	if (inside)
		add(&cell->inside, inside);
	cell->last = value;
	/* The compiler knows the bound, the verifier does not. */
	asm volatile("" : "+r"(bucket));
	if (bucket < NT_EXACT_BUCKETS)
		add(&cell->bucket[bucket], 1);
}

/*
 * Enabled and running time grow alike while an event has its counter: where their difference is the same at both ends,
 * and both grew, it had it all the time.
 */
static __always_inline void record_event(struct nt_exact_cell *cell, const struct bpf_perf_event_value *from,
					 const struct bpf_perf_event_value *to, __u64 own, __u64 inside)
{
	if (from->enabled && to->running > from->running && to->enabled - to->running == from->enabled - from->running)
		record(cell, to->counter - from->counter, own, inside);
	else
		add(&cell->unreadable, 1);
}

static __always_inline int left(__u64 frame, const __u64 *own)
{
	__u32 cpu = bpf_get_smp_processor_id();
	__u64 offset = slot_offset();
	struct call call = {.frame = frame, .slot = offset};
	struct nt_exact_cpu *here;
	struct nt_exact_cell *cells;
	struct nt_exact_slot *slot;
	struct open_call *open;
	struct readings now;

	if (nt_look_first && !bpf_map_lookup_elem(&nt_open, &call))
		return 0;
	now.ns = bpf_ktime_get_ns();
#pragma unroll
	for (__u32 i = NT_EXACT_EVENTS; i-- > 0;) {
		if (i < nt_events)
			read_event(i, cpu, &now.events[i]);
	}
	open = bpf_map_lookup_elem(&nt_open, &call);
	here = bpf_map_lookup_elem(&nt_exact, &cpu);
	if (!open || !here || !open->open)
		return 0;
	open->open = 0; /* should it not be deleted for a lock that is taken */
	slot = (void *)here + offset;
	cells = (void *)(slot + 1);
	if (open->cpu != cpu) {
		add(&slot->cpu_changed, 1);
	} else if (open->switches != switches_of_task()) {
		add(&slot->switched, 1);
	} else {
		__u64 measured = here->measured - open->measured, passed = here->passed - open->passed;

		record(&cells[0], now.ns - open->at_entry.ns, own[0],
		       measured * nt_inside_measured[0] + passed * nt_inside_passed[0]);
#pragma unroll
		for (__u32 i = 0; i < NT_EXACT_EVENTS; ++i) {
			if (i < nt_events)
				record_event(&cells[1 + i], &open->at_entry.events[i], &now.events[i], own[1 + i],
					     measured * nt_inside_measured[1 + i] + passed * nt_inside_passed[1 + i]);
		}
	}
	add(&here->measured, 1);
	bpf_map_delete_elem(&nt_open, &call);
	return 0;
}

/* Templates are loaded as raw tracepoints, whatever becomes of them. */
SEC("raw_tp")
int nt_function_entry(void *ctx)
{
	return entered(frame_of(ctx));
}

SEC("raw_tp")
int nt_function_exit(void *ctx)
{
	return left(frame_of(ctx), nt_own_function);
}

static __always_inline bool other_vector(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 vector;

	asm volatile("%[vector] = %[mark]" : [vector] "=r"(vector) : [mark] "i"(NT_EXACT_VECTOR_MARK));
	return vector != NT_EXACT_ANY_VECTOR && ctx->args[0] != vector;
}

/* Handlers of one CPU do not nest, and stay on it: the CPU is what tells calls apart. */
SEC("raw_tp")
int nt_softirq_entry(struct bpf_raw_tracepoint_args *ctx)
{
	return other_vector(ctx) ? 0 : entered(bpf_get_smp_processor_id());
}

SEC("raw_tp")
int nt_softirq_exit(struct bpf_raw_tracepoint_args *ctx)
{
	return other_vector(ctx) ? 0 : left(bpf_get_smp_processor_id(), nt_own_softirq);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
