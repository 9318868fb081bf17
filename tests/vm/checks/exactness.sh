# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# A million datagrams over loopback, from all CPUs, half of them to a closed port, each of which is answered: what nettoll
# counts equals what the kernel counts, to the unit. Needs nettoll and udp_blast aboard.

packets=1000000
closed=$((packets / 2))
cpus=$(nproc)
reason=$(no_socket_reason)

cat >/tmp/send <<END
. /common.sh
blast() { # CPU
  udp_blast --cpu \$1 --to 127.0.0.1 --open-port \$((9000 + \$1)) --closed-port 8000 --limit 900 \\
    --packets $((packets / cpus)) --open $(((packets - closed) / cpus)) >/tmp/sent.\$1
}
counters >/tmp/within0
for cpu in $(seq 1 $((cpus - 1))); do blast \$cpu & done
blast 0
wait
counters >/tmp/within1
END
# The kernel's counters are read within nettoll's window and around it: nothing else may have moved them.
counters >/tmp/around0
nettoll record --set core --function ip_rcv --function udp_rcv -e none -o /tmp/exact.data -- sh /tmp/send || fail "record: status $?"
counters >/tmp/around1
nettoll report --json -i /tmp/exact.data >/tmp/exact.json || fail "report: status $?"
received=0
for sent in /tmp/sent.*; do
  cat "$sent"
  grep -q '"send_errors":0,.*"complete":true' "$sent" || fail "not all was sent"
  received=$((received + $(sed 's/.*"received":\([0-9]*\),.*/\1/' "$sent")))
done

for name in IpInReceives UdpInDatagrams UdpNoPorts UdpRcvbufErrors lo softnet NET_RX; do
  same "$name while nettoll counted, and while the traffic ran" "$(gained /tmp/around0 /tmp/around1 $name)" \
    "$(gained /tmp/within0 /tmp/within1 $name)"
done
kernel() { gained /tmp/within0 /tmp/within1 "$1"; }
calls() { value /tmp/exact.json calls function "$1"; }
path() { value /tmp/exact.json packets path "$1"; }

same "UdpNoPorts" "$(kernel UdpNoPorts)" $closed
same "ip_rcv, and IpInReceives" "$(calls ip_rcv)" "$(kernel IpInReceives)"
# On a busy host the receiver may come too late for some.
same "received or dropped at the socket, and sent to a port that is read" $((received + $(kernel UdpRcvbufErrors))) \
  $((packets - closed))
same "udp_rcv, and UdpInDatagrams + UdpNoPorts + UdpRcvbufErrors" "$(calls udp_rcv)" \
  $(($(kernel UdpInDatagrams) + $(kernel UdpNoPorts) + $(kernel UdpRcvbufErrors)))
same "drops $reason, and UdpNoPorts" "$(value /tmp/exact.json packets reason "$reason")" "$(kernel UdpNoPorts)"
function=$(value /tmp/exact.json function reason "$reason")
case $function in
udp* | __udp*) echo "function that dropped: $function" ;;
*) fail "function that dropped: $function" ;;
esac
same "packets of the rx path, and of lo" "$(path rx)" "$(kernel lo)"
same "packets of the tx path, and of lo" "$(path tx)" "$(kernel lo)"
same "packets of the rx path, and softnet's processed" "$(path rx)" "$(kernel softnet)"
same "__netif_receive_skb_core, and packets of the rx path" "$(calls __netif_receive_skb_core)" "$(path rx)"
same "runs of NET_RX, and /proc/softirqs" "$(net_rx_runs /tmp/exact.json)" "$(kernel NET_RX)"
same "net_rx_action, and runs of NET_RX" "$(calls net_rx_action)" "$(kernel NET_RX)"
grep -A 30 '"losses": \[$' /tmp/exact.json | grep '"kind"' && fail "something was lost"
capability "1,000,000 packets" "to the unit"
