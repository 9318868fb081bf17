# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# A NIC with four queues and receive-side scaling, set up well and badly, under real traffic: each fault has its finding and no
# other, and what the finding says to do clears it. With one queue alone, what is to be said of that. Run by tests/vm/nic_guest,
# with nettoll, udp_sink, busy_tap and ethtool aboard.

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
asks() { # WORDS: of the other end
  for _ in $(seq 10); do
    [ "$(echo "$*" | timeout 5 nc 10.99.0.1 7000 2>&1)" = ok ] && return
  done
  fail "the other end does not answer to '$*'"
}
only=  # set: findings that may come of a slow emulator do not count
# ids FILE: of the findings, sorted.
ids() {
  awk -F'[":, ]+' '/^  "/ { table = $2 } table == "findings" && /^      "id"/ { print $3 }' "$1" | sort | xargs
}
# The commands of all findings.
commands() {
  sed -n '/^  "findings"/,/^  "ledger"/{/^      "remedy"/,/^      \]/s/^        "\(.*\)",\{0,1\}$/\1/p}' "$1"
}
received() { cat /sys/class/net/eth0/statistics/rx_packets; }
# The emulator forgets a NIC one of whose queues was full for a moment, until that is opened again.
flowing() {
  for _ in $(seq 10); do
    before=$(received)
    sleep 1
    [ "$(received)" -lt $((before + 300)) ] || return 0
    echo "no traffic: eth0 is opened again"
    ip link set eth0 down && ip link set eth0 up
    sleep 1
  done
  fail "no traffic"
}
diagnosed() { # WHAT EXPECTED-IDS
  for _ in $(seq 8); do
    flowing
    nettoll diagnose -d 5 -e cpu-clock --json >/tmp/diagnosis.json 2>/tmp/log
    status=$?
    grep -q "too little traffic: eth0" /tmp/diagnosis.json || break
  done
  found=$(ids /tmp/diagnosis.json)
  if [ "$only" ]; then
    found=$(echo "$found" | xargs -n 1 | grep -vxE 'backlog_overflow|softirq_cpu_saturated|receive_buffer_overflow|time_squeeze|cpu_cost_imbalance|ring_overflow' | xargs)
  fi
  echo "diagnosis: $1: ${found:-no finding}"
  if [ "$found" != "$2" ]; then
    grep . /proc/irq/*/effective_affinity_list /sys/class/net/eth0/queues/rx-*/rps_cpus 2>/dev/null | head -40
    grep virtio /proc/interrupts
    cat /tmp/diagnosis.json /tmp/log
    fail "$1: found '$found', not '$2'"
  fi
  [ -z "$only" ] || return 0
  if [ "$2" ]; then expected=3; else expected=0; fi
  same "$1: status" "$status" "$expected"
}
# What is printed is done, as far as it is a command for this host.
follow() {
  commands /tmp/diagnosis.json >/tmp/commands
  grep -E '^(ethtool -[XLNGC]|echo [^ ]+ > /(proc/irq|sys/class/net)/|sysctl -w )' /tmp/commands >/tmp/todo || fail "no command to follow: $(cat /tmp/commands)"
  while read -r line; do
    line=${line%%    #*}
    echo "following: $line"
    sh -c "$line" || fail "$line"
  done </tmp/todo
}
# The same where a CPU was made busy: an emulator short of CPU time may add that it has none left, and that packets are lost.
busy_fault() { # WHAT EXPECTED-ID
  only=yes
  diagnosed "$1" "$2"
  follow
  diagnosed "$1, and its remedy" ""
  only=
}
fault() { # WHAT EXPECTED-IDS: and the remedy
  diagnosed "$1" "$2"
  follow
  diagnosed "$1, and its remedy" ""
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

rate=1000
asks flows 64 $rate
if [ ! -e /sys/class/net/eth0/queues/rx-1 ]; then
  diagnosed "one queue, and time to spare" ""
  warm
  busy_fault "one queue, and a busy CPU" "single_queue_without_rps"
  exit 0
fi
ethtool -l eth0
ethtool -L eth0 combined 4 2>/dev/null
diagnosed "64 flows over four queues" ""

ethtool -X eth0 weight 1 0 0 0 || fail "ethtool -X"
fault "a table that names one queue" "rss_not_in_effect"
# shellcheck disable=SC2013 # words on purpose
for irq in $(sed -n 's/^ *\([0-9]*\):.*virtio.*-input.*/\1/p' /proc/interrupts); do
  echo 0 >"/proc/irq/$irq/smp_affinity_list"
done
fault "all vectors on CPU 0" "vectors_on_one_cpu"

# The driver tells the device its hash fields only while it reports hashes (virtnet_set_hashflow in virtio_net.c).
ethtool -K eth0 rxhash on
ethtool -N eth0 rx-flow-hash udp4 sd || fail "ethtool -N"
fault "a hash of addresses alone" "hash_on_addresses_only"

asks flows 1 $rate
diagnosed "one flow" "one_dominant_flow"
commands /tmp/diagnosis.json | grep -E 'ethtool -[XLN]|rps_cpus' && fail "advice on RSS where one flow is all there is"

asks flows 64 $rate
ethtool -X eth0 default
ethtool -L eth0 combined 1 || fail "ethtool -L"
diagnosed "one of four queues, and time to spare" ""
warm
busy_fault "one of four queues, and a busy CPU" "too_few_channels"
exit 0
