# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# Exact mode on a PMU whose counts repeat: the same work costs the same again, and probes at functions inside another do not
# change what that costs. Needs nettoll and count_sends aboard.

fail() {
  echo "FAILED: $*"
  exit 1
}
# record FILE FUNCTIONS: their instructions and time for the same packets.
record() {
  nettoll record --exact "$2" --set core -e instructions -c 1000003 -o "$1.data" -- count_sends open 2000 1 ||
    fail "record: status $?"
  nettoll report "$1.data" | sed -n '/^Exact cost/,/^$/p' | tee "$1.txt"
  nettoll report --json "$1.data" >"$1.json" || fail "report --json: status $?"
}
# value JSON FUNCTION KEY: of the measure instructions. Keys come in alphabetical order, so costs are before the name.
value() {
  sed -n '/^  "exact"/,/^  ]/p' "$1" | awk -F'[":, ]+' -v wanted="$2" -v key="$3" '/^    [{]/ { value = "" }
    /^        [{]/ { event = ""; found = "" }
    $2 == "event" { event = $3 } $2 == key { found = int($3) } /^        [}]/ && event == "instructions" { value = found }
    $2 == "function" { name = $3 } /^    [}]/ && name == wanted { print value; exit }'
}
# near WHAT A B PERCENT
near() {
  echo "$1: $2 and $3"
  [ $(($2 > $3 ? $2 - $3 : $3 - $2)) -le $(($3 * $4 / 100)) ] || fail "$1 differ by more than $4%"
}

record /tmp/first ip_rcv
record /tmp/second ip_rcv
! grep -q unreadable /tmp/first.txt || fail "the counter could not be read at times"
[ "$(value /tmp/first.json ip_rcv own_cost_events)" -gt 0 ] || fail "the own cost in instructions is not known"
mean=$(value /tmp/first.json ip_rcv mean_events)
[ "$mean" -gt 100 ] && [ "$mean" -lt 100000 ] || fail "ip_rcv takes $mean instructions"
near "mean instructions of ip_rcv, and again" "$mean" "$(value /tmp/second.json ip_rcv mean_events)" 2

record /tmp/nested ip_rcv,ip_local_deliver,udp_rcv
inside=$(value /tmp/nested.json ip_rcv probes_inside_events)
[ "$inside" -gt "$mean" ] || fail "probes at two functions inside took $inside instructions"
near "mean instructions of ip_rcv with probes inside, and without" "$(value /tmp/nested.json ip_rcv mean_events)" "$mean" 5
exit 0
