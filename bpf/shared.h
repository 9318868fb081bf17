/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0-only) */
/* What the kernel side and the user side both read. Plain structs, limits, and one hash that both must agree on. */
#ifndef NETTOLL_SHARED_H
#define NETTOLL_SHARED_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

#ifdef __cplusplus
#define NT_ASSERT static_assert
#else
#define NT_ASSERT _Static_assert
#endif

#define NT_CACHE_LINE 64
#define NT_SOFTIRQS 10 /* NR_SOFTIRQS, include/linux/interrupt.h */
#define NT_IFNAME 16   /* IFNAMSIZ */

/* Kinds of drops that the mapped table holds; a power of two. */
#define NT_DROP_KIND_BITS 8
#define NT_DROP_KINDS (1 << NT_DROP_KIND_BITS)

/* Free helpers and transmit functions that a drop is followed through, and how many frames of its stack. */
#define NT_FREE_HELPERS 48
#define NT_TRANSMIT_FUNCTIONS 4
#define NT_DROP_FRAMES 24

/* Limits of the hash maps, and so of what a host can make the kernel side remember. */
#define NT_MAX_DEVICES 4096
#define NT_MAX_QUEUES 4096

/* The counting template counts to the last of the fewest slots; its byte offset is what the user side looks for. */
#define NT_MIN_SLOTS 64
#define NT_SLOT_MARK ((NT_MIN_SLOTS - 1) * 8)

/*
 * Exact mode. A measure is what is read at a function's entry and exit: the time first, then each event. The templates
 * hold the marks below where the user side writes the byte offset of a function's slot and a softirq vector.
 */
#define NT_EXACT_EVENTS 8
#define NT_EXACT_MEASURES (1 + NT_EXACT_EVENTS)
#define NT_EXACT_SLOT_MARK 3992
#define NT_EXACT_VECTOR_MARK 3991
#define NT_EXACT_ANY_VECTOR 255
/* Calls that may be open at a time on the whole host, those that sleep included. */
#define NT_EXACT_OPEN_CALLS 8192
/* 16 buckets for each power of two, so that a bucket is at most 1/16 of its values wide; values below 2^36. */
#define NT_EXACT_SUB_BITS 4
#define NT_EXACT_VALUE_BITS 36
#define NT_EXACT_BUCKETS ((NT_EXACT_VALUE_BITS - NT_EXACT_SUB_BITS + 1) << NT_EXACT_SUB_BITS)

/* A device: indexes repeat across network namespaces. */
struct nt_device {
	__u32 netns; /* inode number, 0 where the packet has no device */
	__u32 ifindex;
};

/* One kind of drop. `location` is never 0 in a real key, so an all-zero key is an empty place. */
struct nt_drop_key {
	__u64 location;
	__u32 reason;
	/*
	 * EtherType, network order, in the low 16 bits. Where a free helper was looked through: 1 + its place in bits
	 * 16 to 23, and NT_DROP_TRANSMITTING.
	 */
	__u32 protocol;
	struct nt_device device;
};

#define NT_DROP_HELPER_SHIFT 16
#define NT_DROP_HELPER_MASK 0xffU
#define NT_DROP_TRANSMITTING (1U << 24)

/* Code, by the return addresses in it: from the second byte to the first behind it. */
struct nt_code {
	__u64 begin;
	__u64 size;
};

struct nt_queue_key {
	struct nt_device device;
	__u32 queue; /* 1 + the queue that the driver recorded; 0 where it recorded none */
	__u32 pad;
};

struct nt_napi {
	__u64 polls;
	__u64 packets;
	__u64 exhausted;
};

struct nt_softirq {
	__u64 runs;
	__u64 ns;
};

/*
 * Counters of one CPU. Only that CPU writes, all additions are atomic since an interrupt may land inside one. The
 * size is a multiple of the cache line, so CPUs do not share lines.
 */
struct nt_net_cpu {
	__u64 rx_packets;
	__u64 rx_more_segments; /* wire segments beyond one a packet */
	__u64 tx_packets;
	__u64 tx_more_segments;
	struct nt_napi backlog; /* the per-CPU queue: it has no device */
	__u64 softirq_entered;	/* ns, 0 outside */
	struct nt_softirq softirq[NT_SOFTIRQS];
	__u64 drops_unkeyed; /* drops whose kind found no room */
	__u64 napi_unkeyed;
	__u64 queue_unkeyed;
	__u64 drop_kind[NT_DROP_KINDS]; /* by place in the table of kinds */
} __attribute__((aligned(NT_CACHE_LINE)));

/*
 * Sampled drops. A record holds the start of the packet as it lay in memory; what its headers say is found out by the
 * user side.
 */
#define NT_SAMPLE_BYTES 128
#define NT_SAMPLE_COMM 16
#define NT_FILTER_REASONS 64

/* What nt_drop_sample::bytes begins with. */
#define NT_BYTES_NONE 0	   /* no header is known: nothing was copied */
#define NT_BYTES_MAC 1	   /* the header of the link */
#define NT_BYTES_NETWORK 2 /* the header of the network protocol */

struct nt_drop_sample {
	__u64 time; /* CLOCK_MONOTONIC */
	__u64 location;
	__u32 reason;
	__u32 cpu;
	struct nt_device device;
	__u32 length;	 /* of the packet from `data` on */
	__s32 data_from; /* where `data` is, from the start of bytes; negative where that is before */
	__u32 pid;	 /* process of the task that ran */
	__s32 stack_size; /* bytes of stack; negative where there is none */
	__u16 protocol;	 /* network order */
	__u16 gso_segs;
	__u16 gso_size;
	__u16 bytes_begin; /* NT_BYTES_* */
	__u16 bytes_size;
	__u16 network_from; /* where the network header is, from the start of bytes */
	__u16 network_protocol; /* of the header at network_from: behind VLAN tags */
	__u16 pad;
	char device_name[NT_IFNAME];
	char comm[NT_SAMPLE_COMM];
	__u64 stack[NT_DROP_FRAMES];
	__u8 bytes[NT_SAMPLE_BYTES];
};

/* Which drops are counted and sampled, by protocol. */
#define NT_PROTOCOL_ANY 0
#define NT_PROTOCOL_ETHERTYPE 1 /* the packet's, also in or behind VLAN tags */
#define NT_PROTOCOL_TRANSPORT 2 /* of IPv4 and IPv6, one of two numbers, also behind VLAN tags and extension headers */

/* How many tags and extension headers are looked behind. */
#define NT_VLAN_TAGS 4
#define NT_IPV6_EXTENSIONS 8

struct nt_protocol_filter {
	__u32 kind;
	__u32 ethertype; /* network order */
	__u32 transport[2];
};

/* Which drops are sampled: those that match all that is set, and the protocol. */
struct nt_drop_filter {
	__u32 reason_count; /* 0 is all */
	__u32 reasons[NT_FILTER_REASONS];
	__u32 netns;   /* 0 is all */
	__u32 ifindex; /* 0 is all */
};

/* What became of the drops on one CPU that the filter let through: matched is the sum of the others. */
struct nt_sample_cpu {
	__u64 matched;
	__u64 emitted;
	__u64 limited;	 /* over the rate */
	__u64 ring_full; /* found no room in the ring */
} __attribute__((aligned(NT_CACHE_LINE)));

/* One measure of one function on one CPU. Only that CPU writes, by atomic additions. */
struct nt_exact_cell {
	__u64 n;
	__u64 sum;	    /* of the differences as measured */
	__u64 squares_low;  /* of their squares, the low 32 bits of each */
	__u64 squares_high; /* the high 32 bits */
	__u64 below;	    /* differences that were smaller than the own cost */
	__u64 unreadable;   /* the event was not counting all the time, or could not be read */
	__u64 last;	    /* the last difference, for the calibration */
	__u64 inside;	    /* cost of probes that ran between entry and exit, taken off all the above */
	__u64 bucket[NT_EXACT_BUCKETS]; /* differences without the own cost, by nt_exact_bucket() */
} __attribute__((aligned(NT_CACHE_LINE)));

/* What one CPU's probes did, of all functions; the CPU's slots follow. */
struct nt_exact_cpu {
	__u64 measured; /* calls */
	__u64 passed;	/* calls that were not to be measured */
} __attribute__((aligned(NT_CACHE_LINE)));

/* One function on one CPU; its cells follow, one for each measure in use. */
struct nt_exact_slot {
	__u64 rate;	   /* one call in so many is measured; 0 is all. The user side writes it */
	__u64 calls;	   /* that came by, measured or not */
	__u64 left;	   /* calls until the next that is measured */
	__u64 cpu_changed; /* measured calls that ended on another CPU */
	__u64 switched;	   /* that their task was switched out in */
	__u64 no_room;	   /* that found no place among the open calls */
} __attribute__((aligned(NT_CACHE_LINE)));

NT_ASSERT(sizeof(struct nt_exact_cpu) == NT_CACHE_LINE, "slots follow on a cache line");
NT_ASSERT(sizeof(struct nt_exact_slot) == NT_CACHE_LINE, "cells follow on a cache line");
NT_ASSERT(sizeof(struct nt_exact_cell) == 67 * NT_CACHE_LINE, "no padding at the end");
NT_ASSERT(NT_EXACT_SLOT_MARK < sizeof(struct nt_exact_cell), "the templates stay within two slots");
NT_ASSERT(sizeof(struct nt_device) == 8, "no padding: it is a hash key");
NT_ASSERT(sizeof(struct nt_sample_cpu) == NT_CACHE_LINE, "CPUs must not share cache lines");
NT_ASSERT(sizeof(struct nt_drop_sample) == 96 + NT_DROP_FRAMES * 8 + NT_SAMPLE_BYTES, "no hidden padding");
NT_ASSERT(sizeof(struct nt_drop_key) == 24, "no padding: it is a hash key");
NT_ASSERT(NT_FREE_HELPERS < NT_DROP_HELPER_MASK, "a helper's number fits");
NT_ASSERT(sizeof(struct nt_queue_key) == 16, "no padding: it is a hash key");
NT_ASSERT(sizeof(struct nt_net_cpu) % NT_CACHE_LINE == 0, "CPUs must not share cache lines");

/* The place of a kind in the mapped table: Fibonacci hashing of the words that tell kinds apart. */
static inline __u32 nt_drop_place(const struct nt_drop_key *key)
{
	__u64 mix = key->location + ((__u64)key->reason << 40) + ((__u64)key->device.ifindex << 20) + key->device.netns +
		    ((__u64)key->protocol << 32);

	return (__u32)((mix * 0x9e3779b97f4a7c15ULL) >> (64 - NT_DROP_KIND_BITS));
}

/* The bucket of a value: values below 16 have one each; too large ones are in the last. */
static inline __attribute__((always_inline)) __u32 nt_exact_bucket(__u64 value)
{
	__u64 rest = value >> NT_EXACT_SUB_BITS;
	__u32 shift = 0; /* floor(log2(rest)) */

	if (!rest)
		return (__u32)value;
	if (value >> NT_EXACT_VALUE_BITS)
		return NT_EXACT_BUCKETS - 1;
	if (rest >> 16) {
		shift += 16;
		rest >>= 16;
	}
	if (rest >> 8) {
		shift += 8;
		rest >>= 8;
	}
	if (rest >> 4) {
		shift += 4;
		rest >>= 4;
	}
	if (rest >> 2) {
		shift += 2;
		rest >>= 2;
	}
	shift += rest >> 1;
	return (shift << NT_EXACT_SUB_BITS) + (__u32)(value >> shift);
}

#endif
