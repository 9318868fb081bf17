# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# Not a check: records what `nettoll serve` exports here, four times over some seconds of traffic, for tests on hosts that lack
# such hardware. Run by tests/vm/record_metrics, with nettoll and udp_blast aboard; where eth0 is the NIC of tests/vm/nic_guest,
# with udp_sink and ethtool too.

# What must be there before the first scrape.
awaits=nettoll_path_packets_total
set -- --max-functions 12 --interval 1s
modprobe virtio_net
sleep 1
if [ -e /sys/class/net/eth0 ]; then
  set_up_nic
  asks flows 64 1000
  ethtool -L eth0 combined 4 2>/dev/null
  ethtool -X eth0 weight 5 1 1 1 || fail "ethtool -X"
  set -- "$@" -e cpu-clock --queues --diagnose-interval 4s
  awaits=nettoll_rx_imbalance_ratio
else
  # Every fifth to a closed port.
  while udp_blast --to 127.0.0.1 --packets 2000 --open 1600 --rate 2000 >/dev/null; do :; done &
  # Where the events of -e do not all run serve would end; those of the default are taken as they come.
  [ "$(uname -m)" != riscv64 ] || set -- "$@" -e cycles,dTLB-load-misses,dTLB-store-misses,iTLB-load-misses
  set -- "$@" -F 499
fi
: >/tmp/serve.log
nettoll serve "$@" >/tmp/serve.log 2>&1 &
server=$!
until grep -q serving /tmp/serve.log; do
  kill -0 $server || fail "serve: $(cat /tmp/serve.log)"
  sleep 1
done
for _ in $(seq 60); do
  sleep 1
  wget -q -O - http://127.0.0.1:10435/metrics | grep -q "^${awaits}[{]" && break
done
for scrape in 1 2 3 4; do
  sleep 3
  wget -q -O /tmp/metrics http://127.0.0.1:10435/metrics || fail "no metrics: $(cat /tmp/serve.log)"
  echo "# scrape $scrape"
  grep -v '^# HELP' /tmp/metrics
done >/tmp/scrapes
kill $server
wait $server
# What the kernel prints on the console must not get in between.
echo "--- scrapes"
gzip -c /tmp/scrapes | base64
echo "--- end of scrapes"
