#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy that remembers what it found clean, across build trees and clones. Called by CMake as
# clang-tidy is: OPTION... SOURCE -- COMPILER ARGUMENT...; its exit code and output are those of clang-tidy.
# A translation unit is known by its text after preprocessing, with comments (NOLINT) and directives (checks of macros
# and includes), by the options and the configuration. The cache holds an empty file for each; it may be deleted at any
# time.
set -euo pipefail

cache=${N6VP_TIDY_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/n6vp/clang-tidy}
root=$(cd "$(dirname "$0")/.." && pwd)

# Prints the path of the plugin own_code_check.cpp, compiled where the cache has none of this text; nothing where the
# headers of clang-tidy are missing: it then takes three times as long.
own_code_check() {
  local source=$root/cmake/own_code_check.cpp include plugin
  include=$(dirname "$(readlink -f "$(command -v clang-tidy)")")/../include
  plugin=$cache/own_code_check.$(sha256sum <"$source" | cut -c 1-16).so
  if [ ! -e "$plugin" ]; then
    { [ -d "$include/clang-tidy" ] && mkdir -p "$cache"; } 2>/dev/null || return 0
    clang++ -std=c++17 -O1 -fno-rtti -fPIC -shared -isystem "$include" "$source" -o "$plugin.$$" || return 0
    mv "$plugin.$$" "$plugin"
  fi
  echo "$plugin"
}

options=()
arguments=("$@")
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case $1 in
    -*) options+=("$1") ;;
    *) source=$1 ;;
  esac
  shift
done
[ $# -gt 1 ] && [ -n "${source:-}" ] || exec clang-tidy "${arguments[@]}"
shift

# The same command, but to preprocess.
preprocess=()
while [ $# -gt 0 ]; do
  case $1 in
    -o | -MF | -MT | -MQ) shift ;;
    -c | -MD | -MMD) ;;
    *) preprocess+=("$1") ;;
  esac
  shift
done
text() {
  clang-tidy --version
  clang-tidy "${options[@]}" --dump-config "$source" 2>/dev/null
  printf '%s\n' "${options[@]}" "${preprocess[@]}"
  "${preprocess[@]}" -E -CC -dD -dI -P 2>/dev/null
}
if key=$(text | sed "s#$root##g" | sha256sum | cut -d ' ' -f 1); then  # the same in every clone
  known=$cache/${key:0:2}/$key
  [ ! -e "$known" ] || exit 0
fi
plugin=$(own_code_check)
if [ -n "$plugin" ]; then
  arguments=("${arguments[@]/#--checks=/--checks=n6vp-own-code,}")  # the option that the preset gives
  arguments=("--load=$plugin" "${arguments[@]}")
fi
clang-tidy "${arguments[@]}"
# A cache that cannot be written costs time only.
[ -z "${known:-}" ] || { mkdir -p "${known%/*}" && : >"$known"; } 2>/dev/null || true
