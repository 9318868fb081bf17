# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# `serve --max-overhead` under a load that exceeds it, with functions that are counted by each method: hooks go, those that stay
# count to the unit, and those that went are back, and count to the unit again, once the load is gone. Needs nettoll and udp_blast
# aboard. $METHODS are those to check, all unless given.

# Each meets the datagrams that one of the kernel's own counters counts; the last two meet few.
functions="udp_sendmsg ip_make_skb udp_send_skb udp_rcv __udp4_lib_rcv udp_queue_rcv_skb udp_queue_rcv_one_skb
  __udp_enqueue_schedule_skb icmp_rcv __udp4_lib_err"
truth_of() { # FUNCTION: between /tmp/counters0 and 1
  kernel() { gained /tmp/counters0 /tmp/counters1 "$1"; }
  case $1 in
  udp_sendmsg | ip_make_skb | udp_send_skb) kernel UdpOutDatagrams ;;
  udp_rcv | __udp4_lib_rcv) echo $(($(kernel UdpInDatagrams) + $(kernel UdpNoPorts))) ;;
  icmp_rcv | __udp4_lib_err) kernel IcmpInMsgs ;;
  *) kernel UdpInDatagrams ;;
  esac
}
read_counters() {
  counters
  echo "UdpOutDatagrams $(snmp Udp OutDatagrams)"
  echo "IcmpInMsgs $(snmp Icmp InMsgs)"
}

# The metrics once so many more intervals were collected.
intervals() { # COUNT
  scrape
  wanted=$(($(metric nettoll_collections_total) + $1))
  for _ in $(seq 240); do
    sleep 0.25
    scrape
    [ "$(metric nettoll_collections_total)" -lt $wanted ] || return 0
  done
  fail "no $1 intervals: $(cat /tmp/log)"
}
no_counter_fell() {
  awk 'NR == FNR { before[$1] = $NF; next } /^[a-z_]*_total[{ ]/ && $1 in before && $NF < before[$1] { print; bad = 1 }
    END { exit bad }' /tmp/metrics.before /tmp/metrics || fail "counters fell"
  cp /tmp/metrics /tmp/metrics.before
}
# What nettoll takes, in millionths of all CPU time.
load() { awk '/^nettoll_overhead_ratio/ { sum += $NF } END { printf "%.0f\n", sum * 1e6 }' /tmp/metrics; }
level() { metric nettoll_shedding_level; }
functions_shed() { metric 'nettoll_functions{state="shed"'; }
calls() { metric "nettoll_function_calls_total{function=\"$1\"" "$2"; } # FUNCTION FILE

budget() { # MILLIONTHS: of all CPU time
  echo "max-overhead = \"$(($1 / 10000)).$(printf %04d $(($1 % 10000)))%\"" >/tmp/config
}
blast() { udp_blast --to 127.0.0.1 --packets 10000 --open 9900 >/dev/null || fail "udp_blast"; }
traffic() {
  while [ ! -e /tmp/stop ]; do blast; done
}

check_method() { # METHOD
  echo "--- $1"
  options=
  for function in $functions; do options="$options --function $function"; done
  budget 1000000
  # shellcheck disable=SC2086 # words on purpose
  nettoll -v serve --config /tmp/config --interval 1s --diagnose-interval 0 --set core --method "$1" $options -e none 2>/tmp/log &
  server=$!
  for _ in $(seq 300); do
    grep -q serving /tmp/log && break
    sleep 0.2
  done
  intervals 4
  sed -n 's/.*debug a run /a run /p' /tmp/log
  same "functions counted" "$(metric 'nettoll_functions{state="counted"')" 10
  quiet=$(load)
  cp /tmp/metrics /tmp/metrics0
  cp /tmp/metrics /tmp/metrics.before
  read_counters >/tmp/counters0

  rm -f /tmp/stop
  traffic &
  blasts=$!
  intervals 2 # the first has but a part of it
  dear=$(load)
  for _ in 1 2 3; do
    intervals 1
    [ "$(load)" -le "$dear" ] || dear=$(load)
  done
  most=$((dear * 9 / 10))
  echo "load: $quiet quiet, $dear under traffic, the budget is $most"
  [ $((quiet * 2)) -lt $most ] || fail "it is no dearer under traffic"
  budget $most
  kill -HUP $server
  within=0
  for _ in $(seq 40); do
    intervals 1
    no_counter_fell
    if [ "$(level)" -ge 2 ] && [ "$(load)" -le $most ]; then within=$((within + 1)); else within=0; fi
    [ $within -lt 2 ] || break
  done
  [ $within -eq 2 ] || fail "a load of $(load), level $(level): $(cat /tmp/log)"
  shed=$(functions_shed)
  echo "shed: $shed functions, load: $(load)"
  : >/tmp/stop
  wait $blasts

  for _ in $(seq 60); do
    intervals 1
    no_counter_fell
    [ "$(level)" -gt 0 ] || break
  done
  same "level without the traffic" "$(level)" 0
  intervals 2
  [ -z "$(functions_shed)" ] || fail "some are shed still"
  read_counters >/tmp/counters1
  cp /tmp/metrics /tmp/metrics1
  short=0
  for function in $functions; do
    got=$(($(calls "$function" /tmp/metrics1) - $(calls "$function" /tmp/metrics0))) want=$(truth_of "$function")
    if [ $got -lt "$want" ]; then short=$((short + 1)); else same "$function, never shed" $got "$want"; fi
  done
  same "functions that miss calls, and were shed" $short "$shed"

  budget 1000000
  kill -HUP $server
  read_counters >/tmp/counters0
  blast
  intervals 2
  read_counters >/tmp/counters1
  for function in $functions; do
    same "$function, taken back" $(($(calls "$function" /tmp/metrics) - $(calls "$function" /tmp/metrics1))) "$(truth_of "$function")"
  done
  sed -n 's/.* nettoll took/nettoll took/p' /tmp/log
  kill $server
  wait $server || fail "serve: status $?: $(cat /tmp/log)"
  ! grep -E ' (warning|error) ' /tmp/log | grep -v ' more than --max-overhead' || fail "serve complains"
}

for method in ${METHODS:-fentry kprobe kprobe.multi}; do
  check_method "$method"
done
[ "$METHODS" ] || capability "shed and taken back" "fentry, kprobe, kprobe.multi: exact"
