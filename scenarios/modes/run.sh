#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs and runs networks in the modes of this folder and prints their times as a table: run.sh BUILD OUT NETWORK.tflite...
# OUT gets a folder for each build of a network, with the model, the scenarios and the times as CSV.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
out=$2
shift 2

# The second inference, and what comes before the first; ms of simulated time.
row() {
    awk -F, -v name="$2" '
        $2 == 1 && $8 == "" { ms[$1] = ($5 - $4) / 1e9 }
        END { printf "| %s | %.3f | %.3f | %.3f | %.3f |\n", name, ms["log"], ms["install"], ms["network init"], ms["inference"] }
    ' "$1"
}

echo "| Network, epochs by, weights, mode | log | install | initialise | inference |"
echo "| --- | --- | --- | --- | --- |"
for network in "$@"; do
    name=$(basename "$network" .tflite)
    for variant in "controller, flash" "core, flash" "controller, internal RAM"; do
        folder=$out/$name-$(echo "$variant" | tr -d ',' | tr ' ' '-')
        mkdir -p "$folder"
        options=
        case $variant in
            core*) options=--no-ec ;;
            *internal*) options="--weights npuRAM6" ;;
        esac
        # The options are words.
        # shellcheck disable=SC2086
        "$build"/n6vp generate "$network" -o "$folder" $options > "$folder"/generate.txt
        for mode in xip copy; do
            cp "$here/$mode.toml" "$folder"
            "$build"/n6vp run "$folder/$mode.toml" --csv > "$folder/$mode.csv"
            row "$folder/$mode.csv" "$name, $variant, $(echo $mode | tr '[:lower:]' '[:upper:]')"
        done
    done
done
