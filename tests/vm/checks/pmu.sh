# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# A hardware PMU, from the kernel to the metric: which events run, event by event; costs by cycles; more events than counters;
# TLB misses where the PMU has them. Needs nettoll, udp_blast, count_sends and page_recv aboard.

events=cycles,instructions,cache-misses,branch-misses,dTLB-load-misses,dTLB-store-misses,iTLB-load-misses
# What runs here, tried one by one: an event that is named must run.
here=
for event in $(echo $events | tr , ' '); do
  nettoll record --set core -e "$event" -d 0.2 -o /tmp/try.data 2>/tmp/try.log && here="$here $event" || sed 's/^nettoll: //' /tmp/try.log
done
echo "here:$here"
# An emulated riscv64 derives instructions from the time, so that it is chance whether they pass the check of the PMU.
[ "$(uname -m)" != riscv64 ] || told=$(echo "$here" | sed 's/ instructions//')
capability events "$(echo "cpu-clock${told-$here}" | sed 's/ /, /g')"
has() { case " $here " in *" $1 "*) ;; *) return 1 ;; esac; }
has cycles || fail "no cycles: this check needs a PMU"

# event JSON NAME KEY
event() {
  awk -F'[":, ]+' -v wanted="$2" -v key="$3" '/^  "/ { table = $2 } table != "events" { next }
    /^    [{]/ { value = name = "" } $2 == key { value = $3 } $2 == "name" { name = $3 }
    /^    [}]/ && name == wanted { print value; exit }' "$1"
}
# per_call JSON EVENT FUNCTION: inclusive events of a call, over all paths, and samples.
per_call() {
  awk -F'[":, ]+' -v wanted="$3" -v of="$2" '
    /^  "/ { table = $2 } table != "functions" { next }
    /^    [{]/ { calls = cost = samples = 0; name = "" }
    /^      "calls"/ { calls = $3 } /^      "function"/ { name = $3 }
    /^        [{]/ { at = ""; inclusive = n = 0 }
    $2 == "event" { at = $3 } $2 == "inclusive_events" { inclusive = $3 } $2 == "inclusive_samples" { n = $3 }
    /^        [}]/ && at == of { cost += inclusive; samples += n }
    /^    [}]/ && name == wanted && calls { printf "%.3f %d\n", cost / calls, samples; exit }' "$1"
}

echo "--- the default events: those that run are taken, the others named with the reason"
nettoll record -F 499 -o /tmp/default.data -- udp_blast --to 127.0.0.1 --packets 20000 >/dev/null || fail "record: status $?"
nettoll report --json -i /tmp/default.data >/tmp/default.json
for event in cycles instructions cache-misses branch-misses; do
  # Derived from the time there: chance, each time anew.
  [ "$event $(uname -m)" != "instructions riscv64" ] || continue
  if [ "$(event /tmp/default.json $event total_events)" ]; then
    has $event || fail "$event runs by default and not by name"
  else
    ! has $event || fail "$event does not run by default"
    grep -A 1 "\"name\": \"$event\"" /tmp/default.json | grep -q '"reason": "..*"' || fail "no reason why $event is missing"
  fi
done
set -- $(per_call /tmp/default.json cycles net_rx_action)
echo "cycles a call of net_rx_action: $1, from $2 samples"
[ "$2" -ge 16 ] || fail "too few samples of net_rx_action"

echo "--- more events than counters"
# The same events under several names are several events. The PMUs here have up to 31 counters.
many=cycles
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do many="$many,r$(printf %0${i}d 0)11"; done
case $(uname -m) in aarch64) ;; *) many= ;; esac # r11: cycles of armv8_pmuv3
if [ "$many" ]; then
  # Long enough for the errors, which are estimated from slices, to be known well themselves.
  nettoll record --set core -e $many -o /tmp/many.data -- count_sends open 300000 1 cycles >/dev/null || fail "record of many: $?"
  nettoll report --limit 1 -i /tmp/many.data | sed -n '/^event/,/^$/p'
  nettoll report --json -i /tmp/many.data >/tmp/many.json
  cycles=$(event /tmp/many.json cycles total_events) cycles_error=$(event /tmp/many.json cycles total_standard_error_events)
  shared=0
  for name in $(echo $many | tr , ' '); do
    ratio=$(event /tmp/many.json "$name" running_ratio) total=$(event /tmp/many.json "$name" total_events)
    awk -v r="$ratio" 'BEGIN { exit !(r > 0 && r < 0.99) }' && shared=$((shared + 1))
    # They all count the same, so any two differ by what they say they may be off.
    error=$(event /tmp/many.json "$name" total_standard_error_events)
    awk -v a="$total" -v e="${error:-none}" -v b="$cycles" -v f="$cycles_error" 'BEGIN {
      exit !(e != "none" && e < a / 4 && (a - b) * (a - b) <= 4 * 4 * (e * e + f * f)) }' ||
      fail "$name: $total, may be off by ${error:-?}; cycles are $cycles, may be off by $cycles_error"
  done
  [ $shared -ge 10 ] || fail "only $shared events shared a counter"
  nettoll serve --set core -e $many --interval 1s --web.listen-address 127.0.0.1:10435 >/tmp/serve.log 2>&1 &
  server=$!
  exported() { awk '/^nettoll_event_running_ratio/ && $NF > 0 && $NF < 0.99 { n++ } END { exit n < 10 }' /tmp/metrics; }
  for _ in $(seq 60); do
    wget -q -O /tmp/metrics http://127.0.0.1:10435/metrics && exported && break
    sleep 1
  done
  exported || fail "the running ratio is not exported: $(grep running_ratio /tmp/metrics) $(cat /tmp/serve.log)"
  kill $server
  wait $server
fi

# The kernel's copy to user memory, by the names that it has. Its samples have no callers on riscv64, where the unwinder does
# not get past it, so it is followed by its own cost; a receive copies once, so it is a call of udp_recvmsg as well.
copy_names='fallback_scalar_usercopy|__asm_copy_to_user|__asm_vector_usercopy'
# self_of_copy JSON: events and samples in the copy itself.
self_of_copy() {
  awk -F'[":, ]+' -v names="^($copy_names)\$" '
    /^  "/ { table = $2 } table != "functions" { next }
    /^    [{]/ { cost = samples = 0; name = "" } /^      "function"/ { name = $3 }
    /^        [{]/ { at = ""; self = n = 0 }
    $2 == "event" { at = $3 } $2 == "self_events" { self = $3 } $2 == "self_samples" { n = $3 }
    /^        [}]/ && at == "dTLB-store-misses" { cost += self; samples += n }
    /^    [}]/ && name ~ names { all += cost; all_samples += samples }
    END { printf "%.0f %d\n", all, all_samples }' "$1"
}
datagrams=2000
receive() { # BYTES: misses of the copy a packet, a call of udp_recvmsg, and samples
  nettoll record --set core --function udp_recvmsg -e dTLB-store-misses -c 20 -o /tmp/stride.data -- \
    page_recv $datagrams "$1" >/dev/null 2>&1 || fail "record: status $?"
  nettoll report --json -i /tmp/stride.data >/tmp/stride.json
  # shellcheck disable=SC2046
  set -- $(self_of_copy /tmp/stride.json) $(value /tmp/stride.json packets path rx) $(value /tmp/stride.json calls function udp_recvmsg)
  awk -v a="$1" -v n="$2" -v packets="$3" -v calls="$4" 'BEGIN { printf "%.3f %.3f %d\n", a / packets, a / calls, n }'
}
if has dTLB-store-misses; then
  echo "--- TLB misses of a receiver whose datagrams stride over 15 pages, and of one whose lie in one"
  # The emulated TLB has one place for a page: where the buffer's is that of the packet, each store misses. The addresses are
  # random, so the best of some runs is one without such an accident.
  still=$(for i in 1 2; do receive 512; done | sort -n | head -n 1)
  strides=$(receive 61440)
  echo "one page: $still (misses of the copy a packet, a call of udp_recvmsg, samples)"
  echo "15 pages: $strides"
  # shellcheck disable=SC2086
  set -- $still $strides
  awk -v a="$1" -v b="$4" -v n="$6" 'BEGIN { exit !(n >= 100 && b > 8 && b > a * 3) }' || fail "the misses a packet do not rise"
  awk -v a="$2" -v b="$5" 'BEGIN { exit !(b > 8 && b > a * 3) }' || fail "the misses a call do not rise"
  : >/tmp/serve.log # what is in the background empties it too late
  nettoll serve --set core -e dTLB-store-misses -c 20 --interval 1s >/tmp/serve.log 2>&1 &
  server=$!
  until grep -q serving /tmp/serve.log; do sleep 1; done
  page_recv $datagrams 61440
  sleep 3
  wget -q -O /tmp/metrics http://127.0.0.1:10435/metrics || fail "no metrics: $(cat /tmp/serve.log)"
  kill $server
  wait $server
  grep -E "^nettoll_function_events_total.*($copy_names)" /tmp/metrics
  awk -v names="\"($copy_names)\"" '/^nettoll_function_events_total[{]/ && $0 ~ names && /dTLB-store-misses/ && /"self"/ { v += $NF }
    /^nettoll_path_packets_total[{]/ && /"rx"/ { packets = $NF }
    END { printf "misses of the copy a packet received, by the metrics: %.2f\n", v / packets; exit !(packets > 0 && v / packets > 8) }' \
    /tmp/metrics || fail "the metrics do not show the misses"
  capability "TLB misses" "sampled, by packet and call"
fi
exit 0
