#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: slowest_tests.sh N6VP.SH. Gives the function of that script a file as ctest writes it.
set -euo pipefail
eval "$(sed -n '/^slowest_tests() {/,/^}/p' "$1")"
results=$(mktemp)
trap 'rm -f "$results"' EXIT
{
  echo '<?xml version="1.0" encoding="UTF-8"?>'
  echo '<testsuite name="(empty)" tests="12" failures="0" time="99">'
  for second in 3 1 2 10 4 5 6 7 8 9; do
    printf '\t<testcase name="test %d" classname="test %d" time="%d.25" status="run">\n' $second $second $second
    printf '\t\t<system-out>&lt;testcase name="forged" time="99"</system-out>\n\t</testcase>\n'
  done
  printf '\t<testcase name="a: &quot;x&quot; &amp; y" classname="z" time="120.5" status="fail">\n\t</testcase>\n'
  printf '\t<testcase name="quick" classname="z" time="0.001" status="run">\n\t</testcase>\n'
  echo '</testsuite>'
} >"$results"
expected='   120.5  a: "x" & y
    10.2  test 10
     9.2  test 9
     8.2  test 8
     7.2  test 7
     6.2  test 6
     5.2  test 5
     4.2  test 4
     3.2  test 3
     2.2  test 2'
diff <(echo "$expected") <(slowest_tests "$results")
