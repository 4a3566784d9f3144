#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: lost_report.sh COMMAND... — a run whose report the disk refuses still prints its results
# and keeps its exit code, here that of a time limit.
out=$( (ulimit -f 0; exec "$@" --uart none --max-time 10ms --report lost.json) 2>&1)
code=$?
echo "exit code $code: $out"
[ "$code" = 5 ] || exit 1
for part in "cannot write 'lost.json': File too large" "ms simulated" "ended the run"; do
    case $out in
        *"$part"*) ;;
        *) echo "missing: $part"; exit 1 ;;
    esac
done
[ ! -e lost.json ]
