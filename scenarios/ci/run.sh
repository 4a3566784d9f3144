#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the scenarios of this folder on a sample model: run.sh BUILD OUT. OUT/n6vp.xml has the results as JUnit XML.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cp "$here"/*.toml "$here"/*.bin "$1"/scenarios/models/user_io/3.0/network_rel.bin "$2"
exec "$1"/n6vp run "$2"/*.toml --junit "$2"/n6vp.xml
