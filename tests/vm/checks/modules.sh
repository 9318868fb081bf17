# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# A module comes and goes, again and again, under traffic: its function is counted each time, what is counted anyway stays right,
# no counter falls, and neither memory nor descriptors grow. By kprobes, which do not hold the module. Needs nettoll and udp_blast
# aboard. $ROUNDS is how often, 5 unless given.

rounds=${ROUNDS:-5}
reason=$(no_socket_reason)
calls() { metric 'nettoll_function_calls_total{function="dummy_xmit"'; }
resident_kib() { awk '/^VmRSS/ { print $2 }' /proc/$server/status; }
descriptors() {
  # shellcheck disable=SC2012 # a number of entries
  ls /proc/$server/fd | wc -l
}
# The probe is listed before the program is at it: nettoll's log tells when.
hooked() { # TIMES
  [ "$(grep -c 'attached: dummy_xmit by kprobe' /tmp/log)" -ge "$1" ]
}
nobody_hooks() { ! grep -q dummy_xmit /sys/kernel/debug/kprobes/list; }
counted() { # PACKETS
  scrape && [ "$(calls)" = "$1" ]
}
no_counter_fell() {
  awk 'NR == FNR { before[$1] = $NF; next } /^[a-z_]*_total[{ ]/ && $1 in before && $NF < before[$1] { print; bad = 1 }
    END { exit bad }' /tmp/metrics.before /tmp/metrics || fail "counters fell"
}

: >/tmp/log
nettoll -v serve --interval 500ms --set core --function dummy:dummy_xmit --method kprobe -e cpu-clock -F 199 2>/tmp/log &
server=$!
await grep -q serving /tmp/log
sent=0
lost=0
for round in $(seq "$rounds"); do
  modprobe dummy || fail "modprobe dummy"
  await hooked "$round"
  before=$(sent_by dummy0)
  { ip link set dummy0 up && ip addr add 10.99.0.1/24 dev dummy0; } || fail "dummy0"
  udp_blast --to 127.0.0.1 --packets 2000 --open 1000 --rate 20000 >/dev/null
  ping -q -c 5 -i 0.02 -W 1 10.99.0.2 >/dev/null # there is nobody to answer
  ip link set dummy0 down
  sent=$((sent + $(sent_by dummy0) - before)) lost=$((lost + 1000))
  await counted $sent
  [ "$round" -eq 1 ] || no_counter_fell
  cp /tmp/metrics /tmp/metrics.before
  rmmod dummy || fail "the module is held"
  await nobody_hooks
  [ "$round" -ne $((rounds / 4 + 1)) ] || { memory=$(resident_kib) files=$(descriptors); }
done
scrape
same "dummy_xmit over $rounds lives of its module, and what dummy0 sent" "$(calls)" $sent
same "drops $reason" "$(metric "nettoll_drops_total{reason=\"$reason\"")" $lost
echo "memory: $memory to $(resident_kib) KiB, descriptors: $files to $(descriptors)"
[ "$(resident_kib)" -lt $((memory + 2048)) ] || fail "memory grows"
[ "$(descriptors)" -le "$files" ] || fail "descriptors grow"
kill $server
wait $server || fail "serve: status $?: $(cat /tmp/log)"
capability "modules that come and go" "$rounds times, exact"
