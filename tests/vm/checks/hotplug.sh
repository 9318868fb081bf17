# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# CPUs that come and go under traffic: counts stay exact, by each method, also where the CPU goes on which kprobes were opened;
# a CPU that comes, or comes back, is counted and sampled. Ids have holes, and more CPUs may be possible than are online. Needs
# nettoll and udp_blast aboard, and four CPUs.

cpus=/sys/devices/system/cpu
reason=$(no_socket_reason)
# Kernels that cannot do without CPU 0 have no such file for it.
removable=
for cpu in 0 1 2 3; do
  [ ! -e $cpus/cpu$cpu/online ] || removable="${removable:+$removable }$cpu"
done
echo "possible: $(cat $cpus/possible), online: $(cat $cpus/online), removable: $removable"
[ "$(cat $cpus/possible)" = 0-3 ] || fail "not four CPUs"

turn() { # on|off CPU
  if [ "$1" = on ]; then want=1; else want=0; fi
  echo $want >"$cpus/cpu$2/online" || fail "CPU $2 cannot be turned $1"
}
blast() { # CPU PACKETS RATE: half of them to a closed port
  udp_blast --cpu "$1" --to 127.0.0.1 --open-port $((9000 + $1)) --closed-port 8000 --packets "$2" --open $(($2 / 2)) \
    --rate "$3" >/dev/null
}
# Sends until /tmp/stop is there, on CPU while it is online. A sender whose CPU goes is moved to another.
keep_sending() { # CPU
  while [ ! -e /tmp/stop ]; do
    [ "$(cat "$cpus/cpu$1/online" 2>/dev/null || echo 1)" = 0 ] || blast "$1" 2000 2000 2>/dev/null || sleep 0.1
  done
}
send_everywhere() {
  rm -f /tmp/stop
  senders=
  for cpu in 0 1 2 3; do
    keep_sending $cpu &
    senders="$senders $!"
  done
}
stop_sending() {
  touch /tmp/stop
  # shellcheck disable=SC2086 # words on purpose
  wait $senders
}
stop_nettoll() { # PID
  kill "$1"
  wait "$1" || fail "nettoll: status $?: $(cat /tmp/log)"
}
check_counts() { # WHAT: of /tmp/report.json, between /tmp/counters0 and 1
  kernel() { gained /tmp/counters0 /tmp/counters1 "$1"; }
  same "$1: ip_rcv, and IpInReceives" "$(value /tmp/report.json calls function ip_rcv)" "$(kernel IpInReceives)"
  same "$1: udp_rcv, and UdpInDatagrams + UdpNoPorts" "$(value /tmp/report.json calls function udp_rcv)" \
    $(($(kernel UdpInDatagrams) + $(kernel UdpNoPorts)))
  same "$1: packets of the rx path, and of lo" "$(value /tmp/report.json packets path rx)" "$(kernel lo)"
  same "$1: drops $reason, and UdpNoPorts" "$(value /tmp/report.json packets reason "$reason")" "$(kernel UdpNoPorts)"
  same "$1: runs of NET_RX, and /proc/softirqs" "$(net_rx_runs /tmp/report.json)" "$(kernel NET_RX)"
}
events_of() { # PID: how many it has open
  # shellcheck disable=SC2010 # find of busybox does not print where a link leads
  ls -l "/proc/$1/fd" | grep -c perf_event
}
# Samples of a CPU; those of its rows come before its number.
samples_on() { # CPU
  awk -F'[":, ]+' -v cpu="$1" '/^  "cpus"/ { in_cpus = 1 } /^  \]/ { in_cpus = 0 } !in_cpus { next } /^    [{]/ { n = 0 }
    $2 == "samples" { n += $3 } /^      "cpu"/ && $3 == cpu { print n; exit }' /tmp/report.json
}
record() { # OPTION...: instead of the shell, whose number in the background is to be nettoll's
  exec nettoll record --set core --function ip_rcv --function udp_rcv -e cpu-clock -F 199 -o /tmp/data "$@" 2>/tmp/log
}
report() {
  nettoll report --json -i /tmp/data >/tmp/report.json || fail "report: status $?"
}

# Starts with the CPUs that are online, of which the last ones, or one in the middle, are missing; they come while it runs.
check_coming() { # CPU...
  what="CPU $* came"
  counters >/tmp/counters0
  : >/tmp/log # what is in the background empties it too late
  record &
  recorder=$!
  await grep -q "until Ctrl-C" /tmp/log
  wanted=$(($(events_of $recorder) + $#))
  for cpu; do turn on "$cpu"; done
  for _ in $(seq 100); do # they are looked for once a second
    [ "$(events_of $recorder)" -lt $wanted ] || break
    sleep 0.2
  done
  for cpu; do blast "$cpu" 4000 0 || fail "udp_blast on CPU $cpu"; done
  sleep 1
  stop_nettoll $recorder
  counters >/tmp/counters1
  report
  check_counts "$what"
  for cpu; do
    samples=$(samples_on "$cpu")
    [ "${samples:-0}" -ge 10 ] || fail "$what: ${samples:-no} samples on CPU $cpu"
    echo "$what: $samples samples on CPU $cpu"
  done
}
# CPUs go and come back, several times, one after the other, while all of them send.
check_going() { # METHOD
  counters >/tmp/counters0
  : >/tmp/log
  record --method "$1" &
  recorder=$!
  await grep -q "until Ctrl-C" /tmp/log
  send_everywhere
  for round in 1 2 3; do
    for cpu in $removable; do
      turn off "$cpu"
      sleep 0.$((round * 3))
      turn on "$cpu"
      sleep 0.2
    done
  done
  stop_sending
  stop_nettoll $recorder
  counters >/tmp/counters1
  report
  same "method of ip_rcv" "$(value /tmp/report.json method function ip_rcv | tr _ .)" "$1"
  check_counts "CPUs $removable went and came, $1"
}
metric() { # NAME: sum of CPU 1 in /tmp/metrics
  awk -v name="$1{" 'index($1, name) == 1 && $1 ~ /cpu="1"/ { sum += $2 } END { print sum + 0 }' /tmp/metrics
}
# Until CPU 1 has had PACKETS, and more than SECONDS were sampled there; then sets packets and seconds.
await_metrics() { # PACKETS SECONDS
  for _ in $(seq 60); do
    wget -q -O /tmp/metrics http://127.0.0.1:10435/metrics || fail "/metrics"
    packets=$(metric nettoll_cpu_packets_total) seconds=$(metric nettoll_cpu_seconds_total)
    echo "$packets $seconds" | awk -v p="$1" -v s="$2" '{ exit !($1 >= p && $2 > s) }' && return
    sleep 1
  done
  fail "serve: $packets packets and $seconds s on CPU 1, not $1 and more than $2"
}
# The same in what is always on.
check_serve() {
  : >/tmp/log
  nettoll serve --interval 1s -e cpu-clock -F 199 2>/tmp/log &
  server=$!
  await grep -q serving /tmp/log
  blast 1 4000 0
  await_metrics 4000 0
  turn off 1
  sleep 3 # so that it is seen to be gone
  await_metrics 4000 0
  echo "serve, before CPU 1 is back: $packets packets, $seconds s"
  turn on 1
  blast 1 4000 0 || fail "udp_blast on CPU 1"
  await_metrics $((packets + 4000)) "$seconds"
  echo "serve, after it is: $packets packets, $seconds s"
  stop_nettoll $server
}

# A module comes when the CPU is gone on which the first kprobes were opened.
check_module() {
  : >/tmp/log
  record --method kprobe --function dummy:dummy_xmit &
  recorder=$!
  await grep -q "until Ctrl-C" /tmp/log
  turn off 0
  modprobe dummy || fail "modprobe dummy"
  for _ in $(seq 120); do
    grep -q '^dummy_xmit ' /sys/kernel/tracing/enabled_functions && break
    sleep 0.5
  done
  before=$(sent_by dummy0)
  { ip link set dummy0 up && ip addr add 10.99.0.1/24 dev dummy0; } || fail "dummy0"
  ping -q -c 20 -i 0.02 -W 1 10.99.0.2 >/dev/null # there is nobody to answer
  after=$(sent_by dummy0)
  stop_nettoll $recorder
  turn on 0
  report
  [ $((after - before)) -ge 20 ] || fail "dummy0 sent $((after - before)) packets"
  same "dummy_xmit, hooked while CPU 0 was gone, and what dummy0 sent" \
    "$(value /tmp/report.json calls function dummy_xmit)" $((after - before))
}

missing=$(cd $cpus && grep -l 0 cpu[1-3]/online | tr -dc '0-3\n' | xargs)
if [ "$missing" ]; then
  # shellcheck disable=SC2086 # words on purpose
  check_coming $missing
fi
turn off 1
check_coming 1
for method in fentry kprobe.multi kprobe; do
  if counts_by $method; then check_going $method; fi
done
check_serve
case $removable in 0*) check_module ;; esac
capability "CPU hotplug" "exact"
