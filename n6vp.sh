#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two verbs for a fresh Debian 12 machine: demo shows what n6vp does, test proves it.
set -euo pipefail
cd "$(dirname "$0")"

# What the demo needs: compilers for host and Cortex-M55, and the libraries of the n6vp binary.
run_packages=(
  ca-certificates cmake ninja-build pkg-config g++
  gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib
  libsystemc-dev
  libcapstone-dev libelf-dev libcli11-dev libfmt-dev nlohmann-json3-dev libhwy-dev libpugixml-dev
  libtomlplusplus-dev libxxhash-dev libspdlog-dev
)
# What the tests need beside that: test libraries, the QEMU oracle, a second compiler with its tools.
test_packages=(
  doctest-dev librapidcheck-dev libbenchmark-dev qemu-system-arm
  clang clang-format clang-tidy lld llvm llvm-14-dev libclang-rt-14-dev
  git man-db gdb-multiarch doxygen
)
# What the preset coverage needs beside that.
coverage_packages=(gcovr)
# What the preset tidy needs beside that.
tidy_packages=(libclang-14-dev)

usage() {
  cat <<'EOF'
usage: ./n6vp.sh demo            install packages if missing, build, show info, check, install and run on sample models
       ./n6vp.sh test            install packages if missing, build, run all tests and 60 s of fuzzing
       ./n6vp.sh test --full     that, and clang-tidy, all tests with clang, sanitizers and assertions, the arm build
       ./n6vp.sh test PRESET     one of these: tidy, asan, arm; or dev, clang-release, tsan, coverage

Both verbs take an already built tree as it is and rebuild only what changed. The binary is build/release/n6vp.
EOF
}

say() { printf '\n== %s\n' "$*"; }

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s\n' "$package"
  done
}

# Installs what is missing of the given packages; does nothing, and needs no rights, when all are there.
install_packages() {
  local -a missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -eq 0 ] && return
  if ! command -v apt-get >/dev/null; then
    echo "n6vp.sh: this script installs Debian 12 packages, and apt-get is not here." >&2
    echo "         Install these by other means and run it again: ${missing[*]}" >&2
    exit 2
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "n6vp.sh: packages are missing and installing them needs root: ${missing[*]}" >&2
      echo "         Run as root, or install sudo." >&2
      exit 2
    fi
    as_root=(sudo)
  fi
  say "installing ${#missing[@]} packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# Configures (once) and builds a preset; further arguments go to cmake --build.
build_preset() {
  local preset=$1
  shift
  [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" "${configure_options[@]}"
  cmake --build "build/$preset" "$@"
}

# Shows a command line as a user would type it, then runs it; a non-zero exit code is shown, not fatal.
show() {
  printf '\n$ %s\n' "$*"
  "$@" || printf '(exit code %d)\n' "$?"
}

demo() {
  install_packages "${run_packages[@]}"
  say "building build/release/n6vp and the sample models"
  # Test programs need packages that the demo does without.
  local -a configure_options=()
  [ -z "$(missing_packages "${test_packages[@]}")" ] || configure_options=(-DN6VP_BUILD_TESTS=OFF)
  build_preset release --target n6vp n6vp_arm n6vp_sample_models
  local n6vp=build/release/n6vp
  local model=build/release/scenarios/models/pools/3.0/network_rel.bin
  local broken=build/release/broken_rel.bin

  say "what is in a runtime loadable model"
  show "$n6vp" info "$model"

  say "the same file with one damaged relocation entry: which word is wrong, why it matters, what to do"
  cp "$model" "$broken"
  damage_first_relocation "$broken"
  show "$n6vp" check "$broken"

  say "installing the intact file into simulated memory: where the time goes"
  show "$n6vp" install "$model" --mode copy

  local demo=build/release/demo
  say "from a quantised .tflite file to a runtime loadable model"
  show "$n6vp" generate scenarios/models/tflite/kws_ref_model.tflite -o "$demo/kws"
  show "$n6vp" check "$demo/kws/network_rel.bin"

  say "installing and running it on the chip: where the time goes"
  show "$n6vp" run "$demo/kws/network_rel.bin" --input random --seed 1 --repeat 2 -o "$demo" \
    --report "$demo/run.html" --trace "$demo/run.pftrace"
  say "report: $demo/run.html (any browser); trace: $demo/run.pftrace (ui.perfetto.dev)"
  say "next: ./build/release/n6vp --help, README.md"
}

# Overwrites the first relocation entry with an address in no known space: its file offset is the low 28 bits of header
# word 0x24.
damage_first_relocation() {
  local -i offset
  offset=$(($(od -An -tu4 -j36 -N4 "$1") & 0x0FFFFFFF))
  printf '\x10\x00\x00\x70' | dd of="$1" bs=1 seek="$offset" conv=notrunc status=none
}

run_tests() {
  local preset=$1 status=0
  local results=$PWD/build/$1/tests.xml
  shift
  # One more than processors: some tests wait for ports and clocks.
  ctest --preset "$preset" -j "$(($(nproc) + 1))" --output-junit "$results" "$@" || status=$?
  say "the ten slowest tests, in seconds"
  slowest_tests "$results"
  return "$status"
}

# Prints seconds and names of the ten longest tests of a JUnit file.
slowest_tests() {
  sed -nE 's/.*<testcase name="([^"]*)".* time="([0-9.]+)".*/\2 \1/p' "$1" |
    sed 's/&quot;/"/g; s/&lt;/</g; s/&gt;/>/g; s/&apos;/'"'"'/g; s/&amp;/\&/g' |
    sort -rn | awk 'NR <= 10 { time = $1; sub(/^[^ ]* /, ""); printf "%8.1f  %s\n", time, $0 }'
}

test_default() {
  local -a configure_options=(-DN6VP_BUILD_TESTS=ON)
  install_packages "${run_packages[@]}" "${test_packages[@]}"
  say "release build with gcc, all tests"
  # A tree that the demo configured without tests is configured again.
  grep -qs 'N6VP_BUILD_TESTS:BOOL=OFF' build/release/CMakeCache.txt && cmake --preset release "${configure_options[@]}"
  build_preset release
  say "60 seconds of fuzzing"
  build_preset fuzz --target fuzzers
  fuzz 7
  run_tests release
}

# Runs every fuzz target for the given number of seconds; new inputs go to the build folder, not to the corpus.
fuzz() {
  local target corpus
  for target in container install legacy ec core npu_blob npu tflite gdb; do
    corpus=build/fuzz/new-inputs/$target
    mkdir -p "$corpus"
    say "fuzz_$target: $1 s"
    "build/fuzz/tests/fuzz/fuzz_$target" -max_total_time="$1" -timeout=10 \
      -dict="tests/fuzz/$target.dict" -print_final_stats=1 -verbosity=0 \
      "$corpus" "tests/fuzz/corpus/$target"
  done
}

# Builds one preset and runs its tests. The arm build has no tests of its own; tidy judges sources. The long simulations of
# generated networks (label generate) run in release, and in asan those of the smallest network: the larger ones run the
# same code for longer.
test_preset() {
  local preset=$1
  local -a configure_options=()
  install_packages "${run_packages[@]}" "${test_packages[@]}"
  say "preset $preset"
  if [ "$preset" = arm ]; then
    build_preset arm
    return
  fi
  configure_options=(-DN6VP_BUILD_TESTS=ON)
  if [ "$preset" = tidy ]; then
    judge_sources
    return
  fi
  build_preset "$preset" -- -k 0  # all findings in one run
  case $preset in
    asan) run_tests asan --exclude-regex '^(generated_|matrix of).*(persons in pictures|picture classes|keyword spotting|all 24 combinations)' ;;
    dev | clang-release) run_tests "$preset" --label-exclude '^generate$' ;;
    *) run_tests "$preset" ;;
  esac
  [ "$preset" != coverage ] || show_coverage
}

# Runs clang-format, which changes nothing here, and clang-tidy on every source: makes the objects of the preset tidy,
# which are empty (cmake/no_object.sh) and are not linked.
judge_sources() {
  install_packages "${tidy_packages[@]}"
  git ls-files '*.cpp' '*.h' | xargs clang-format --dry-run -Werror
  [ -f build/tidy/build.ninja ] || cmake --preset tidy "${configure_options[@]}"
  ninja -C build/tidy build.ninja  # a list of today's sources
  ninja -C build/tidy -t targets all | sed -nE 's/^(.*\.(cpp|cxx)\.o): .*/\1/p' |
    xargs -d '\n' -n 100000 ninja -C build/tidy -k 0
}

# Prints how many lines and branches the tests ran; a table by file is build/coverage/coverage.txt.
show_coverage() {
  install_packages "${coverage_packages[@]}"
  say "lines and branches that ran"
  gcovr --root . --object-directory build/coverage -j "$(nproc)" --filter '(memmap|loader|traces|models|sim)/' \
    --txt build/coverage/coverage.txt --print-summary
}

# gcc optimised (release), clang-tidy on debug sources (tidy), clang with sanitizers and assertions (asan), bare metal
# (arm). The presets dev and clang-release run the same tests on the same code once more: CI has them beside this.
test_full() {
  test_default
  test_preset tidy  # refuses most often and takes longest: its findings come first
  test_preset asan
  test_preset arm
}

case "${1:-}:${2:-}" in
  demo:) demo ;;
  test:) test_default ;;
  test:--full) test_full ;;
  test:asan | test:dev | test:clang-release | test:tidy | test:arm | test:tsan | test:coverage) test_preset "$2" ;;
  -h:* | --help:* | help:*) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
