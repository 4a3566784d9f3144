#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stands before the compiler in the preset tidy, whose sources are judged and never run: only preprocesses, for the list
# of headers, and leaves an empty object. What does not compile is reported by clang-tidy, which CMake calls first.
# Called as COMPILER ARGUMENT... .
set -euo pipefail

preprocess=()
while [ $# -gt 0 ]; do
  case $1 in
    -o)
      object=$2
      preprocess+=(-o /dev/null)
      shift
      ;;
    -c) preprocess+=(-E) ;;
    *) preprocess+=("$1") ;;
  esac
  shift
done
"${preprocess[@]}"
: >"$object"
