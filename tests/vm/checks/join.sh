# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# The truth of the join, where the same work always costs the same: on a kernel whose clock counts instructions. Sampled are
# cycles, of which each instruction takes two there: the emulated PMU tells of an overflow of instructions only when the CPU
# goes back to user mode. What samples say a call costs agrees
# with what exact mode measures; self costs add up; totals are those of a plain counting descriptor; and a second run says the
# same. Needs nettoll, count_sends and count_cpu aboard. tests/bench/agreement makes a table of it.

functions="ip_rcv ip_local_deliver udp_rcv __udp_enqueue_schedule_skb __alloc_skb udp_recvmsg ip_route_output_key_hash_rcu
  kmem_cache_alloc_node_noprof"
# Most of what it costs is in functions without a frame, such as memset: seen only where the link register is.
required=kmem_cache_alloc_node_noprof
sends=60000

# costs JSON FUNCTION: calls, inclusive cycles, its samples, over all paths.
costs() {
  awk -F'[":, ]+' -v wanted="$2" '
    /^  "/ { table = $2 }
    table != "functions" { next }
    /^    [{]/ { calls = cost = samples = 0; name = "" }
    /^      "calls"/ { calls = $3 }
    /^      "function"/ { name = $3 }
    /^        [{]/ { event = ""; inclusive = n = 0 }
    $2 == "event" { event = $3 }
    $2 == "inclusive_events" { inclusive = $3 }
    $2 == "inclusive_samples" { n = $3 }
    /^        [}]/ && event == "cycles" { cost += inclusive; samples += n }
    /^    [}]/ && name == wanted { printf "%d %.1f %d\n", calls, cost, samples; exit }' "$1"
}
# sums JSON PATH: the cost of a path as its row has it, and as the self costs of functions in it add up.
sums() {
  awk -F'[":, ]+' -v wanted="$2" '
    /^  "/ { table = $2 }
    /^    [{]/ { last = 0 }
    /^        [{]/ { event = path = ""; self = total = 0 }
    $2 == "event" { event = $3 }
    $2 == "path" { path = $3 }
    $2 == "self_events" { self = $3 }
    $2 == "cost_events" { total = $3 }
    table == "functions" && /^        [}]/ && event == "cycles" && path == wanted { sum += self }
    table == "paths" && /^        [}]/ && event == "cycles" { last = total }
    table == "paths" && /^      "path"/ && $3 == wanted { of_path = last }
    END { printf "%.1f %.1f\n", of_path, sum }' "$1"
}
# The exact mean of cycles, its standard error, and n.
exact() {
  awk -F'[":, ]+' -v wanted="$2" '
    /^  "/ { table = $2 }
    table != "exact" { next }
    /^    [{]/ { name = ""; mean = error = n = 0 }
    /^        [{]/ { event = ""; m = e = count = 0 }
    $2 == "event" { event = $3 } $2 == "mean_events" { m = $3 } $2 == "standard_error_events" { e = $3 } $2 == "n" { count = $3 }
    /^        [}]/ && event == "cycles" { mean = m; error = e; n = count }
    /^      "function"/ { name = $3 }
    /^    [}]/ && name == wanted { printf "%.2f %.2f %d\n", mean, error, n; exit }' "$1"
}
sampled() { # FILE
  # A prime, so that no loop of the traffic falls in step. The interrupt of a sample takes some 5,000 cycles, which are in the
  # totals and in no sample: about 1% of this.
  # shellcheck disable=SC2046
  nettoll record --set core $(for f in $functions; do echo "--function $f"; done) -e cycles -c 400009 -o "$1.data" -- \
    count_cpu cycles count_sends open $sends 1 >"$1.out" || fail "record: status $?"
  nettoll report --json -i "$1.data" >"$1.json" || fail "report: status $?"
}

sampled /tmp/one
sampled /tmp/two

total=$(awk -F'[":, ]+' '/^  "/ { table = $2 } /^    [{]/ { total = 0; name = "" } $2 == "total_events" { total = $3 } $2 == "name" { name = $3 }
  table == "events" && /^    [}]/ && name == "cycles" { printf "%.0f\n", total }' /tmp/one.json)
counted=$(sed -n 's/^counted //p' /tmp/one.out)
echo "join: total: nettoll $total, a counting descriptor $counted"
awk -v a="$total" -v b="$counted" 'BEGIN { exit !(a >= b && a < b * 1.02) }' || # the window is the longer one
  fail "the total is not that of a counting descriptor"

for path in rx tx send receive; do
  # shellcheck disable=SC2046
  set -- $(sums /tmp/one.json $path)
  echo "join: path $path: $1, self costs of its functions $2"
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && b > a * 0.999 && b < a * 1.001) }' || fail "self costs of $path do not add up"
done

agree=0
for function in $functions; do
  # shellcheck disable=SC2046
  set -- $(costs /tmp/one.json "$function") $(costs /tmp/two.json "$function")
  [ $# = 6 ] || fail "$function: not in the report"
  nettoll record --set core --exact "$function" -e cycles -F 1 -o /tmp/exact.data -- count_sends open 2000 1 >/dev/null ||
    fail "record --exact $function: status $?"
  nettoll report --json -i /tmp/exact.data >/tmp/exact.json
  # shellcheck disable=SC2046
  set -- "$@" $(exact /tmp/exact.json "$function")
  [ $# = 9 ] || fail "$function: not measured exactly"
  awk -v f="$function" -v c1="$1" -v i1="$2" -v n1="$3" -v c2="$4" -v i2="$5" -v n2="$6" -v e="$7" -v se="$8" -v n="$9" '
    function abs(x) { return x < 0 ? -x : x }
    # By Newton: the awk of busybox may have no mathematics.
    function sqrt_of(x,   r, i) { r = x > 1 ? x : 1; for (i = 0; i < 100; i++) r = (r + x / r) / 2; return r }
    BEGIN {
      a = i1 / c1; sa = a / sqrt_of(n1); b = i2 / c2; sb = b / sqrt_of(n2)
      z = (a - e) / sqrt_of(sa * sa + se * se); r = (a - b) / sqrt_of(sa * sa + sb * sb)
      printf "join: %s: sampled %.1f +- %.1f (n %d), exact %.1f +- %.1f (n %d), %.1f errors apart; second run %.1f, %.1f errors apart\n",
        f, a, sa, n1, e, se, n, z, b, r
      exit abs(z) > 3 || abs(r) > 3
    }' && agree=$((agree + 1)) || [ "$function" != $required ] || fail "$function does not agree"
done
[ $agree -ge 5 ] || fail "only $agree functions agree"
