# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# Another profiler takes all hardware counters away, under traffic, and gives them back: what needs none stays exact, what has
# none is unknown and not 0, the log tells of both. Needs nettoll, udp_blast and hold_counters aboard.

reason=$(no_socket_reason)
said() { # TIMES LINE
  [ "$(grep -c "$2" /tmp/log)" -ge "$1" ]
}
in_metrics() { # LINE
  wget -q -O /tmp/metrics http://127.0.0.1:10435/metrics && grep -q "$1" /tmp/metrics
}
not_in_metrics() { scrape && ! grep -q "$1" /tmp/metrics; }
lost='cycles had no hardware counter on CPUs 0-1: others may have held them all'
back='cycles has its hardware counters again'
cycles='^nettoll_function_events_total{.*event="cycles"'
sum_cycles() { grep "$cycles" "$1" | awk '{ sum += $NF } END { printf "%.0f\n", sum }'; }
ran='^nettoll_event_running_ratio{event="cycles"} '

: >/tmp/log
nettoll serve --interval 1s --set core --function ip_rcv -e cycles,cpu-clock -F 199 2>/tmp/log &
server=$!
while :; do udp_blast --to 127.0.0.1 --packets 1000 --open 500 --rate 4000 >/dev/null; done &
traffic=$!
await in_metrics "$ran"
await in_metrics "$cycles"
! said 1 "$lost" || fail "it has lost counters that nobody took: $(cat /tmp/log)"
for round in 1 2; do
  hold_counters >/tmp/held &
  holder=$!
  await grep -q '^held' /tmp/held
  echo "another profiler: $(cat /tmp/held)"
  await said $round "$lost"
  await not_in_metrics "$ran"
  cp /tmp/metrics /tmp/metrics.before
  sleep 5
  scrape
  grep -q "$ran" /tmp/metrics && fail "cycles ran without a counter"
  # What takes none goes on; cycles stand still.
  for name in nettoll_path_packets_total "nettoll_drops_total{reason=\"$reason\"" 'nettoll_function_calls_total{function="ip_rcv"' \
    'nettoll_function_samples_total'; do
    [ "$(metric "$name")" -gt "$(metric "$name" /tmp/metrics.before)" ] || fail "$name stands still"
  done
  same "cycles while there is no counter" "$(sum_cycles /tmp/metrics)" \
    "$(sum_cycles /tmp/metrics.before)"
  if [ $round -eq 1 ]; then
    echo "--- a recording meanwhile"
    nettoll record -e cycles,cpu-clock -F 199 --set core -d 2 -o /tmp/data 2>/tmp/record.log || fail "record: $(cat /tmp/record.log)"
    cat /tmp/record.log
    nettoll report -i /tmp/data | sed -n '1,/^Functions/p' >/tmp/header
    cat /tmp/header
    grep -q "^gap *cycles: no hardware counter on CPUs 0-1, all the time: " /tmp/header || fail "the report does not tell"
  fi
  kill $holder
  wait $holder
  await said $round "$back"
  await in_metrics "$ran"
  awk 'NR == FNR { before[$1] = $NF; next } /^[a-z_]*_total[{ ]/ && $1 in before && $NF < before[$1] { print; bad = 1 }
    END { exit bad }' /tmp/metrics.before /tmp/metrics || fail "counters fell"
done
kill $traffic
wait $traffic
sleep 3
scrape
drops0=$(metric "nettoll_drops_total{reason=\"$reason\"")
hold_counters >/tmp/held &
holder=$!
await grep -q '^held' /tmp/held
udp_blast --to 127.0.0.1 --packets 4000 --open 3000 --rate 4000 >/dev/null
sleep 4
scrape
same "drops $reason without counters" $(($(metric "nettoll_drops_total{reason=\"$reason\"") - drops0)) 1000
kill $holder
kill -INT $server
wait $server || fail "serve: status $?: $(cat /tmp/log)"
cat /tmp/log
