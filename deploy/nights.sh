#!/bin/sh
# The schedule of a container: the first generation, then a night a day at BENCHHEALTH_NIGHT_AT (UTC), whatever the night
# before came to. `nights.sh --check` is the container's health: 0 while the schedule is kept and the last night was well.
# A night that was due while nothing ran is made up for at once. Checked by tests/deploy/test_nights.py.
set -u
at="${BENCHHEALTH_NIGHT_AT:-03:17}"
longest="${BENCHHEALTH_NIGHT_LONGEST:-7200}"   # seconds; then a night is stopped
again="${BENCHHEALTH_NIGHT_AGAIN:-3600}"       # seconds until a night that failed is tried once more
state="${BENCHHEALTH_HOME:-/state}"
ended="$state/night.ended"                     # when the last night ended, and its exit code
planned="${TMPDIR:-/tmp}/benchhealth-night"    # until when this program should be heard of again

say() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) nights: $*"; }
code_of() { cut -d' ' -f2 "$ended" 2>/dev/null || echo none; }
is_well() { case "$1" in 0 | 2 | 75) return 0 ;; *) return 1 ;; esac; }

seconds_to_next() {
    now=$(date -u +%s)
    next=$(date -u -d "$(date -u +%F) $at" +%s)
    [ "$next" -gt "$now" ] || next=$((next + 86400))
    echo $((next - now))
}

# 0 where the night of the last appointed hour was not slept through.
was_held() {
    [ -f "$ended" ] || return 1
    last=$(($(date -u +%s) + $(seconds_to_next) - 86400))
    [ "$(cut -d' ' -f1 "$ended")" -ge "$last" ]
}

check() {
    [ -f "$planned" ] || { echo "the schedule has not begun"; exit 1; }
    [ "$(date -u +%s)" -le "$(cat "$planned")" ] || { echo "the schedule stands still"; exit 1; }
    code=$(code_of)
    [ "$code" = none ] || is_well "$code" || { echo "the last night failed with $code"; exit 1; }
    echo "well"
    exit 0
}

expect() { echo $(($(date -u +%s) + $1 + 300)) >"$planned"; }

# In the background and waited for, so that being told to stop is heard at once and passed on.
child=""
stop() {
    if [ -n "$child" ]; then
        kill -TERM "$child" 2>/dev/null
        wait "$child"
    fi
    say "told to stop"
    exit 0
}
run() {
    "$@" &
    child=$!
    wait "$child"
    code=$?
    child=""
    return "$code"
}

tell() { run benchhealth alert --unit "$1" || say "nobody could be told"; }

night() {
    expect "$longest"
    before=$(code_of)
    run timeout --kill-after=60 "$longest" benchhealth nightly
    code=$?
    echo "$(date -u +%s) $code" >"$ended"
    say "the night ended with $code"
    is_well "$code" && return 0
    # Only the first of some that fail one after the other is told: what stays is told by the program, once a week.
    [ "$before" = none ] || is_well "$before" || return 1
    tell benchhealth-nightly
    return 1
}

[ "${1:-}" = --check ] && check
trap stop TERM INT
expect "$longest"
init_again="${BENCHHEALTH_INIT_AGAIN:-60}"
until run benchhealth init; do
    say "init ended with $code; again in $init_again s"
    [ -n "${told:-}" ] || tell benchhealth-init
    told=yes
    expect "$init_again"
    run sleep "$init_again"
    [ "$init_again" -ge 1800 ] || init_again=$((init_again * 2))
done
was_held || night
while true; do
    wait_for=$(seconds_to_next)
    is_well "$(code_of)" || { [ "$wait_for" -le "$again" ] || wait_for=$again; }
    say "the next night begins in $wait_for s"
    expect "$wait_for"
    run sleep "$wait_for"
    night
done
