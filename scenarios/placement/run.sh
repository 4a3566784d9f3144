#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the keyword network with its memory in different places and runs the scenarios of this folder: run.sh BUILD OUT.
# OUT/n6vp.xml has the results as JUnit XML.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tflite=$here/../models/tflite
mkdir -p "$2"
make() {
    folder=$2/$3
    shift 3
    "$tool" generate "$tflite/kws_ref_model.tflite" -o "$folder" "$@" > "$folder.txt"
}
tool=$1/n6vp
make "$1" "$2" flash
make "$1" "$2" copied --weights npuRAM6
make "$1" "$2" psram --mpool "$here/psram.mpool"
make "$1" "$2" core --no-ec
make "$1" "$2" users --no-inputs-allocation --no-outputs-allocation
cp "$here"/*.toml "$tflite"/expected/kws_ref_model/rand1_in.npy "$tflite"/expected/kws_ref_model/rand1_out0.npy "$2"
exec "$tool" run "$2"/*.toml --junit "$2"/n6vp.xml
