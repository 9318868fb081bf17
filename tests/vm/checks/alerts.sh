# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# A real NIC whose receive load is not spread: a real Prometheus on the other end, with the rules that are shipped, raises the alerts on
# it, and lowers them once it is spread. An emulator's time is not this host's, so how long that takes is not judged. Run by tests/vm/nic_guest with NETTOLL_NIC_ALERTS, with nettoll, udp_sink,
# busy_tap and ethtool aboard.

set_up_nic
ask() { # SECONDS WORDS: of the other end; its answer, nothing where there is none in time
  limit=$1
  shift
  echo "$*" | timeout "$limit" nc 10.99.0.1 7000 2>/dev/null
}
tells() { # WORDS: to the other end, which answers once it is so
  for _ in $(seq 10); do
    answer=$(ask 240 "$@")
    [ -z "$answer" ] || break
    flowing # or what it answers does not come either
  done
  same "$*" "$answer" ok
}
# heated ALERT...: keeps the CPU of the busiest queue busy with receiving, and not so busy that the emulator falls behind, until each
# alert has fired.
heated() {
  taps=40
  tap=
  for _ in $(seq 80); do
    [ "$tap" ] || { busy_tap eth0 $taps & tap=$!; }
    before=$(received_by eth0)
    percent=$(heat)
    came=$(($(received_by eth0) - before))
    now=$taps
    [ "$percent" -ge 60 ] || taps=$((taps * 5 / 4))
    [ "$percent" -le 90 ] || taps=$((taps * 4 / 5))
    [ $came -ge 200 ] || taps=$((now * 2 / 3))
    if [ $taps -ne $now ]; then
      echo "$now taps: $percent % of the busiest CPU, $came packets"
      kill $tap
      wait $tap 2>/dev/null
      tap=
      # The emulator forgets a NIC one of whose queues was full for a moment.
      [ $came -ge 200 ] || { ip link set eth0 down && ip link set eth0 up; }
    fi
    if [ "$(ask 20 firing "$1" 5)" = ok ]; then
      echo "fires: $1"
      shift
      [ $# -gt 0 ] || break
    fi
  done
  [ $# -eq 0 ] || fail "does not fire: $*"
  [ -z "$tap" ] || { kill $tap && wait $tap 2>/dev/null; }
}

asks flows 64 500
ethtool -L eth0 combined 4 2>/dev/null
nettoll serve --web.listen-address 10.99.0.2:10435 --interval 1s --diagnose-interval 10s -e cpu-clock --queues >/tmp/serve.log 2>&1 &
server=$!
until grep -q serving /tmp/serve.log; do
  kill -0 $server || fail "serve: $(cat /tmp/serve.log)"
  sleep 1
done
tells watch

echo "--- spread over four queues: nothing fires"
flowing
sleep 30
tells silent NettollReceiveNotSpread 1
tells silent NettollReceiveImbalance 1

echo "--- a table that names one queue, and a CPU that is busy with it"
ethtool -X eth0 weight 1 0 0 0 || fail "ethtool -X"
heated NettollReceiveNotSpread NettollReceiveImbalance

echo "--- spread again"
ethtool -X eth0 default
flowing
tells silent NettollReceiveNotSpread 180
tells silent NettollReceiveImbalance 180
kill $server
wait $server
exit 0
