# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# A NIC with four queues and receive-side scaling, set up well and badly, under real traffic: each fault has its finding and no
# other, and what the finding says to do clears it. With one queue alone, what is to be said of that. Run by tests/vm/nic_guest,
# with nettoll, udp_sink, busy_tap and ethtool aboard.

set_up_nic
only=  # set: findings that may come of a slow emulator do not count
# ids FILE: of the findings, sorted.
ids() {
  awk -F'[":, ]+' '/^  "/ { table = $2 } table == "findings" && /^      "id"/ { print $3 }' "$1" | sort | xargs
}
# The commands of all findings.
commands() {
  sed -n '/^  "findings"/,/^  "ledger"/{/^      "remedy"/,/^      \]/s/^        "\(.*\)",\{0,1\}$/\1/p}' "$1"
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
