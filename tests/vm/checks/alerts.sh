# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# A real NIC whose receive load is not spread: a real Prometheus on the other end, with the rules that are shipped, raises the alerts on
# it, and lowers them once it is spread. An emulator's time is not this host's, so how long that takes is not judged. Run by
# tests/vm/nic_guest with NETTOLL_NIC_ALERTS, with nettoll, udp_sink, udp_echo, busy_tap and ethtool aboard.

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
    flowing 20 # or what it answers does not come either
  done
  same "$*" "$answer" ok
}
asks flows 64 500
udp_echo 9001 &
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
asks stop
asks window 64 256
busy_tap eth0 200 &
tap=$!
flowing 20
echo "busiest CPU: $(heat) %"
tells firing NettollReceiveNotSpread 200
tells firing NettollReceiveImbalance 200
echo "busiest CPU: $(heat) %"
kill $tap
wait $tap 2>/dev/null

echo "--- spread again"
ethtool -X eth0 default
asks stop
asks flows 64 500
flowing
tells silent NettollReceiveNotSpread 180
tells silent NettollReceiveImbalance 180
kill $server
wait $server
exit 0
