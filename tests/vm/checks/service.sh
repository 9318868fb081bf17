# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# The main job as the service does it: a user of no name with the capabilities of nettoll.service alone, its limits, and no way
# to get others. Needs nettoll, udp_blast, setpriv and deploy/systemd/nettoll.service aboard.

reason=$(no_socket_reason)
unit() { sed -n "s/^$1=//p" /bin/nettoll.service; }
same "ambient capabilities, and the most that it may have" "$(unit AmbientCapabilities)" "$(unit CapabilityBoundingSet)"
same "NoNewPrivileges" "$(unit NoNewPrivileges)" yes
caps=-all$(unit AmbientCapabilities | tr 'A-Z ' 'a-z\n' | sed 's/^cap_/,+/' | tr -d '\n')
echo "capabilities: $caps"
ulimit -n "$(unit LimitNOFILE)" || fail "ulimit -n"
ulimit -l unlimited
# By its path: busybox has a setpriv too, with fewer options.
as_service="/bin/setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$caps --ambient-caps=$caps --bounding-set=$caps
  --no-new-privs"
mkdir -m 777 /tmp/out
paranoid=/proc/sys/kernel/perf_event_paranoid

echo "--- record"
# What the docs ask for on kernels like this one (deploy/docs/privileges.md).
echo 2 >$paranoid
counters >/tmp/counters0
# shellcheck disable=SC2086 # words on purpose
$as_service nettoll record --set core --function ip_rcv --function udp_rcv -e cpu-clock -F 199 -o /tmp/out/data -- \
  udp_blast --to 127.0.0.1 --packets 6000 --open 3000 --rate 6000 || fail "record: status $?"
counters >/tmp/counters1
nettoll report --json -i /tmp/out/data >/tmp/report.json || fail "report: status $?"
kernel() { gained /tmp/counters0 /tmp/counters1 "$1"; }
same "ip_rcv, and IpInReceives" "$(value /tmp/report.json calls function ip_rcv)" "$(kernel IpInReceives)"
same "udp_rcv, and UdpInDatagrams + UdpNoPorts" "$(value /tmp/report.json calls function udp_rcv)" \
  $(($(kernel UdpInDatagrams) + $(kernel UdpNoPorts)))
same "packets of the rx path, and of lo" "$(value /tmp/report.json packets path rx)" "$(kernel lo)"
same "drops $reason, and UdpNoPorts" "$(value /tmp/report.json packets reason "$reason")" "$(kernel UdpNoPorts)"
samples=$(awk -F'[":, ]+' '/^  "/ { table = $2 } table == "events" && $2 == "samples" { sum += $3 } END { print sum + 0 }' /tmp/report.json)
[ "$samples" -ge 50 ] || fail "$samples samples"
echo "samples: $samples"

echo "--- serve"
: >/tmp/log # what is in the background empties it too late
serve() { # OPTION...: instead of the shell, whose number in the background is to be nettoll's
  # shellcheck disable=SC2086 # words on purpose
  exec $as_service nettoll serve --interval 1s --diagnose-interval 2s "$@" 2>/tmp/log
}
await_metric() { # NAME LEAST
  for _ in $(seq 100); do
    wget -q -O /tmp/metrics http://127.0.0.1:10435/metrics 2>/dev/null && got=$(metric "$1") && [ "${got:-0}" -ge "$2" ] && return
    sleep 0.5
  done
  fail "$1 is ${got:-not there}, not $2: $(cat /tmp/log)"
}
serve --function ip_rcv -e cpu-clock -F 199 &
server=$!
await_metric nettoll_diagnosis_up 1
udp_blast --to 127.0.0.1 --packets 6000 --open 3000 --rate 6000 >/dev/null
await_metric "nettoll_drops_total{reason=\"$reason\"" 3000
same "drops $reason by the metrics" "$(metric "nettoll_drops_total{reason=\"$reason\"")" 3000
await_metric 'nettoll_function_samples_total' 50
await_metric 'nettoll_function_calls_total{function="ip_rcv"' 9000
grep "^CapEff" /proc/$server/status
kill $server
wait $server || fail "serve: status $?: $(cat /tmp/log)"
sed -n 's/.*rights kept/rights kept/p' /tmp/log
! grep -E ' (warning|error) ' /tmp/log || fail "serve complains"

echo "--- without the setting, where it is needed"
echo 3 >$paranoid
: >/tmp/log
serve -e cpu-clock -F 199 &
server=$!
if wait $server; then fail "an event that was named and does not run is no error"; fi
grep "perf_event_paranoid" /tmp/log || echo "this kernel lets CAP_PERFMON sample all the same: $(cat /tmp/log)"
capability "service without root" "counts, samples, drops"
