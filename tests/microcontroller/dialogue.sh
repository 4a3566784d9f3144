#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: dialogue.sh MHZ DEVICE COMMAND... — talks to firmware.c over standard input and output of the
# command. Fails unless the core runs at MHZ by the timer, ten characters at 115200 Bd take 868 us
# (10 bits each; two more for the poll that ends them), and every character sent comes back.
mhz=$1 device=$2
shift 2
coproc "$@" --uart stdio --quiet --max-host-time 280s
pid=$COPROC_PID
exec {from}<&"${COPROC[0]}" {to}>&"${COPROC[1]}"  # bash forgets both when the command ends
said=""
while IFS= read -r line <&"$from"; do
    said+="$line "
    if [ "$line" = ready ]; then
        printf 'ab%%' >&"$to"
    fi
done
wait "$pid"
code=$?
echo "exit code $code: $said"
[ "$code" = 0 ] || exit 1
[[ "$said" =~ ^"device=$((device)) controller=1 special=1 data=1 mhz=$mhz 0123456789 us_of_ten="(86[89]|870)" ticks=3 ready ab% echoed=3 "$ ]]
