# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# Every method that this kernel takes counts the same, and the ladder takes the best for each function. A function of a module
# that is loaded while nettoll runs is counted. Needs nettoll and udp_blast aboard.

packets=10000
closed=2500
reason=$(no_socket_reason)

check_method() { # METHOD
  in0=$(snmp Ip InReceives) udp0=$(snmp Udp InDatagrams) no0=$(snmp Udp NoPorts)
  nettoll record --set core --function ip_rcv --function udp_rcv --method "$1" -e none -o /tmp/m.data -- \
    udp_blast --to 127.0.0.1 --packets $packets --open $((packets - closed)) || fail "record --method $1: status $?"
  in1=$(snmp Ip InReceives) udp1=$(snmp Udp InDatagrams) no1=$(snmp Udp NoPorts)
  nettoll report --json -i /tmp/m.data >/tmp/m.json || fail "report: status $?"
  same "ip_rcv by $1, and IpInReceives" "$(value /tmp/m.json calls function ip_rcv)" $((in1 - in0))
  same "udp_rcv by $1, and UdpInDatagrams + UdpNoPorts" "$(value /tmp/m.json calls function udp_rcv)" \
    $((udp1 - udp0 + no1 - no0))
  same "drops $reason" "$(value /tmp/m.json packets reason $reason)" $closed
}

# Attaching and detaching every function takes a while on an emulated CPU: no more often than needed.
nettoll doctor >/tmp/doctor || fail "doctor says that the main job cannot run: $(cat /tmp/doctor)"
cat /tmp/doctor
nettoll functions >/tmp/functions || fail "functions: status $?"
grep -v ' counted \| proxied ' /tmp/functions
counted=$(grep -c ' counted \| proxied ' /tmp/functions)
[ "$counted" -ge 60 ] || fail "only $counted functions can be counted"
capability "functions counted" "$counted of $(($(wc -l </tmp/functions) - 3))"

methods=
for method in fentry kprobe.multi kprobe; do
  if grep -q "^ok *$method  " /tmp/doctor; then
    check_method $method
    methods="$methods $method"
    capability $method yes
  else
    capability $method no
  fi
done
[ "$methods" ] || fail "no method at function entries works"
# The whole table at once where that can be, and fast: one link.
if grep -q "^ok *kprobe.multi  " /tmp/doctor; then
  n=$(nettoll functions --method kprobe.multi | grep -c " counted ")
  [ "$n" -ge 60 ] || fail "kprobe.multi counts only $n functions"
fi
if [ $reason = NO_SOCKET ]; then
  capability "drop reasons" "$(sed -n 's/^ok *drop reasons *\([0-9]*\) .*/\1/p' /tmp/doctor)"
else
  capability "drop reasons" "none: by function"
fi

# A module's device. It has no neighbours to ask for, and frees what it is given.
record_late() {
  : >/tmp/log
  nettoll record --set core --function dummy:dummy_xmit -e none -o /tmp/late.data 2>/tmp/log &
  recorder=$!
}
hooked() { grep -q '^dummy_xmit ' /sys/kernel/tracing/enabled_functions; }
# It comes while nettoll starts, which takes seconds on an emulated CPU.
record_late
sleep 0.5
modprobe dummy || fail "modprobe dummy"
await hooked
kill -INT $recorder
wait $recorder || fail "record: status $?: $(cat /tmp/log)"
rmmod dummy || fail "the module is held"
# It comes later.
record_late
await grep -q "until Ctrl-C" /tmp/log
modprobe dummy || fail "modprobe dummy"
await hooked
before=$(sent_by dummy0)
{ ip link set dummy0 up && ip addr add 10.99.0.1/24 dev dummy0; } || fail "dummy0"
ping -q -c 100 -i 0.02 -W 1 10.99.0.2 >/dev/null # there is nobody to answer
after=$(sent_by dummy0)
kill -INT $recorder
wait $recorder || fail "record: status $?: $(cat /tmp/log)"
nettoll report --json -i /tmp/late.data >/tmp/late.json
[ $((after - before)) -ge 100 ] || fail "dummy0 sent $((after - before)) packets"
same "dummy_xmit of a module loaded later, and what dummy0 sent" "$(value /tmp/late.json calls function dummy_xmit)" \
  $((after - before))
grep -q '"condition": "counted in a part of the window alone: module dummy came in it"' /tmp/late.json ||
  fail "the report does not say that dummy_xmit was counted in a part of the window"
capability "functions of modules" "yes, by $(sed -n '/"function": "dummy_xmit"/,/}/s/.*"method": "\(.*\)".*/\1/p' /tmp/late.json | head -n 1)"
rmmod dummy || fail "the module is still held"
