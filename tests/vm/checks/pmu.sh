# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# A hardware PMU, from the kernel to the metric: which events run, event by event; costs by cycles; more events than counters;
# TLB misses where the PMU has them. Needs nettoll, udp_blast, count_sends and stride_recv aboard.

events=cycles,instructions,cache-misses,branch-misses,dTLB-load-misses,dTLB-store-misses,iTLB-load-misses
# What runs here, tried one by one: an event that is named must run.
here=
for event in $(echo $events | tr , ' '); do
  nettoll record --set core -e "$event" -d 0.2 -o /tmp/try.data 2>/tmp/try.log && here="$here $event" || sed 's/^nettoll: //' /tmp/try.log
done
echo "here:$here"
capability events "$(echo cpu-clock$here | sed 's/ /, /g')"
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
  nettoll record --set core -e cycles -o /tmp/alone.data -- count_sends open 10000 1 cycles >/dev/null
  nettoll record --set core -e $many -o /tmp/many.data -- count_sends open 10000 1 cycles >/dev/null || fail "record of many: $?"
  nettoll report --limit 1 -i /tmp/many.data | sed -n '/^event/,/^$/p'
  nettoll report --json -i /tmp/many.data >/tmp/many.json
  shared=0
  for name in $(echo $many | tr , ' '); do
    ratio=$(event /tmp/many.json "$name" running_ratio) total=$(event /tmp/many.json "$name" total_events)
    awk -v r="$ratio" 'BEGIN { exit !(r > 0 && r < 0.99) }' && shared=$((shared + 1))
    # A scaled total claims that the rest of the time was like what was seen.
    awk -v a="$total" -v b="$(event /tmp/many.json cycles total_events)" 'BEGIN { exit !(a > b * 0.9 && a < b * 1.1) }' ||
      fail "$name: $total, while cycles are $(event /tmp/many.json cycles total_events)"
  done
  [ $shared -ge 10 ] || fail "only $shared events shared a counter"
  nettoll serve --set core -e $many --interval 1s --web.listen-address 127.0.0.1:10435 >/tmp/serve.log 2>&1 &
  server=$!
  sleep 6
  wget -q -O /tmp/metrics http://127.0.0.1:10435/metrics || fail "no metrics: $(cat /tmp/serve.log)"
  kill $server
  wait $server
  awk '/^nettoll_event_running_ratio/ && $NF > 0 && $NF < 0.99 { n++ } END { exit n < 10 }' /tmp/metrics ||
    fail "the running ratio is not exported: $(grep running_ratio /tmp/metrics)"
fi

if has dTLB-store-misses; then
  echo "--- TLB misses of a receiver that strides over 64 MB, and of one that does not"
  for stride in 0 8192; do
    nettoll record --set core --function udp_recvmsg -e dTLB-store-misses -c 20 -o /tmp/stride.data -- \
      stride_recv 20000 64 $stride || fail "record: status $?"
    nettoll report --json -i /tmp/stride.data >/tmp/stride.$stride.json
    echo "stride $stride: $(per_call /tmp/stride.$stride.json dTLB-store-misses udp_recvmsg) misses a call of udp_recvmsg, samples"
  done
  set -- $(per_call /tmp/stride.0.json dTLB-store-misses udp_recvmsg) $(per_call /tmp/stride.8192.json dTLB-store-misses udp_recvmsg)
  awk -v a="$1" -v b="$3" -v n="$4" 'BEGIN { exit !(n >= 100 && b > 0.5 && b > a * 2) }' || fail "the misses do not rise"
  nettoll serve --set core --function udp_recvmsg -e dTLB-store-misses -c 20 --interval 1s >/tmp/serve.log 2>&1 &
  server=$!
  until grep -q serving /tmp/serve.log; do sleep 1; done
  stride_recv 20000 64 8192
  sleep 3
  wget -q -O /tmp/metrics http://127.0.0.1:10435/metrics || fail "no metrics: $(cat /tmp/serve.log)"
  kill $server
  wait $server
  grep 'nettoll_function_events_total{.*udp_recvmsg.*' /tmp/metrics
  awk '/^nettoll_function_events_total[{]/ && /"udp_recvmsg"/ && /dTLB-store-misses/ && /inclusive/ { v = $NF }
    /^nettoll_path_packets_total[{]/ && /"rx"/ { packets = $NF }
    END { printf "misses for each packet received, by the metrics: %.2f\n", v / packets; exit !(packets > 0 && v / packets > 0.5) }' \
    /tmp/metrics || fail "the metrics do not show the misses"
fi
exit 0
