# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# The clock of the day is set, forwards and back, while nettoll counts under traffic: windows, rates and the age of the process
# go by the time since boot, and what tells the time of the day tells the new one. Needs nettoll and udp_blast aboard.

reason=$(no_socket_reason)

uptime_ms() { awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime; }
step() { # SECONDS
  date -s "@$(($(date +%s) + $1))" >/dev/null || fail "the clock cannot be set"
  echo "--- it is $(date)"
}
blast() { udp_blast --to 127.0.0.1 --packets 4000 --open 2000 --rate 4000 >/dev/null; }
within() { # WHAT VALUE LEAST MOST
  awk -v v="${2:-none}" -v least="$3" -v most="$4" 'BEGIN { exit !(v != "none" && v >= least && v <= most) }' ||
    fail "$1: ${2:-none}, not from $3 to $4"
  echo "$1: $2, from $3 to $4"
}

# A recording with a day more or less in it.
cat >/tmp/inside <<'END'
. /common.sh
awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime >/tmp/begin
udp_blast --to 127.0.0.1 --packets 4000 --open 2000 --rate 4000 >/dev/null
date -s "@$(($(date +%s) + BY))" >/dev/null || exit 1
udp_blast --to 127.0.0.1 --packets 4000 --open 2000 --rate 4000 >/dev/null
awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime >/tmp/end
END
for by in 86400 -172800; do
  before=$(uptime_ms)
  BY=$by nettoll record --set core --function ip_rcv -e cpu-clock -F 199 -o /tmp/data -- sh /tmp/inside || fail "record: $?"
  after=$(uptime_ms)
  nettoll report --json -i /tmp/data >/tmp/report.json || fail "report: $?"
  ms=$(awk -F'[":, ]+' '$2 == "duration_ns" { printf "%d\n", $3 / 1e6; exit }' /tmp/report.json)
  # /proc/uptime has hundredths.
  within "recorded while the clock went by $by s, in ms" "$ms" $(($(cat /tmp/end) - $(cat /tmp/begin) - 10)) $((after - before + 10))
  same "drops $reason" "$(value /tmp/report.json packets reason "$reason")" 4000
done

# SERIES: its value in /tmp/metrics, or the sum of the series that begin so.
metric() { awk -v name="$1" 'index($0, name) == 1 { sum += $NF; n++ } END { if (n) printf "%.3f\n", sum }' "${2:-/tmp/metrics}"; }
scrape() { # FILE
  wget -q -O "$1" http://127.0.0.1:10435/metrics || fail "/metrics: $(cat /tmp/log)"
}
: >/tmp/log
nettoll serve --interval 1s --diagnose-interval 2s -e cpu-clock -F 199 2>/tmp/log &
server=$!
for _ in $(seq 300); do
  wget -q -O /tmp/metrics http://127.0.0.1:10435/metrics 2>/dev/null && [ "$(metric nettoll_diagnosis_up)" ] && break
  sleep 1
done
started=$(awk '{ print int($1) }' /proc/uptime)
scrape /tmp/before
sent=0
for by in 86400 -172800; do
  ms0=$(uptime_ms)
  scrape /tmp/first
  ms1=$(uptime_ms)
  blast
  scrape /tmp/diagnosed
  before_step=$(metric nettoll_last_diagnosis_timestamp_seconds /tmp/diagnosed)
  step $by
  blast
  sent=$((sent + 4000))
  sleep 6
  ms2=$(uptime_ms)
  scrape /tmp/metrics
  ms3=$(uptime_ms)
  # A scrape shows the last collection, which is a second old at most, and some more where the emulator is slow.
  took=$(awk -v a="$(metric nettoll_collected_seconds_total)" -v b="$(metric nettoll_collected_seconds_total /tmp/first)" \
    'BEGIN { printf "%d\n", (a - b) * 1000 }')
  within "collected meanwhile, in ms" "$took" $((ms2 - ms1 - 4000)) $((ms3 - ms0 + 4000))
  ticks=$(awk -v a="$(metric nettoll_collections_total)" -v b="$(metric nettoll_collections_total /tmp/first)" 'BEGIN { print a - b }')
  # One a second, and one more for each window of diagnosis.
  within "collections meanwhile" "$ticks" 3 $((2 * (ms3 - ms0) / 1000 + 3))
  now=$(date +%s)
  within "time of the last collection, before now" "$(awk -v n="$now" -v t="$(metric nettoll_last_collection_timestamp_seconds)" \
    'BEGIN { print n - t }')" -1 8
  within "age of the process by its start time" "$(awk -v n="$now" -v t="$(metric process_start_time_seconds)" \
    'BEGIN { print n - t }')" $((ms2 / 1000 - started)) $((ms3 / 1000))
  same "diagnosis" "$(metric nettoll_diagnosis_up)" 1.000
  for _ in $(seq 300); do # a slow emulator makes diagnosis rare
    scrape /tmp/diagnosed
    now=$(date +%s)
    ended=$(metric nettoll_last_diagnosis_timestamp_seconds /tmp/diagnosed)
    [ "$ended" = "$before_step" ] || break
    sleep 1
  done
  within "end of the window of diagnosis with the step in it, before now" \
    "$(awk -v n="$now" -v t="$ended" 'BEGIN { print n - t }')" -1 10
  same "health" "$(wget -q -O - http://127.0.0.1:10435/healthz)" ok
  same "drops $reason by the metrics" "$(metric "nettoll_drops_total{reason=\"$reason\"")" "$sent.000"
  awk 'NR == FNR { before[$1] = $NF; next } /^[a-z_]*_total[{ ]/ && $1 in before && $NF < before[$1] { print; bad = 1 }
    END { exit bad }' /tmp/first /tmp/metrics || fail "counters fell"
done
kill $server
wait $server || fail "serve: status $?: $(cat /tmp/log)"
! grep -E ' (warning|error) ' /tmp/log || fail "serve complains"
capability "clock steps" "windows, rates and ages stay right"
