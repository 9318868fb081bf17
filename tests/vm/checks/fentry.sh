# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# The main job where fentry works: functions are counted at their entry, and agree to the unit with what the tracepoints of
# the same run count and with the kernel's own counters. Needs nettoll and udp_blast aboard.

packets=20000
closed=5000
reason=$(no_socket_reason)

nettoll doctor || fail "doctor says that the main job cannot run"
nettoll doctor | grep -q '^ok *fentry' || fail "fentry does not work here"
nettoll functions --method fentry | grep -E '^(net_rx_action|ip_rcv|udp_rcv) ' || fail "functions"
counted=$(nettoll functions --set wide | grep -c ' counted ')
[ "$counted" -ge 60 ] || fail "only $counted functions can be counted by fentry"

in0=$(snmp Ip InReceives) udp0=$(snmp Udp InDatagrams) no0=$(snmp Udp NoPorts) irqs0=$(softirqs NET_RX)
nettoll record --set wide --method fentry -F 499 -o /tmp/fentry.data -- \
  udp_blast --to 127.0.0.1 --packets $packets --open $((packets - closed)) || fail "record: status $?"
in1=$(snmp Ip InReceives) udp1=$(snmp Udp InDatagrams) no1=$(snmp Udp NoPorts) irqs1=$(softirqs NET_RX)
nettoll report --limit 5 /tmp/fentry.data
nettoll report --json /tmp/fentry.data >/tmp/fentry.json || fail "report --json: status $?"

calls() { value /tmp/fentry.json calls function "$1"; }
grep -q '"method": "fentry"' /tmp/fentry.json || fail "nothing was counted by fentry"
same "ip_rcv by fentry, and IpInReceives" "$(calls ip_rcv)" $((in1 - in0))
same "udp_rcv by fentry, and UdpInDatagrams + UdpNoPorts" "$(calls udp_rcv)" $((udp1 - udp0 + no1 - no0))
same "UdpNoPorts" $((no1 - no0)) $closed
same "ip_rcv by fentry, and packets of the rx path by tracepoint" "$(calls ip_rcv)" "$(value /tmp/fentry.json packets path rx)"
same "net_rx_action by fentry, and NET_RX runs by tracepoint" "$(calls net_rx_action)" \
  "$(net_rx_runs /tmp/fentry.json)"
[ "$(calls net_rx_action)" -le $((irqs1 - irqs0)) ] || fail "more runs of NET_RX than /proc/softirqs has"
same "drops $reason" "$(value /tmp/fentry.json packets reason $reason)" $closed
grep -q 'udp_sendmsg\|__udp4_lib_rcv\|udp_rcv' /tmp/fentry.json || fail "no sample of the UDP path"
exit 0
