# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# What tracing adds to a datagram over loopback, in kernel instructions, where they repeat: on a kernel whose clock counts
# instructions. Needs nettoll, count_sends and empty_hooks aboard; bpftrace and perf are measured where they are. Prints a line
# "cost: SCENARIO: OPEN CLOSED", instructions a send to a port that is read and to one that is closed, and holds nettoll to
# bounds: so much of what empty programs on the same hooks add. tests/bench/instructions makes a table of it.

fail() {
  echo "FAILED: $*"
  [ -s /tmp/log ] && tail -n 5 /tmp/log
  exit 1
}

sends=1000
runs=5
long=50000
functions="ip_rcv udp_rcv __dev_queue_xmit ip_output"
core="tracepoint:netif_receive_skb tracepoint:net_dev_queue tracepoint:napi_poll tracepoint:softirq_entry
  tracepoint:softirq_exit tracepoint:kfree_skb"

# The lower quartile of the runs: a timer tick may land in any of them. What a sampler costs is in its interrupts, which are in
# one run that is long.
measure() { # NAME open|closed
  case $1 in
    *", long") count_sends "$2" $long 1 ;;
    *) count_sends "$2" $sends $runs | sort -n | sed -n 2p ;;
  esac
}
scenario() { # NAME
  open=$(measure "$1" open) && closed=$(measure "$1" closed) && [ -n "$closed" ] || fail "$1: count_sends"
  echo "cost: $1: $open $closed" | tee -a /tmp/costs
}
# SCENARIO must add at most OPEN and CLOSED times what REFERENCE adds, over BASE.
bound() { # SCENARIO REFERENCE BASE OPEN CLOSED
  awk -F': ' -v s="$1" -v r="$2" -v b="$3" -v open="$4" -v closed="$5" '
    { split($3, v, " "); o[$2] = v[1]; c[$2] = v[2] }
    END {
      if (!(s in o) || !(r in o) || !(b in o)) exit 1
      x = (o[s] - o[b]) / (o[r] - o[b]); y = (c[s] - c[b]) / (c[r] - c[b])
      printf "bound: %s adds %.2f and %.2f times what %s adds; at most %s and %s\n", s, x, y, r, open, closed
      exit x > open || y > closed
    }' /tmp/costs || fail "$1 costs too much"
}
# Starts a tracer, waits until its log has READY, or for a minute, which takes no time where nothing runs; measures; stops it.
traced() { # NAME READY COMMAND...
  name=$1 ready=$2
  shift 2
  : >/tmp/log # what is in the background empties it too late
  "$@" >/tmp/log 2>&1 &
  tracer=$!
  waited=0
  until [ "$ready" ] && grep -q "$ready" /tmp/log; do
    kill -0 $tracer 2>/dev/null || fail "$name ended"
    waited=$((waited + 1))
    [ $waited -lt 60 ] || break
    sleep 1
  done
  [ -z "$ready" ] || grep -q "$ready" /tmp/log || fail "$name: not ready"
  sleep 2
  scenario "$name"
  kill $tracer
  wait $tracer
  [ ! -e /tmp/counted ] || grep -q "$(cat /tmp/counted)" /tmp/log || fail "$name counted nothing"
  rm -f /tmp/counted
}
nettoll_serve() { # NAME OPTION...
  name=$1
  shift
  traced "$name" serving nettoll serve --interval 1h "$@"
}
empty() { # NAME HOOK...
  name=$1
  shift
  traced "$name" attached empty_hooks "$@"
}
at() { # METHOD: a hook of empty_hooks for each function
  for function in $functions; do echo "$1:$function"; done
}
named() {
  for function in $functions; do echo "--function $function"; done
}
# shellcheck disable=SC2046,SC2086 # words on purpose
measure_all() {
  scenario untraced
  empty "empty core" $core
  nettoll_serve "nettoll core" -e none
  scenario "untraced, long"
  nettoll_serve "nettoll core, long" -e none
  nettoll_serve "nettoll core, 99 Hz, long" -F 99 -e cycles,instructions
  for method in fentry kprobe kprobe_multi; do
    nettoll functions --set core --method $method $(named) | grep -q "^ip_rcv  *counted" || continue
    empty "empty core, $method x4" $core $(at $method)
    nettoll_serve "nettoll core, $method x4" -e none --method $method $(named)
  done
  empty "empty core, fentry x4 (again)" $core $(at fentry)
}

measure_all
if [ -f /bin/bpftrace ]; then # with same_keys.bt aboard
  echo '@rx\[' >/tmp/counted
  traced "bpftrace, same keys" "" bpftrace /bin/same_keys.bt
fi
if [ -f /bin/perf ]; then
  echo 'Captured and wrote\|Woken up' >/tmp/counted
  traced "perf record -F 99, long" "" perf record -a -g -F 99 -e cycles:k -o /tmp/perf.data
fi
scenario "untraced (again)"

# Measured: 1.74 and 1.91; single functions 1.16 and 1.2. The rest is room for other compilers and kernels.
bound "nettoll core" "empty core" untraced 1.9 2.1
bound "nettoll core, 99 Hz, long" "nettoll core, long" "untraced, long" 1.1 1.1
for method in fentry kprobe kprobe_multi; do
  grep -q "nettoll core, $method x4" /tmp/costs || continue
  echo "cost: step $method: $(awk -F': ' -v a="nettoll core, $method x4" -v b="nettoll core" '
    { split($3, v, " "); o[$2] = v[1]; c[$2] = v[2] } END { print o[a] - o[b], c[a] - c[b] }' /tmp/costs)" >>/tmp/costs
  echo "cost: empty step $method: $(awk -F': ' -v a="empty core, $method x4" -v b="empty core" '
    { split($3, v, " "); o[$2] = v[1]; c[$2] = v[2] } END { print o[a] - o[b], c[a] - c[b] }' /tmp/costs)" >>/tmp/costs
  echo "cost: nothing: 0 0" >>/tmp/costs
  bound "step $method" "empty step $method" nothing 1.3 1.3
done
[ ! -f /bin/bpftrace ] || bound "nettoll core" "bpftrace, same keys" untraced 0.5 0.5
exit 0
