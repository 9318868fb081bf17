# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# Exact mode where fentry works: each call's exit finds its entry, whatever nests, sleeps or moves to another CPU; the own
# cost is known. Needs nettoll and udp_blast aboard.

fail() {
  echo "FAILED: $*"
  exit 1
}
same() { # WHAT GOT EXPECTED
  [ -n "$2" ] && [ "$2" = "$3" ] || fail "$1: $2, not $3"
  echo "$1: $2"
}
snmp() { # PROTOCOL COLUMN
  awk -v p="$1:" -v column="$2" '$1 == p && !n { for (i = 2; i <= NF; i++) if ($i == column) n = i; next }
    $1 == p { print $n }' /proc/net/snmp
}
# exact JSON FUNCTION KEY: a number of the function in the report's part `exact`, whose only measure is the time. Rows there
# are indented by four spaces; keys come in alphabetical order, so that those of the costs are before the name.
exact() {
  awk -F'[":, ]+' -v function_name="$2" -v key="$3" '/^  "exact"/ { inside = 1 } /^  \]/ { inside = 0 } !inside { next }
    /^    [{]/ { value = ""; name = "" } $2 == key { value = $3 } $2 == "function" { name = $3 }
    /^    [}]/ && name == function_name { print value; exit }' "$1"
}
# Calls that were measured, or left out since their task was switched out or moved.
ended() { # JSON FUNCTION
  echo $(($(exact "$1" "$2" n) + $(exact "$1" "$2" cpu_changed) + $(exact "$1" "$2" switched)))
}
record() { # FILE FUNCTIONS OPTION... -- COMMAND
  file=$1 functions=$2
  shift 2
  nettoll record --exact "$functions" --set core -o "$file.data" "$@" || fail "record $functions: status $?"
  nettoll report "$file.data" | sed -n '/^Exact cost/,/^$/p'
  nettoll report --json "$file.data" >"$file.json" || fail "report --json: status $?"
}

packets=20000
closed=5000

sent() { awk '$1 == "lo:" { print $11 }' /proc/net/dev; }

# The receive softirq runs at the end of the transmit that raised it, and answers packets to a closed port by a transmit of
# its own: __dev_queue_xmit inside __dev_queue_xmit.
echo "--- every call, functions inside one another and inside themselves"
in0=$(snmp Ip InReceives) sent0=$(sent)
record /tmp/all net_rx_action,ip_rcv,udp_rcv,udp_sendmsg,__dev_queue_xmit -e none -- \
  udp_blast --to 127.0.0.1 --packets $packets --open $((packets - closed))
in1=$(snmp Ip InReceives) sent1=$(sent)
same "ip_rcv measured, and IpInReceives" "$(exact /tmp/all.json ip_rcv n)" $((in1 - in0))
same "udp_sendmsg ended, and packets sent" "$(ended /tmp/all.json udp_sendmsg)" $packets
same "udp_rcv measured, and packets sent" "$(exact /tmp/all.json udp_rcv n)" $packets
[ $((sent1 - sent0)) -ge $((packets + closed)) ] || fail "packets to a closed port were not answered"
same "__dev_queue_xmit ended, and packets of lo" "$(ended /tmp/all.json __dev_queue_xmit)" $((sent1 - sent0))
same "net_rx_action calls, and measured" "$(exact /tmp/all.json net_rx_action calls)" "$(exact /tmp/all.json net_rx_action n)"
[ "$(exact /tmp/all.json ip_rcv own_cost_ns | cut -d. -f1)" -gt 0 ] || fail "the own cost is not known"
mean() { exact /tmp/all.json "$1" mean_ns | cut -d. -f1; }
[ "$(mean net_rx_action)" -gt "$(mean ip_rcv)" ] || fail "net_rx_action is shorter than ip_rcv inside it"

echo "--- one call in ten, with sampling"
record /tmp/tenth ip_rcv --exact-rate 10 -e cpu-clock -F 499 -- udp_blast --to 127.0.0.1 --packets $packets --open $packets
same "ip_rcv calls" "$(exact /tmp/tenth.json ip_rcv calls)" $packets
n=$(exact /tmp/tenth.json ip_rcv n)
# Intervals are drawn evenly from 1 to 19: 2000 of them have a mean within 1.3%.
[ "$n" -ge 1800 ] && [ "$n" -le 2200 ] || fail "$n of $packets calls measured"
# What ran below the trampoline of the exit program is the function's, not our own.
sed -n '/^  "functions"/,/^  ]/p' /tmp/tenth.json | grep -q '"function": "ip_rcv"' || fail "ip_rcv is in no sample"
! grep -q bpf_trampoline /tmp/tenth.json || fail "a trampoline shows up as a function"

echo "--- sleeping and moving"
# shellcheck disable=SC2016
record /tmp/moved hrtimer_nanosleep,sched_setaffinity -e none -- \
  sh -c 'for i in 0 1 2 3 4 5 6 7 8 9; do usleep 20000; taskset 1 true; taskset 2 true; done'
calls=$(exact /tmp/moved.json hrtimer_nanosleep calls)
[ "$calls" -ge 10 ] || fail "$calls calls of hrtimer_nanosleep"
lost=$(($(exact /tmp/moved.json hrtimer_nanosleep switched) + $(exact /tmp/moved.json hrtimer_nanosleep cpu_changed)))
[ "$lost" -ge 10 ] || fail "of $calls calls that slept only $lost were left out"
# There is nowhere to move to where there is one CPU.
[ "$(nproc)" = 1 ] || [ "$(exact /tmp/moved.json sched_setaffinity cpu_changed)" -ge 5 ] || fail "no call was seen to move"
same "sched_setaffinity ended, and its calls" "$(ended /tmp/moved.json sched_setaffinity)" \
  "$(exact /tmp/moved.json sched_setaffinity calls)"

echo "--- where a function cannot be hooked"
nettoll record --exact no_such_function -d 1 -o /tmp/none.data
same "status for a function that does not exist" $? 2
nettoll record --exact ip_rcv --method tracepoint -d 1 -o /tmp/none.data
same "status where nothing can be measured" $? 1
record /tmp/pair net_rx_action --method tracepoint -e none -- udp_blast --to 127.0.0.1 --packets 1000 --open 1000
same "net_rx_action by tracepoints: calls, and measured" "$(exact /tmp/pair.json net_rx_action calls)" "$(exact /tmp/pair.json net_rx_action n)"

# Probed, it would call itself: such a kernel stops.
nettoll record --set core -e none --exact bpf_ktime_get_ns -d 1 -o /tmp/refused.data 2>/tmp/log && fail "a helper of the probes was probed"
grep -q "own programs run it" /tmp/log || fail "no reason: $(cat /tmp/log)"
exit 0
