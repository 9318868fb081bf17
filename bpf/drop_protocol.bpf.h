/* SPDX-License-Identifier: (BSD-2-Clause OR GPL-2.0-only) */
/*
 * Where the headers of a dropped packet are, and whether it is of the protocol that is asked for: for what is counted
 * and for what is sampled. parse_packet() of the user side reads copied headers by the same rules.
 */
#ifndef NETTOLL_DROP_PROTOCOL_BPF_H
#define NETTOLL_DROP_PROTOCOL_BPF_H

#include "vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "shared.h"

#define ETH_P_IP 0x0800
#define ETH_P_IPV6 0x86dd
#define ETH_P_8021Q 0x8100
#define ETH_P_8021AD 0x88a8
#define ETH_HLEN 14
#define VLAN_HLEN 4
#define NO_HEADER 0xffff /* skb_mac_header_was_set(), include/linux/skbuff.h */

/* IP protocol numbers, include/uapi/linux/in.h and in6.h. */
#define IPPROTO_HOPOPTS 0
#define IPPROTO_ROUTING 43
#define IPPROTO_FRAGMENT 44
#define IPPROTO_AH 51
#define IPPROTO_DSTOPTS 60
#define IPPROTO_MH 135
#define NO_TRANSPORT 256

/* Set before the load. */
const volatile struct nt_protocol_filter nt_protocol = {};

struct nt_headers {
	void *head;
	__u32 data; /* offsets from head */
	__u32 end;  /* of the bytes that lie in one piece: what is behind is not the packet */
	__u32 mac;  /* NO_HEADER where unset */
	__u32 network;	/* 0 where unknown */
	__u16 protocol; /* network order; behind VLAN tags where the headers have them */
	bool named;	/* the packet, one of its tags or what is behind them is of the EtherType that is asked for */
};

static __always_inline bool nt_is_vlan(__u16 protocol)
{
	return protocol == bpf_htons(ETH_P_8021Q) || protocol == bpf_htons(ETH_P_8021AD);
}

/*
 * Drops come from before headers are found and from after they are pulled: what is unset is worked out from
 * the MAC header and from `data`.
 */
static __always_inline void nt_find_headers(struct sk_buff *skb, struct nt_headers *at)
{
	at->head = BPF_CORE_READ(skb, head);
	at->data = (__u64)BPF_CORE_READ(skb, data) - (__u64)at->head;
	at->end = at->data + BPF_CORE_READ(skb, len) - BPF_CORE_READ(skb, data_len);
	at->mac = BPF_CORE_READ(skb, mac_header);
	at->network = BPF_CORE_READ(skb, network_header);
	at->protocol = BPF_CORE_READ(skb, protocol);
	at->named = at->protocol == nt_protocol.ethertype;
	if (!at->protocol)
		return;
	if (!at->network || at->network == NO_HEADER) {
		/* A driver that has called eth_type_trans() has pulled the link's header. */
		at->network = at->data;
		if (at->mac == at->data)
			at->network += ETH_HLEN;
	}
	if (!nt_is_vlan(at->protocol))
		return;
	if (at->mac == NO_HEADER || at->network == at->mac + ETH_HLEN || at->network == at->mac)
		at->network = (at->mac == NO_HEADER ? at->network - ETH_HLEN : at->mac) + ETH_HLEN + VLAN_HLEN;
	for (__u32 i = 0; i < NT_VLAN_TAGS; i++) {
		if (at->network > at->end ||
		    bpf_probe_read_kernel(&at->protocol, sizeof(at->protocol), at->head + at->network - 2))
			return;
		at->named |= at->protocol == nt_protocol.ethertype;
		if (!nt_is_vlan(at->protocol))
			return;
		at->network += VLAN_HLEN;
	}
}

/* What ipv6_ext_hdr() of the kernel knows (net/ipv6/exthdrs_core.c), and Mobility, which has the same form. */
static __always_inline bool nt_is_extension(__u32 header)
{
	return header == IPPROTO_HOPOPTS || header == IPPROTO_ROUTING || header == IPPROTO_FRAGMENT ||
	       header == IPPROTO_AH || header == IPPROTO_DSTOPTS || header == IPPROTO_MH;
}

/*
 * The IP protocol number of the packet at `offset`, behind IPv6 extension headers; NO_TRANSPORT where the bytes do not
 * tell. A global function: the verifier looks at it once, not with each state of the caller.
 */
__noinline __u32 nt_transport_of(__u64 head, __u32 offset, __u32 end, __u32 version)
{
	__u8 ip[10], extension[8];
	__u32 next, size;

	if (offset + (version == 4 ? 20 : 40) > end || bpf_probe_read_kernel(ip, sizeof(ip), (void *)head + offset) ||
	    ip[0] >> 4 != version)
		return NO_TRANSPORT;
	if (version == 4)
		return (ip[0] & 15) < 5 ? NO_TRANSPORT : ip[9];
	next = ip[6];
	offset += 40;
	for (__u32 i = 0; i < NT_IPV6_EXTENSIONS; i++) {
		if (!nt_is_extension(next))
			return next;
		if (offset + sizeof(extension) > end ||
		    bpf_probe_read_kernel(extension, sizeof(extension), (void *)head + offset))
			return NO_TRANSPORT;
		if (next == IPPROTO_FRAGMENT)
			size = 8;
		else if (next == IPPROTO_AH)
			size = (extension[1] + 2) * 4;
		else
			size = (extension[1] + 1) * 8;
		/* A later fragment has no more headers. */
		if (next == IPPROTO_FRAGMENT && (extension[2] || extension[3] & 0xf8))
			return extension[0];
		next = extension[0];
		offset += size;
	}
	return nt_is_extension(next) ? NO_TRANSPORT : next;
}

static __always_inline bool nt_protocol_matches(const struct nt_headers *at)
{
	__u32 transport, version;

	if (nt_protocol.kind == NT_PROTOCOL_ANY)
		return true;
	if (nt_protocol.kind == NT_PROTOCOL_ETHERTYPE)
		return at->named;
	if (at->protocol == bpf_htons(ETH_P_IP))
		version = 4;
	else if (at->protocol == bpf_htons(ETH_P_IPV6))
		version = 6;
	else
		return false;
	transport = nt_transport_of((__u64)at->head, at->network, at->end, version);
	return transport == nt_protocol.transport[0] || transport == nt_protocol.transport[1];
}

#endif
