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

// Where each tracepoint fires was read in the kernel's source (the function named in the comment) and is held
// to counts by tests/live.
const std::vector<TableEntry>& table() {
  static const std::vector<TableEntry> kTable = {
      // -- receive
      // ---------------------------------------------------------------------------------------------
      // kernel/softirq.c handle_softirqs: softirq_entry, then the vector's action; NET_RX has no other
      // caller.
      {{"net_rx_action"}, receive, Rate::batch, at_no_cost("softirq_entry", FreeCounter::net_rx_runs)},
      // net/core/dev.c __napi_poll after napi->poll; busy polling and netpoll call napi->poll and fire it
      // themselves.
      {{"__napi_poll", "napi_poll"},
       receive,
       Rate::batch,
       at_no_cost("napi_poll", FreeCounter::napi_polls, "counts polls by busy polling and netpoll too")},
      {{"process_backlog"}, receive, Rate::batch},
      {{"napi_complete_done"}, receive, Rate::batch},
      // net/core/gro.c, at the entry.
      {{"napi_gro_receive"}, receive, Rate::packet, proxy("napi_gro_receive_entry")},
      {{"napi_gro_frags"}, receive, Rate::packet, proxy("napi_gro_frags_entry")},
      {{"dev_gro_receive"}, receive, Rate::packet},
      {{"eth_type_trans"}, receive, Rate::packet},
      // net/core/dev.c netif_rx_internal, which netif_rx and __netif_rx call once each.
      {{"netif_rx_internal"}, receive, Rate::packet, proxy("netif_rx")},
      {{"netif_rx"}, receive, Rate::packet, proxy("netif_rx_entry", "counts __netif_rx too", false)},
      {{"enqueue_to_backlog"}, receive, Rate::packet},
      {{"netif_receive_skb"}, receive, Rate::packet, proxy("netif_receive_skb_entry")},
      {{"netif_receive_skb_list_internal"}, receive, Rate::batch},
      // net/core/dev.c, before the label another_round, so a VLAN tag does not fire it twice.
      {{"__netif_receive_skb_core"},
       receive,
       Rate::packet,
       at_no_cost("netif_receive_skb", FreeCounter::rx_packets)},
      {{"__netif_receive_skb_one_core"}, receive, Rate::packet},
      {{"do_xdp_generic"}, receive, Rate::rare},
      {{"packet_rcv"}, receive, Rate::rare},
      {{"tpacket_rcv"}, receive, Rate::rare},
      {{"br_handle_frame"}, receive, Rate::rare},
      {{"vlan_do_receive"}, receive, Rate::rare},
      {{"arp_rcv"}, receive, Rate::rare},
      {{"ip_rcv"}, receive, Rate::packet},
      {{"ip_rcv_core"}, receive, Rate::packet},
      {{"ip_rcv_finish"}, receive, Rate::packet},
      {{"ip_route_input_noref"}, receive, Rate::packet},
      {{"ip_route_input_slow"}, receive, Rate::packet},
      {{"fib_validate_source", "__fib_validate_source"}, receive, Rate::packet},
      // net/ipv4/fib_trie.c: once on each way out.
      {{"fib_table_lookup"}, receive, Rate::packet, proxy("fib_table_lookup")},
      {{"ip_local_deliver"}, receive, Rate::packet},
      {{"ip_local_deliver_finish"}, receive, Rate::packet},
      {{"ip_protocol_deliver_rcu"}, receive, Rate::packet},
      {{"ip_forward"}, receive, Rate::rare},
      {{"ip_defrag"}, receive, Rate::rare},
      {{"nf_hook_slow"}, receive, Rate::packet},
      {{"nf_conntrack_in"}, receive, Rate::rare},
      {{"ipt_do_table"}, receive, Rate::rare},
      {{"nft_do_chain"}, receive, Rate::rare},
      {{"udp_rcv"}, receive, Rate::packet},
      {{"__udp4_lib_rcv"}, receive, Rate::packet},
      {{"udp_queue_rcv_skb"}, receive, Rate::packet},
      {{"udp_queue_rcv_one_skb"}, receive, Rate::packet},
      {{"__udp_enqueue_schedule_skb"}, receive, Rate::packet},
      {{"tcp_v4_rcv"}, receive, Rate::packet},
      {{"tcp_v4_do_rcv"}, receive, Rate::packet},
      // net/ipv4/tcp_input.c tcp_rcv_established, first statement.
      {{"tcp_rcv_established"}, receive, Rate::packet, proxy("tcp_probe")},
      {{"tcp_rcv_state_process"}, receive, Rate::rare},
      {{"tcp_ack"}, receive, Rate::packet},
      {{"tcp_data_queue"}, receive, Rate::packet},
      {{"icmp_rcv"}, receive, Rate::rare},
      {{"__icmp_send"}, transmit, Rate::rare},
      {{"ipv6_rcv"}, receive, Rate::packet},
      {{"ip6_input"}, receive, Rate::packet},
      // net/ipv6/route.c fib6_table_lookup, at its end.
      {{"fib6_table_lookup"}, receive, Rate::packet, proxy("fib6_table_lookup")},
      {{"tcp_v6_rcv"}, receive, Rate::packet},
      {{"udpv6_rcv"}, receive, Rate::packet},
      // net/core/sock.c sock_def_readable, first statement; protocols with a wake-up of their own fire it as
      // well.
      {{"sock_def_readable"},
       receive,
       Rate::packet,
       proxy("sk_data_ready", "counts other protocols' wake-ups too", false)},

      // -- transmit
      // --------------------------------------------------------------------------------------------
      // net/core/dev.c __dev_queue_xmit, behind the egress hooks of nftables and tc.
      {{"__dev_queue_xmit"},
       transmit,
       Rate::packet,
       at_no_cost("net_dev_queue", FreeCounter::tx_packets,
                  "misses packets that an egress filter dropped or redirected")},
      // net/core/dev.c xmit_one, once for each packet of the list that dev_hard_start_xmit is given.
      {{"dev_hard_start_xmit"},
       transmit,
       Rate::packet,
       proxy("net_dev_start_xmit", "counts packets; a call with a list of segments is several", false)},
      {{"net_tx_action"}, transmit, Rate::batch, at_no_cost("softirq_entry", FreeCounter::net_tx_runs)},
      // net/core/dev.c dev_qdisc_enqueue, after q->enqueue.
      {{"dev_qdisc_enqueue"}, transmit, Rate::packet, proxy("qdisc_enqueue")},
      // net/sched/sch_generic.c dequeue_skb, on its way out, also when there is nothing to send.
      {{"dequeue_skb"}, transmit, Rate::packet, proxy("qdisc_dequeue")},
      {{"__qdisc_run"}, transmit, Rate::batch},
      {{"sch_direct_xmit"}, transmit, Rate::packet},
      {{"validate_xmit_skb"}, transmit, Rate::packet},
      {{"__skb_gso_segment"}, transmit, Rate::rare},
      {{"loopback_xmit"}, transmit, Rate::rare},
      {{"veth_xmit"}, transmit, Rate::rare},
      {{"ip_local_out"}, transmit, Rate::packet},
      {{"__ip_local_out"}, transmit, Rate::packet},
      {{"ip_output"}, transmit, Rate::packet},
      {{"ip_finish_output2"}, transmit, Rate::packet},
      {{"__ip_queue_xmit"}, transmit, Rate::packet},
      {{"ip_send_skb"}, transmit, Rate::packet},
      {{"ip_make_skb"}, transmit, Rate::packet},
      {{"__ip_append_data"}, transmit, Rate::packet},
      {{"ip_route_output_key_hash_rcu", "ip_route_output_key_hash"}, transmit, Rate::packet},
      {{"neigh_resolve_output"}, transmit, Rate::rare},
      {{"ip6_xmit"}, transmit, Rate::packet},
      {{"ip6_output"}, transmit, Rate::packet},
      {{"udp_send_skb"}, transmit, Rate::packet},
      {{"tcp_write_xmit"}, transmit, Rate::packet},
      {{"__tcp_transmit_skb"}, transmit, Rate::packet},
      // net/ipv4/tcp_output.c __tcp_retransmit_skb, once for each call that sent.
      {{"__tcp_retransmit_skb"},
       transmit,
       Rate::rare,
       proxy("tcp_retransmit_skb", "misses calls that could not send", false)},

      // -- socket
      // ----------------------------------------------------------------------------------------------
      // net/socket.c sock_sendmsg_nosec and sock_recvmsg_nosec, after the protocol's function returned.
      {{"sock_sendmsg", "__sock_sendmsg"},
       socket,
       Rate::packet,
       proxy("sock_send_length", "counts all callers of sock_sendmsg_nosec", false)},
      {{"sock_recvmsg"},
       socket,
       Rate::packet,
       proxy("sock_recv_length", "counts all callers of sock_recvmsg_nosec", false)},
      {{"__sys_sendto"}, socket, Rate::packet},
      {{"__sys_recvfrom"}, socket, Rate::packet},
      {{"udp_sendmsg"}, socket, Rate::packet},
      {{"udp_recvmsg"}, socket, Rate::packet},
      {{"udpv6_sendmsg"}, socket, Rate::packet},
      {{"tcp_sendmsg"}, socket, Rate::packet},
      {{"tcp_sendmsg_locked"}, socket, Rate::packet},
      {{"tcp_recvmsg"}, socket, Rate::packet},
      // net/core/datagram.c skb_copy_datagram_iter, first statement.
      {{"skb_copy_datagram_iter"}, socket, Rate::packet, proxy("skb_copy_datagram_iovec")},
      {{"__skb_recv_udp"}, socket, Rate::packet},
      // net/ipv4/tcp_input.c tcp_rcv_space_adjust, first statement.
      {{"tcp_rcv_space_adjust"}, socket, Rate::packet, proxy("tcp_rcv_space_adjust")},

      // -- drop
      // ------------------------------------------------------------------------------------------------
      // net/core/skbuff.c: sk_skb_reason_drop since 6.11, kfree_skb_reason since 5.17.
      {{"sk_skb_reason_drop", "kfree_skb_reason", "kfree_skb"},
       drop,
       Rate::rare,
       at_no_cost("kfree_skb", FreeCounter::drops,
                  "fires for the last reference only, and for packets freed in lists", false)},

      // -- memory
      // ----------------------------------------------------------------------------------------------
      {{"__alloc_skb"}, memory, Rate::packet},
      {{"build_skb"}, memory, Rate::packet},
      {{"skb_clone"}, memory, Rate::rare},
      {{"pskb_expand_head"}, memory, Rate::rare},
      {{"__pskb_pull_tail"}, memory, Rate::rare},
      {{"skb_checksum", "__skb_checksum"}, memory, Rate::rare},
      // net/core/skbuff.c consume_skb and its relatives, when the last reference goes.
      {{"consume_skb"},
       memory,
       Rate::packet,
       proxy("consume_skb", "fires for the last reference only, and for napi_consume_skb and others too",
             false)},
      {{"napi_consume_skb"}, memory, Rate::packet},
      {{"__kfree_skb"}, memory, Rate::packet},
      {{"skb_release_data"}, memory, Rate::packet},
      {{"kfree_skbmem"}, memory, Rate::packet},

      // -- timer
      // -----------------------------------------------------------------------------------------------
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
