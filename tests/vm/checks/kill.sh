# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# Killed outright, at any moment and under traffic, nettoll leaves nothing behind: no program, link, map, probe, perf event,
# process or file. Needs nettoll, udp_blast and bpftool aboard. $ROUNDS is how often, 100 unless given.

rounds=${ROUNDS:-100}
mkdir /tmp/out

# What tracers hold, a line each. A perf event lives as long as a descriptor of it.
held_cheap() {
  sed 's/^/kprobe /' /sys/kernel/debug/kprobes/list
  sed 's/^/function /' /sys/kernel/tracing/enabled_functions
  find /sys/fs/bpf -mindepth 1 | sed 's/^/pin /'
  find /tmp/out -mindepth 1 | sed 's/^/file /'
  for process in /proc/[0-9]*; do
    # shellcheck disable=SC2012 # find of busybox does not print where a link leads
    ls -l "$process/fd" | sed -n 's/.*-> \(anon_inode:.*\(bpf\|perf\).*\)/descriptor \1/p'
    read -r name <"$process/comm" && [ "$name" = nettoll ] && echo "process $process"
  done 2>/dev/null
}
held() {
  held_cheap
  # Without what bpftool itself loads to look for processes.
  for kind in prog link map; do
    bpftool $kind show 2>/dev/null | sed -n "s/^[0-9]*: /$kind &/p" | grep -v 'pid_iter\|libbpf_\|iter  '
  done
}
# Programs are freed some time after their last user is gone.
nothing_left() { # WHAT WHEN
  for _ in $(seq 40); do
    "$1" >/tmp/held
    [ -s /tmp/held ] || return 0
    sleep 0.5
  done
  fail "left behind $2: $(cat /tmp/held)"
}

# A recording, one of a command, and serve, in turn.
start() { # OPTION...
  case $((round % 3)) in
  0) ready="until Ctrl-C" && set -- record -o /tmp/out/data "$@" ;;
  1) ready=started && set -- record -o /tmp/out/data "$@" -- sh -c 'echo started; exec sleep 2' ;;
  2) ready=serving && set -- serve --interval 500ms "$@" ;;
  esac
  : >/tmp/log # what is in the background empties it too late
  nettoll "$@" >/tmp/log 2>&1 &
  pid=$!
}
await_ready() {
  for _ in $(seq 300); do
    grep -q "$ready" /tmp/log && return
    kill -0 $pid 2>/dev/null || fail "nettoll ended: $(cat /tmp/log)"
    sleep 0.1
  done
  fail "nettoll did not get ready: $(cat /tmp/log)"
}
kill_it() {
  kill -KILL $pid
  wait $pid 2>/dev/null
}

methods=
for method in fentry kprobe.multi kprobe; do
  if counts_by $method; then methods="$methods $method"; fi
done
nothing_left held "by nettoll functions, or something else traces"

while [ ! -e /tmp/stop ]; do
  udp_blast --to 127.0.0.1 --packets 4000 --open 2000 --rate 2000 >/dev/null
done &
traffic=$!

# What is looked for is there while nettoll runs.
for method in $methods; do
  round=2
  start --set core --function ip_rcv --method "$method"
  await_ready
  held >/tmp/held
  for what in prog link map descriptor process "$([ "$method" = kprobe ] && echo kprobe || echo function)"; do
    grep -q "^$what " /tmp/held || fail "while it runs, there is no $what: $(cat /tmp/held)"
  done
  echo "held by serve, $method: $(wc -l </tmp/held) things"
  kill_it
done

ready_when_killed=0
for round in $(seq "$rounds"); do
  # shellcheck disable=SC2086 # words on purpose
  set -- $methods
  shift $((round % $#))
  set -- --set core --function ip_rcv --function udp_rcv --method "$1"
  [ $((round % 25)) -ne 0 ] || set -- --set wide
  start "$@"
  # Some of them when they run, the others while they start, most of them: starting takes seconds here.
  [ $((round % 4)) -ne 0 ] || await_ready
  sleep 0.$((round * 7 % 10))
  ! grep -q "$ready" /tmp/log || ready_when_killed=$((ready_when_killed + 1))
  kill_it
  if [ $((round % 20)) -eq 0 ]; then nothing_left held "in round $round"; else nothing_left held_cheap "in round $round"; fi
  [ $((round % 20)) -ne 0 ] || echo "killed $round times"
done
touch /tmp/stop
wait $traffic
nothing_left held "at the end"
echo "killed $rounds times, $ready_when_killed of them after it had started; nothing was left"
capability "SIGKILL under traffic" "$rounds times, nothing left"
