# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# Packets that are dropped for real, in several ways: each is counted by its reason, or on kernels that give none by the
# function that dropped it, as often as the kernel itself says. Reasons of a module are known by name, also when it is loaded
# later. Needs nettoll, udp_blast and ovs_drop aboard.

reasons=$([ "$(no_socket_reason)" = unclassified ] || echo yes)

# Sums up the packets of drops that have VALUE under KEY.
drops() { # KEY VALUE
  awk -F'[":, ]+' -v key="$1" -v value="$2" '/^  "drops"/ { here = 1 } /^  \]/ { here = 0 } !here { next }
    /^    [{]/ { n = 0; this = 0 } $2 == "packets" { n = $3 } $2 == key && $3 == value { this = 1 }
    /^    [}]/ && this { sum += n; any = 1 } END { if (any) print sum }' /tmp/drops.json
}
await_record() {
  for _ in $(seq 100); do
    grep -q 'until Ctrl-C' /tmp/log && return
    sleep 0.2
  done
  fail "record does not start: $(cat /tmp/log)"
}
show_drops() {
  nettoll report -i /tmp/data | sed -n '/^Drops/,/^$/p'
  nettoll report --json -i /tmp/data >/tmp/drops.json || fail "report: status $?"
}
check() { # WHAT REASON FUNCTIONS EXPECTED: by reason, or by the one function of these that dropped
  if [ "$reasons" ]; then
    same "$1, drops $2" "$(drops reason "$2")" "$4"
    return
  fi
  for function in $3; do
    if [ "$(drops function "$function")" ]; then
      same "$1, drops of $function" "$(drops function "$function")" "$4"
      return
    fi
  done
  fail "$1: no drop of $3"
}

# A neighbour in a namespace of its own, and a device without a carrier: what is sent there ends in its queueing discipline.
echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
echo 1 >/proc/sys/net/ipv4/ip_forward
{ modprobe dummy && modprobe veth; } || fail "modprobe"
unshare -n sleep 600 &
neighbour=$!
sleep 1
there() {
  nsenter -t $neighbour -n -- "$@"
}
# ip of busybox cannot name the other end, which the kernel then calls veth0.
{ ip link add here type veth && ip link set veth0 netns $neighbour; } || fail "veth"
{ ip addr add 10.8.0.1/24 dev here && ip link set here up; } || fail "here"
{ there ip addr add 10.8.0.2/24 dev veth0 && there ip link set veth0 up && there ip route add default via 10.8.0.1; } ||
  fail "there"
{ ip link set dummy0 up && ip addr add 10.99.0.1/24 dev dummy0 && ip link set dummy0 arp off; } || fail "dummy0"
echo 0 >/sys/class/net/dummy0/carrier
there ping -q -c 1 10.8.0.1 || fail "the neighbour cannot be reached"

# pings ARG...: how many it sent. Nobody answers.
pings() {
  "$@" | sed -n 's/^\([0-9]*\) packets transmitted.*/\1/p'
}
no0=$(snmp Udp NoPorts) full0=$(snmp Udp RcvbufErrors) hops0=$(snmp Ip InHdrErrors)
: >/tmp/log # what is in the background empties it too late
nettoll record --set core -e none -o /tmp/data 2>/tmp/log &
recorder=$!
await_record
udp_blast --to 127.0.0.1 --packets 3000 --open 1000 || fail "udp_blast: status $?"
udp_blast --to 127.0.0.1 --packets 2000 --no-drain --receive-buffer 4096 || fail "udp_blast: status $?"
hops=$(pings there ping -q -c 60 -i 0.02 -W 1 -t 1 10.99.0.2)
queue=$(pings ping -q -c 70 -i 0.02 -W 1 10.99.0.2)
kill $recorder
wait $recorder || fail "record: status $?: $(cat /tmp/log)"
no=$(($(snmp Udp NoPorts) - no0)) full=$(($(snmp Udp RcvbufErrors) - full0)) hops_kernel=$(($(snmp Ip InHdrErrors) - hops0))
show_drops
same "UdpNoPorts" $no 2000
[ $full -ge 1000 ] || fail "UdpRcvbufErrors: $full"
same "IpInHdrErrors, and pings whose time to live ended" $hops_kernel "$hops"
check "closed port" NO_SOCKET __udp4_lib_rcv $no
check "full socket" SOCKET_RCVBUFF "udp_queue_rcv_one_skb __udp_queue_rcv_skb udp_queue_rcv_skb" $full
check "time to live" IP_INHDR ip_forward "$hops"
check "no carrier" QDISC_DROP "__dev_queue_xmit kfree_skb_list" "$queue"
capability "real drops" "$([ "$reasons" ] && echo "4 kinds, by reason" || echo "4 kinds, by function")"

# One protocol alone, in table and samples alike: what else is dropped is in neither.
: >/tmp/out
nettoll drops --json --interval 1s --proto udp --samples 1000 >>/tmp/out 2>/tmp/log &
drops=$!
for _ in $(seq 100); do
  [ -s /tmp/out ] && break
  sleep 0.2
done
no0=$(snmp Udp NoPorts)
udp_blast --to 127.0.0.1 --packets 900 --open 200 || fail "udp_blast: status $?"
[ "$(pings ping -q -c 7 -i 0.02 -W 1 10.99.0.2)" = 7 ] || fail "ping"
kill $drops
wait $drops || fail "drops: status $?: $(cat /tmp/log)"
sum_of() { # PATTERN: of the numbers behind it
  grep -o "$1[0-9]*" /tmp/out | awk -F: '{ sum += $NF } END { print sum + 0 }'
}
same "UDP drops in tables" "$(sum_of '"\(loss\|noise\)":{"packets":')" $(($(snmp Udp NoPorts) - no0))
same "UDP drops that matched" "$(sum_of '"matched":')" 700

# Reasons of modules: of one that is loaded later, by a drop, and of those that are loaded, by doctor.
[ "$reasons" ] || exit 0
modprobe openvswitch || fail "modprobe openvswitch"
if nettoll doctor | grep '^ok *drop reasons.*openvswitch'; then
  rmmod openvswitch || fail "openvswitch is in use"
  : >/tmp/log
  nettoll record --set core --function openvswitch:ovs_execute_actions -e none -o /tmp/data 2>/tmp/log &
  recorder=$!
  await_record
  modprobe openvswitch
  # Once its function is hooked, the module was looked at.
  for _ in $(seq 120); do
    grep -q '^ovs_execute_actions ' /sys/kernel/tracing/enabled_functions && break
    sleep 0.5
  done
  ovs_drop 50 || fail "ovs_drop: status $?"
  kill $recorder
  wait $recorder || fail "record: status $?: $(cat /tmp/log)"
  show_drops
  same "drops of a module loaded later" "$(drops reason LAST_ACTION)" 50
  same "ovs_execute_actions" "$(value /tmp/drops.json calls function ovs_execute_actions)" 50
  same "subsystem" "$(value /tmp/drops.json subsystem reason LAST_ACTION)" openvswitch
  capability "drop reasons of modules" openvswitch
else
  echo "openvswitch has no reasons here"
  capability "drop reasons of modules" none
fi
if modprobe mac80211 2>/dev/null; then
  nettoll doctor | grep '^ok *drop reasons.*mac80211' || fail "the reasons of mac80211 are missing"
fi
exit 0
