# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# What checks share; sourced before each.

fail() {
  echo "FAILED: $*"
  exit 1
}
same() { # WHAT GOT EXPECTED
  { [ -n "$2" ] && [ "$2" = "$3" ]; } || fail "$1: $2, not $3"
  echo "$1: $2"
}
# Until it succeeds; an emulated CPU may take long. nettoll's log is in /tmp/log.
await() { # WHAT...: a command
  for _ in $(seq 240); do
    "$@" && return
    sleep 0.25
  done
  fail "not in time: $*: $(cat /tmp/log)"
}
# What `nettoll serve` exports, in /tmp/metrics; and the sum of the series that begin with NAME, of FILE if given.
scrape() { wget -q -O /tmp/metrics http://127.0.0.1:10435/metrics || fail "/metrics: $(cat /tmp/log)"; }
metric() { # NAME [FILE]
  awk -v name="$1" 'index($0, name) == 1 { sum += $NF; n++ } END { if (n) printf "%.0f\n", sum }' "${2:-/tmp/metrics}"
}
# A cell of the table of kernels in the docs, see tests/vm/kernel-table.
capability() { # COLUMN VALUE
  echo "capability: $1: $2"
}

# COLUMN of /proc/net/snmp's PROTOCOL.
snmp() {
  awk -v p="$1:" -v column="$2" '$1 == p && !n { for (i = 2; i <= NF; i++) if ($i == column) n = i; next }
    $1 == p { print $n }' /proc/net/snmp
}
softirqs() { # NAME: runs on all CPUs
  awk -v name="$1:" '$1 == name { for (i = 2; i <= NF; i++) sum += $i; print sum }' /proc/softirqs
}
# Packets that a device sent.
sent_by() { # DEVICE
  awk -v device="$1:" '$1 == device { print $11 }' /proc/net/dev
}
received_by() { # DEVICE
  awk -v device="$1:" '$1 == device { print $3 }' /proc/net/dev
}
# Packets that the CPUs which are online took from their queues.
softnet_processed() {
  sum=0
  while read -r processed _; do sum=$((sum + 0x$processed)); done </proc/net/softnet_stat
  echo $sum
}
# The kernel's own counters of this namespace, as NAME VALUE, and what NAME gained between two files of them.
counters() {
  echo "IpInReceives $(snmp Ip InReceives)"
  echo "UdpInDatagrams $(snmp Udp InDatagrams)"
  echo "UdpNoPorts $(snmp Udp NoPorts)"
  echo "UdpRcvbufErrors $(snmp Udp RcvbufErrors)"
  echo "lo $(received_by lo)"
  echo "softnet $(softnet_processed)"
  echo "NET_RX $(softirqs NET_RX)"
}
gained() { # FILE FILE NAME
  awk -v name="$3" '$1 == name { if (NR == FNR) first = $2; else print $2 - first }' "$1" "$2"
}

# What KEY has in the first row of a report's tables which has VALUE under NAME. Rows are indented by four spaces, their keys by
# six.
value() { # FILE KEY NAME VALUE
  awk -F'[":, ]+' -v key="$2" -v name="$3" -v value="$4" '/^    [{]/ { n = ""; this = 0 } !/^      "/ { next }
    $2 == key { n = $3 } $2 == name && $3 == value { this = 1 } this && n != "" { print n; exit }' "$1"
}
# Runs of NET_RX over all CPUs in a report.
net_rx_runs() { # FILE
  awk -F'[":, ]+' '/[{]/ { runs = "" } $2 == "runs" { runs = $3 } $2 == "vector" && $3 == "net_rx" { sum += runs }
    END { print sum }' "$1"
}
# Whether this kernel takes METHOD; doctor tells as much, but attaches every function.
counts_by() { # METHOD
  nettoll functions --set core --function ip_rcv --method "$1" | grep -q '^ip_rcv  *counted'
}
# Before Linux 5.17 the kernel gives no reasons.
no_socket_reason() {
  if grep -q 'reason;' /sys/kernel/tracing/events/skb/kfree_skb/format; then echo NO_SOCKET; else echo unclassified; fi
}

# In a guest of tests/vm/nic_guest: eth0 with its address, and somebody who takes what comes.
set_up_nic() {
  modprobe virtio_net
  for _ in $(seq 50); do
    [ -e /sys/class/net/eth0 ] && break
    sleep 0.1
  done
  { ip addr add 10.99.0.2/16 dev eth0 && ip link set eth0 up; } || fail "eth0"
  udp_sink 9000 &
  for _ in $(seq 50); do
    ping -q -c 1 -W 1 10.99.0.1 >/dev/null 2>&1 && break
  done
}
asks() { # WORDS: of the other end
  for _ in $(seq 10); do
    [ "$(echo "$*" | timeout 5 nc 10.99.0.1 7000 2>&1)" = ok ] && return
  done
  fail "the other end does not answer to '$*'"
}
# The emulator forgets a NIC one of whose queues was full for a moment, until that is opened again.
flowing() { # [PACKETS-A-SECOND, 300 if not given]
  for _ in $(seq 10); do
    before=$(received_by eth0)
    sleep 1
    [ "$(received_by eth0)" -lt $((before + ${1:-300})) ] || return 0
    echo "no traffic, $(($(received_by eth0) - before)) packets: eth0 is opened again"
    ip link set eth0 down && ip link set eth0 up
    sleep 1
  done
  fail "no traffic"
}
# Receive work of the busiest CPU in two seconds, in percent.
heat() {
  cp /proc/stat /tmp/stat
  sleep 2
  awk 'FNR == 1 { file++ }
    /^cpu[0-9]/ { for (i = 2; i <= 9; i++) total[$1] += (file == 2 ? $i : -$i); soft[$1] += (file == 2 ? $8 : -$8) }
    END { for (c in total) if (total[c] > 0 && 100 * soft[c] / total[c] > most) most = 100 * soft[c] / total[c]
          printf "%d\n", most }' /tmp/stat /proc/stat
}
# One CPU is busy with what comes in, and not so busy that it falls behind. An emulator short of CPU time jumps from idle to
# full, so the number of taps is searched between the two; 20 trials, since its speed changes meanwhile.
warm() {
  taps=4
  few=0
  many=0
  for _ in $(seq 20); do
    busy_tap eth0 $taps &
    tap=$!
    flowing
    percent=$(heat)
    echo "$taps taps: $percent % of the busiest CPU"
    [ "$percent" -ge 58 ] && [ "$percent" -le 90 ] && return 0
    kill $tap
    wait $tap
    [ "$percent" -gt 5 ] || percent=5
    if [ "$percent" -lt 58 ]; then few=$taps; else many=$taps; fi
    # What was too many when the emulator was slow may be too few now.
    [ $many -gt $((few + 1)) ] || { [ "$percent" -lt 58 ] && many=0 || few=0; }
    if [ $few -gt 0 ] && [ $many -gt 0 ]; then taps=$(((few + many) / 2)); else taps=$((taps * 70 / percent + 1)); fi
  done
  fail "no CPU is as busy as it should be"
}
