// SPDX-License-Identifier: Apache-2.0
#include "collect/function_table.h"

namespace nettoll {
namespace {

using enum Area;

constexpr Proxy proxy(std::string_view tracepoint, std::string_view condition = {}, bool denominator = true) {
  return {tracepoint, FreeCounter::none, condition, denominator};
}
constexpr Proxy at_no_cost(std::string_view tracepoint, FreeCounter free, std::string_view condition = {},
                           bool denominator = true) {
  return {tracepoint, free, condition, denominator};
}

// Where each tracepoint fires was read in the source of 5.10, 6.1, 6.12 and 7.2 (the file and function that
// the comment names; all that have the tracepoint agree unless it says otherwise) and, where UDP, TCP, tap
// and qdisc traffic reaches it, counted on 6.18 with a known number of packets. A version in a comment is
// that of the mainline change; stable kernels may have it earlier.
const std::vector<TableEntry>& table() {
  static const std::vector<TableEntry> kTable = {
      // -- receive --
      // kernel/softirq.c handle_softirqs (formerly __do_softirq): softirq_entry, then the vector's action,
      // which for NET_RX is net_rx_action and has no other caller. Threaded NAPI does not pass here.
      {{"net_rx_action"}, receive, Rate::batch, at_no_cost("softirq_entry", FreeCounter::net_rx_runs)},
      // net/core/dev.c __napi_poll (napi_poll before 5.12), after napi->poll. It is skipped where netpoll
      // took the NAPI instance away meanwhile. busy_poll_stop, __napi_busy_loop (formerly napi_busy_loop)
      // and net/core/netpoll.c poll_one_napi call napi->poll and fire it themselves.
      {{"__napi_poll", "napi_poll"},
       receive,
       Rate::batch,
       at_no_cost("napi_poll", FreeCounter::napi_polls, "counts polls by busy polling and netpoll too")},
      {{"process_backlog"}, receive, Rate::batch},
      {{"napi_complete_done"}, receive, Rate::batch},
      // net/core/gro.c (net/core/dev.c before 5.17) gro_receive_skb, at its entry. Since 6.15
      // napi_gro_receive is an inline wrapper of it, and cpumap calls it too; before, the tracepoint was in
      // napi_gro_receive.
      {{"gro_receive_skb", "napi_gro_receive"}, receive, Rate::packet, proxy("napi_gro_receive_entry")},
      // The same file, napi_gro_frags, after napi_frags_skb; 5.10 gives up before it on a frame without a
      // whole Ethernet header.
      {{"napi_gro_frags"}, receive, Rate::packet, proxy("napi_gro_frags_entry")},
      {{"dev_gro_receive"}, receive, Rate::packet},
      {{"eth_type_trans"}, receive, Rate::packet},
      // net/core/dev.c netif_rx_internal, before it picks a CPU. netif_rx, __netif_rx, dev_forward_skb and,
      // before 5.18, netif_rx_ni call it once each.
      {{"netif_rx_internal"}, receive, Rate::packet, proxy("netif_rx"), "netif_rx"},
      // net/core/dev.c netif_rx and, since 5.18, __netif_rx, which veth and loopback call.
      {{"netif_rx"},
       receive,
       Rate::packet,
       proxy("netif_rx_entry", "counts __netif_rx (5.18 and later) too", false)},
      {{"__netif_rx"}, receive, Rate::packet},
      {{"enqueue_to_backlog"}, receive, Rate::packet, {}, "netif_rx_internal"},
      // net/core/dev.c netif_receive_skb, first statement.
      {{"netif_receive_skb"}, receive, Rate::packet, proxy("netif_receive_skb_entry")},
      // net/core/dev.c netif_receive_skb_list: its _entry fires for each packet of the list, its _exit once.
      {{"netif_receive_skb_list"},
       receive,
       Rate::batch,
       proxy("netif_receive_skb_list_exit", "misses calls with an empty list")},
      {{"netif_receive_skb_list_internal"}, receive, Rate::batch},
      // net/core/dev.c __netif_receive_skb_core, before the label another_round, so a VLAN tag or a redirect
      // to another device does not fire it twice.
      {{"__netif_receive_skb_core"},
       receive,
       Rate::packet,
       at_no_cost("netif_receive_skb", FreeCounter::rx_packets)},
      {{"__netif_receive_skb_one_core"}, receive, Rate::packet, {}, "__netif_receive_skb"},
      {{"do_xdp_generic"}, receive, Rate::rare},
      {{"packet_rcv"}, receive, Rate::rare},
      {{"tpacket_rcv"}, receive, Rate::rare},
      {{"br_handle_frame"}, receive, Rate::rare},
      {{"vlan_do_receive"}, receive, Rate::rare},
      {{"arp_rcv"}, receive, Rate::rare},
      {{"ip_rcv"}, receive, Rate::packet},
      {{"ip_rcv_core"}, receive, Rate::packet, {}, "ip_rcv"},
      {{"ip_rcv_finish"}, receive, Rate::packet, {}, "ip_rcv"},
      {{"ip_route_input_noref"}, receive, Rate::packet},
      {{"ip_route_input_slow"}, receive, Rate::packet},
      {{"fib_validate_source", "__fib_validate_source"}, receive, Rate::packet},
      // net/ipv4/fib_trie.c fib_table_lookup: once on each of its four ways out. A route lookup may ask
      // several tables.
      {{"fib_table_lookup"}, receive, Rate::packet, proxy("fib_table_lookup")},
      {{"ip_local_deliver"}, receive, Rate::packet},
      {{"ip_local_deliver_finish"}, receive, Rate::packet, {}, "ip_local_deliver"},
      {{"ip_protocol_deliver_rcu"}, receive, Rate::packet},
      {{"ip_forward"}, receive, Rate::rare},
      {{"ip_defrag"}, receive, Rate::rare},
      {{"nf_hook_slow"}, receive, Rate::packet},
      {{"nf_conntrack_in"}, receive, Rate::rare},
      {{"ipt_do_table"}, receive, Rate::rare},
      {{"nft_do_chain"}, receive, Rate::rare},
      {{"udp_rcv"}, receive, Rate::packet},
      {{"__udp4_lib_rcv"}, receive, Rate::packet, {}, "udp_rcv"},
      {{"udp_queue_rcv_skb"}, receive, Rate::packet, {}, "__udp4_lib_rcv"},
      {{"udp_queue_rcv_one_skb"}, receive, Rate::packet, {}, "udp_queue_rcv_skb"},
      {{"__udp_enqueue_schedule_skb"}, receive, Rate::packet},
      {{"tcp_v4_rcv"}, receive, Rate::packet},
      {{"tcp_v4_do_rcv"}, receive, Rate::packet},
      // net/ipv4/tcp_input.c tcp_rcv_established, first statement; nowhere else.
      {{"tcp_rcv_established"}, receive, Rate::packet, proxy("tcp_probe")},
      {{"tcp_rcv_state_process"}, receive, Rate::rare},
      // net/ipv4/tcp_input.c tcp_reset, first statement: a reset came in.
      {{"tcp_reset"}, receive, Rate::rare, proxy("tcp_receive_reset")},
      // net/ipv4/tcp_cong.c tcp_set_ca_state, first statement. Inline and without a tracepoint before 5.19.
      {{"tcp_set_ca_state"}, receive, Rate::rare, proxy("tcp_cong_state_set")},
      {{"tcp_ack"}, receive, Rate::packet},
      {{"tcp_data_queue"}, receive, Rate::packet},
      {{"icmp_rcv"}, receive, Rate::rare},
      // net/ipv4/icmp.c __icmp_send, before icmp_push_reply: behind the rate limits, the checks of the
      // packet answered and the route lookup. With the default limits a flood to a closed port is answered
      // about once a second.
      {{"__icmp_send"},
       transmit,
       Rate::rare,
       proxy("icmp_send", "counts errors sent; misses calls that a rate limit or another check ended",
             false)},
      {{"ipv6_rcv"}, receive, Rate::packet},
      {{"ip6_input"}, receive, Rate::packet},
      // net/ipv6/route.c fib6_table_lookup, at its end; ip6_pol_route_lookup and __ip6_route_redirect fire
      // it too. Netfilter's IPv6 reverse path filters call the first for each packet.
      {{"fib6_table_lookup"},
       receive,
       Rate::packet,
       proxy("fib6_table_lookup",
             "counts lookups by ip6_pol_route_lookup (reverse path filters) and for redirects too", false)},
      {{"tcp_v6_rcv"}, receive, Rate::packet},
      {{"udpv6_rcv"}, receive, Rate::packet},
      // net/core/sock.c sock_def_readable, first statement, since 6.3. Every other handler of its kind fires
      // it too: net/tls, net/mptcp, net/core/skmsg.c, and those of NFS, iSCSI, NVMe and other kernel users.
      {{"sock_def_readable"},
       receive,
       Rate::packet,
       proxy("sk_data_ready", "counts sockets with a handler of their own (kTLS, MPTCP, sockmap, NFS) too",
             false)},
      // net/core/neighbour.c __neigh_update, first statement.
      {{"__neigh_update"}, receive, Rate::rare, proxy("neigh_update")},

      // -- transmit --
      // net/core/dev.c __dev_queue_xmit, once, behind the egress hooks of nftables (5.16) and tc and before
      // the qdisc or the device takes the packet. Later kernels also refuse malformed GSO packets before it.
      {{"__dev_queue_xmit"},
       transmit,
       Rate::packet,
       at_no_cost("net_dev_queue", FreeCounter::tx_packets,
                  "misses packets that an egress filter dropped or redirected")},
      // net/core/dev.c xmit_one, which dev_hard_start_xmit alone calls, once for each packet of its list:
      // segments made in software, or what a qdisc dequeued in bulk.
      {{"dev_hard_start_xmit"},
       transmit,
       Rate::packet,
       proxy("net_dev_start_xmit", "counts packets; a call may take a list of them", false)},
      // As net_rx_action: the action of NET_TX, without another caller.
      {{"net_tx_action"}, transmit, Rate::batch, at_no_cost("softirq_entry", FreeCounter::net_tx_runs)},
      // net/core/dev.c dev_qdisc_enqueue (5.15), after q->enqueue and only where that returned
      // NET_XMIT_SUCCESS: a full queue may drop most packets unseen. A packet that bypasses an empty queue
      // is no call at all.
      {{"dev_qdisc_enqueue"},
       transmit,
       Rate::packet,
       proxy("qdisc_enqueue", "misses packets that the qdisc dropped or marked as congested", false),
       "__dev_queue_xmit"},
      // net/sched/sch_generic.c dequeue_skb, at its end, also when there was nothing to send; two returns
      // before it, where the device queue is stopped, fire nothing. Compilers inline it into __qdisc_run,
      // where its samples are then found.
      {{"dequeue_skb"},
       transmit,
       Rate::packet,
       proxy("qdisc_dequeue", "misses calls that found the device queue stopped", false),
       "__qdisc_run"},
      {{"__qdisc_run"}, transmit, Rate::batch},
      {{"sch_direct_xmit"}, transmit, Rate::packet},
      {{"validate_xmit_skb"}, transmit, Rate::packet, {}, "validate_xmit_skb_list"},
      {{"__skb_gso_segment"}, transmit, Rate::rare},
      {{"loopback_xmit"}, transmit, Rate::rare},
      {{"veth_xmit"}, transmit, Rate::rare},
      {{"ip_local_out"}, transmit, Rate::packet},
      {{"__ip_local_out"}, transmit, Rate::packet},
      {{"ip_output"}, transmit, Rate::packet},
      {{"ip_finish_output2"}, transmit, Rate::packet, {}, "ip_output"},
      {{"__ip_queue_xmit"}, transmit, Rate::packet},
      {{"ip_send_skb"}, transmit, Rate::packet},
      {{"ip_make_skb"}, transmit, Rate::packet},
      {{"__ip_append_data"}, transmit, Rate::packet, {}, "ip_append_data"},
      {{"ip_route_output_key_hash_rcu", "ip_route_output_key_hash"}, transmit, Rate::packet},
      {{"neigh_resolve_output"}, transmit, Rate::rare},
      {{"ip6_xmit"}, transmit, Rate::packet},
      {{"ip6_output"}, transmit, Rate::packet},
      {{"udp_send_skb"}, transmit, Rate::packet, {}, "udp_sendmsg"},
      {{"tcp_write_xmit"}, transmit, Rate::packet, {}, "__tcp_push_pending_frames"},
      {{"__tcp_transmit_skb"}, transmit, Rate::packet, {}, "tcp_write_xmit"},
      // net/ipv4/tcp_output.c __tcp_retransmit_skb, at its end. 5.10 to 6.12 fire it for calls that sent;
      // later ones (6.18 does) for every call, with the error as a third argument.
      {{"__tcp_retransmit_skb"},
       transmit,
       Rate::rare,
       proxy("tcp_retransmit_skb", "older kernels (6.12 is one) miss calls that could not send", false)},
      // net/ipv4/tcp_output.c tcp_rtx_synack, where send_synack succeeded.
      {{"tcp_rtx_synack"},
       transmit,
       Rate::rare,
       proxy("tcp_retransmit_synack", "misses calls that could not send", false)},
      // net/ipv4/tcp_ipv4.c tcp_v4_send_reset, before the send: in 6.12 for every reset, in 6.1 for full
      // sockets alone; net/ipv6/tcp_ipv6.c tcp_v6_send_reset and net/ipv4/tcp_output.c tcp_send_active_reset
      // fire it too.
      {{"tcp_v4_send_reset"},
       transmit,
       Rate::rare,
       proxy("tcp_send_reset",
             "counts resets over IPv6 and by closing sockets too; older kernels miss those from closed ports",
             false)},

      // -- socket --
      // net/socket.c sock_sendmsg_nosec, after the protocol's function returned, since 6.3. The system calls
      // came through sock_sendmsg before 6.6 and come through __sock_sendmsg since, which compilers inline;
      // sock_sendmsg is then for callers in the kernel alone. sendmmsg to one peer skips both after the
      // first.
      {{"__sock_sendmsg", "sock_sendmsg"},
       socket,
       Rate::packet,
       proxy("sock_send_length", "counts all sends that got past the security module, also by other callers",
             false)},
      // net/socket.c sock_recvmsg_nosec, the same for receiving; recvmmsg skips sock_recvmsg after the
      // first.
      {{"sock_recvmsg"},
       socket,
       Rate::packet,
       proxy("sock_recv_length",
             "counts each datagram of recvmmsg; misses calls that a security module refused", false)},
      {{"__sys_sendto"}, socket, Rate::packet},
      {{"__sys_recvfrom"}, socket, Rate::packet},
      {{"udp_sendmsg"}, socket, Rate::packet},
      {{"udp_recvmsg"}, socket, Rate::packet},
      {{"udpv6_sendmsg"}, socket, Rate::packet},
      {{"tcp_sendmsg"}, socket, Rate::packet},
      {{"tcp_sendmsg_locked"}, socket, Rate::packet},
      {{"tcp_recvmsg"}, socket, Rate::packet},
      // net/core/datagram.c skb_copy_datagram_iter, first statement; nowhere else. UDP copies linear packets
      // without it.
      {{"skb_copy_datagram_iter"}, socket, Rate::packet, proxy("skb_copy_datagram_iovec")},
      {{"__skb_recv_udp"}, socket, Rate::packet},
      // net/ipv4/tcp_input.c tcp_rcv_space_adjust, first statement; nowhere else.
      {{"tcp_rcv_space_adjust"}, socket, Rate::packet, proxy("tcp_rcv_space_adjust")},
      // net/ipv4/tcp_ipv4.c tcp_v4_destroy_sock, before any way out; IPv6 sockets end in it too.
      {{"tcp_v4_destroy_sock"}, socket, Rate::rare, proxy("tcp_destroy_sock")},
      // net/core/sock.c sk_error_report (5.14), at its end.
      {{"sk_error_report"},
       socket,
       Rate::rare,
       proxy("inet_sk_error_report", "misses sockets that are neither IPv4 nor IPv6", false)},

      // -- drop --
      // net/core/skbuff.c kfree_skb, since 5.17 kfree_skb_reason, since 6.11 sk_skb_reason_drop (the older
      // names
      // are then inline wrappers), behind the check for other references. kfree_skb_list_reason reaches it
      // without that call, and net/core/dev.c net_tx_action fires it for what interrupts left to be freed.
      {{"sk_skb_reason_drop", "kfree_skb_reason", "kfree_skb"},
       drop,
       Rate::rare,
       at_no_cost("kfree_skb", FreeCounter::drops,
                  "counts last references only, and packets freed in lists or by net_tx_action too", false)},

      // -- memory --
      {{"__alloc_skb"}, memory, Rate::packet},
      {{"build_skb"}, memory, Rate::packet},
      {{"skb_clone"}, memory, Rate::rare},
      {{"pskb_expand_head"}, memory, Rate::rare},
      {{"__pskb_pull_tail"}, memory, Rate::rare},
      {{"skb_checksum", "__skb_checksum"}, memory, Rate::rare},
      // net/core/skbuff.c consume_skb, behind the check for other references; __consume_stateless_skb (UDP
      // receive), napi_consume_skb (transmit completion), net/core/dev.c net_tx_action and, in later
      // kernels, sk_skb_reason_drop with SKB_CONSUMED fire it too.
      {{"consume_skb"},
       memory,
       Rate::packet,
       proxy("consume_skb",
             "counts last references only, and those freed by napi_consume_skb, UDP receive and others",
             false)},
      {{"napi_consume_skb"}, memory, Rate::packet},
      {{"__kfree_skb"}, memory, Rate::packet},
      {{"skb_release_data"}, memory, Rate::packet},
      {{"kfree_skbmem"}, memory, Rate::packet},
      // net/core/page_pool.c, once for each page that leaves its pool: in page_pool_release_page in 5.10 and
      // 6.1 (page_pool_return_page is a caller of it there), in page_pool_return_page in 6.12, in
      // page_pool_return_netmem in 6.18 and later.
      {{"page_pool_return_netmem", "page_pool_release_page", "page_pool_return_page"},
       memory,
       Rate::rare,
       proxy("page_pool_state_release")},

      // -- timer --
      {{"tcp_write_timer"}, timer, Rate::rare},
      {{"tcp_delack_timer"}, timer, Rate::rare},
  };
  return kTable;
}

}  // namespace

std::span<const TableEntry> function_table() {
  return table();
}

}  // namespace nettoll
