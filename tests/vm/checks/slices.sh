# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# `serve --set wide` counts in slices by each method: what it estimates is, within the error that it states, what the kernel's own
# counters say. A module that comes gets its slices; over the budget they go, and are back after. Needs nettoll and udp_blast
# aboard. $METHODS are those to check, all unless given.

rate=5000
packets() { metric nettoll_path_packets_total; }
estimated() { metric 'nettoll_functions{state="estimated"'; }
seen() { metric nettoll_function_slice_calls_total; }
# A row for each function that has an estimate: it, its calls, what of them was seen in slices, and all packets until then.
note_estimates() {
  scrape
  awk -v packets="$(packets)" -F'[{}", ]+' '/^nettoll_function_estimated_calls_total/ { calls[$3] += $NF }
    /^nettoll_function_slice_calls_total/ { seen[$3] += $NF } END { for (f in calls) print f, calls[f], seen[f], packets }' \
    /tmp/metrics >>/tmp/estimates
}
scraped() { # WHAT...: a command
  scrape && "$@"
}
# The first slice, for which an emulator has to translate all that reads counters, is over: its ends do not take equally long.
collected() { [ "$(metric nettoll_collections_total)" -ge 3 ]; }
# Every function of /tmp/truth has its turn.
round() {
  for _ in $(seq 300); do
    note_estimates
    missing=$(awk 'FILENAME != "/tmp/truth" { seen[$1] = $3; next } seen[$1] < 100 { printf "%s ", $1 }' /tmp/estimates /tmp/truth)
    [ "$missing" ] || return 0
    sleep 1
  done
  fail "no slice of $missing: $(cat /tmp/log)"
}
exact() { # DATAGRAMS FUNCTION...: a line for each
  datagrams=$1
  shift
  for function in "$@"; do echo "$function $datagrams"; done
}

check_method() { # METHOD
  echo "--- $1"
  : >/tmp/config
  nettoll -v serve --config /tmp/config --interval 2s --diagnose-interval 0 --set wide --method "$1" -e none 2>/tmp/log &
  server=$!
  for _ in $(seq 600); do
    grep -q serving /tmp/log && break
    sleep 0.2
  done
  await scraped collected
  out0=$(snmp Udp OutDatagrams) in0=$(snmp Udp InDatagrams) no0=$(snmp Udp NoPorts) icmp0=$(snmp Icmp InMsgs)
  lo0=$(received_by lo)
  : >/tmp/estimates
  udp_blast --to 127.0.0.1 --packets $((rate * 400)) --open $((rate * 380)) --rate $rate --limit 400 >/dev/null &
  blast=$!
  exact 0 udp_sendmsg udp_send_skb udp_rcv __udp4_lib_rcv udp_queue_rcv_skb __udp_enqueue_schedule_skb >/tmp/truth
  round
  out=$(($(snmp Udp OutDatagrams) - out0)) icmp=$(($(snmp Icmp InMsgs) - icmp0))
  in=$(($(snmp Udp InDatagrams) - in0)) no=$(($(snmp Udp NoPorts) - no0))
  lo=$(($(received_by lo) - lo0))
  {
    echo "packets $((2 * lo))" # sent and received
    exact $out udp_sendmsg udp_send_skb
    exact $((in + no)) udp_rcv __udp4_lib_rcv
    exact $in udp_queue_rcv_skb __udp_enqueue_schedule_skb
    exact $icmp icmp_rcv
  } >/tmp/truth
  # The last estimate of each function is of the packets until then. (busybox's awk may have no sqrt.)
  awk 'function root(x, r, i) { for (r = 1; i < 30; i++) r = (r + x / r) / 2; return r }
    NR == FNR { truth[$1] = $2; next } $1 in truth && calls[$1] != $2 { calls[$1] = $2; seen[$1] = $3; packets[$1] = $4 }
    END { for (f in calls) {
            if (seen[f] < 100) continue
            want = truth[f] / truth["packets"]
            off = calls[f] / packets[f] / want - 1
            error = root((1 + want) / seen[f])
            printf "%s: %d calls from %d, %+.2f %%, stated %.2f %%\n", f, calls[f], seen[f], 100 * off, 100 * error
            # For what each packet calls it is smaller by far.
            n++; if (off * off > (want > 0.1 ? 1 : 9) * error * error) bad = 1 }
          exit bad || n < 6 }' /tmp/truth /tmp/estimates || fail "estimates are further off than they say"

  before=$(estimated)
  modprobe veth || fail "modprobe veth"
  now_estimated() { [ "$(estimated)" = "$1" ]; }
  await scraped now_estimated $((before + 1))
  echo "estimated: $before functions, and one of a module"

  echo 'max-overhead = "0.0001%"' >/tmp/config
  kill -HUP $server
  await scraped now_estimated ""
  shed=$(metric 'nettoll_functions{state="shed"')
  same "shed functions" "$shed" $((before + 1))
  before=$(seen)
  sleep 6
  scrape
  same "calls seen while they are shed" "$(seen)" "$before"
  : >/tmp/config
  kill -HUP $server
  await scraped now_estimated "$shed"
  sees_again() { [ "$(seen)" -gt "$before" ]; }
  await scraped sees_again
  sed -n 's/.*debug a slice/a slice/p' /tmp/log | tail -n 3
  kill $blast $server
  wait $blast
  wait $server || fail "serve: status $?: $(cat /tmp/log)"
  ! grep -E ' (warning|error) ' /tmp/log | grep -v 'more than --max-overhead' || fail "serve complains"
  rmmod veth || fail "the module is held"
}

for method in ${METHODS:-fentry kprobe kprobe.multi}; do
  check_method "$method"
done
[ "$METHODS" ] || capability "calls from slices" "fentry, kprobe, kprobe.multi"
