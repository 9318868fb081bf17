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

# The number that KEY has in the row of a table which has VALUE under NAME. Rows are indented by four spaces, their keys by
# six, in alphabetical order.
value() { # FILE KEY NAME VALUE
  awk -F'[":, ]+' -v key="$2" -v name="$3" -v value="$4" '/^    [{]/ { n = "" } !/^      "/ { next } $2 == key { n = $3 }
    $2 == name && $3 == value && n != "" { print n; exit }' "$1"
}
# Runs of NET_RX over all CPUs in a report.
net_rx_runs() { # FILE
  awk -F'[":, ]+' '/[{]/ { runs = "" } $2 == "runs" { runs = $3 } $2 == "vector" && $3 == "net_rx" { sum += runs }
    END { print sum }' "$1"
}
# Before Linux 5.17 the kernel gives no reasons.
no_socket_reason() {
  if grep -q 'reason;' /sys/kernel/tracing/events/skb/kfree_skb/format; then echo NO_SOCKET; else echo unclassified; fi
}
