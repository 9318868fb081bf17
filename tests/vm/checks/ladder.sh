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

nettoll doctor || fail "doctor says that the main job cannot run"
nettoll functions >/tmp/functions || fail "functions: status $?"
grep -v ' counted \| proxied ' /tmp/functions
counted=$(grep -c ' counted \| proxied ' /tmp/functions)
[ "$counted" -ge 60 ] || fail "only $counted functions can be counted"
capability "functions counted" "$counted of $(($(wc -l </tmp/functions) - 3))"

methods=$(methods_here)
[ "$methods" ] || fail "no method at function entries works"
for method in fentry kprobe.multi kprobe; do
  case " $(echo $methods) " in
  *" $method "*)
    check_method $method
    n=$(nettoll functions --method $method | grep -c " counted ")
    [ "$n" -ge 60 ] || fail "$method counts only $n functions"
    capability $method yes
    ;;
  *) capability $method no ;;
  esac
done
if [ $reason = NO_SOCKET ]; then
  capability "drop reasons" "$(nettoll doctor | sed -n 's/^ok *drop reasons *\([0-9]*\) .*/\1/p')"
else
  capability "drop reasons" "none: by function"
fi

# A module that comes later. Its device has no neighbours to ask for, and frees what it is given.
nettoll record --set core --function dummy:dummy_xmit -e none -o /tmp/late.data -d 600 2>/tmp/late.log &
recorder=$!
sleep 4
modprobe dummy || fail "modprobe dummy"
ip link set dummy0 up && ip addr add 10.99.0.1/24 dev dummy0 || fail "dummy0"
sleep 4 # two ticks of a second, and what an emulated CPU needs to read its symbols
before=$(sent_by dummy0)
udp_blast --to 10.99.0.2 --packets 2000 --open 0 >/dev/null || fail "udp_blast: status $?"
after=$(sent_by dummy0)
kill -INT $recorder
wait $recorder || fail "record: status $?: $(cat /tmp/late.log)"
nettoll report --json -i /tmp/late.data >/tmp/late.json
[ $((after - before)) -ge 2000 ] || fail "dummy0 sent $((after - before)) packets"
same "dummy_xmit of a module loaded later, and what dummy0 sent" "$(value /tmp/late.json calls function dummy_xmit)" \
  $((after - before))
capability "functions of modules" "yes, by $(sed -n '/"function": "dummy_xmit"/,/}/s/.*"method": "\(.*\)".*/\1/p' /tmp/late.json | head -n 1)"
rmmod dummy || fail "the module is still held"
