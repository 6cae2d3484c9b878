# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# test: runs all tests with ASan and UBSan, the engine's also with TSan, the fuzz targets, and the tools' tests with unittest. The last line
# has the totals.
# fuzz: runs only the fuzz targets, for a given time.

cmd_test() {
    need build test fuzz
    need_pypi
    need_npm
    need_apiserver
    local results=build/test-results
    rm -rf "$results"
    mkdir -p "$results"
    local failed=0
    note "address and undefined-behaviour sanitizers: build"
    (build asan) || { broken asan-build; }
    note "address and undefined-behaviour sanitizers: tests; meanwhile the other builds begin"
    trap end_begun_builds EXIT
    begin_build tsan test_programs
    begin_build fuzz all
    run_ctest asan "$results/asan.xml" || failed=1
    end_begun_builds
    test_threads "$results" || failed=1
    test_parsers "$results" || failed=1
    note "the project's tools: tests"
    python tools/dev/unittests.py tests/tools "$results/tools.json" || {
        failed=1
        [ -s "$results/tools.json" ] || failed_part "$results/tools.json"
    }
    python tools/dev/counttests.py "$results" || failed=1
    return "$failed"
}

begun=()

# begin_build PRESET TARGET: begins a build in the background, in processor time that the running tests leave: many of them wait for servers.
begin_build() {
    local preset=$1
    shift
    set -m # a process group of its own, so that all of it can be ended
    (
        configure "$preset"
        exec nice -n 19 cmake --build --preset "$preset" -j "$((($(jobs) + 1) / 2))" --target "$@"
    ) >"build/test-results/$preset-begun.log" 2>&1 </dev/null &
    begun+=("$!")
    set +m
}

# end_begun_builds: ends those that still run. The parts that need them build what is missing, and tell what failed.
end_begun_builds() {
    local process
    for process in "${begun[@]}"; do
        kill -- "-$process" 2>/dev/null || true
        wait "$process" || true
    done
    begun=()
}

# broken WHAT: reports that nothing could run; still ends with the totals, because scripts read that line.
broken() {
    note "stopped: $1 failed"
    printf '0 passed, 1 failed, 0 skipped\n'
    exit 1
}

# failed_part FILE: counts a part that could not run as failed in the totals.
failed_part() { printf '{"passed": 0, "failed": 1, "skipped": 0}\n' >"$1"; }

# run_ctest PRESET JUNIT [CTEST-ARGS...]
run_ctest() {
    local preset=$1 junit=$2
    shift 2
    # AddressSanitizer keeps the stack of each allocation. With one frame instead of 30 the engine takes a seventh less processor time, and
    # nothing less is found. `ctest` without this command shows whole stacks. A quarantine of 16 MiB of freed memory instead of 256 takes
    # another tenth, nearly all of it the kernel's.
    local -x ASAN_OPTIONS="malloc_context_size=1:quarantine_size_mb=16${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
    # Two more jobs than processors, because the tests with silent servers start first and mostly wait.
    ctest --test-dir "build/$preset" -j "$(($(jobs) + 2))" --output-on-failure --timeout 600 --no-tests=error \
        --test-output-size-passed 8388608 --test-output-size-failed 8388608 \
        --output-junit "$PWD/$junit" "$@" </dev/null || {
        [ -s "$junit" ] || failed_part "${junit%.xml}.json"
        return 1
    }
}

# test_threads RESULTS: runs the tests labelled tsan, built with GPULEDGER_GUI=OFF because Debian's Qt is not instrumented.
test_threads() {
    local results=$1
    local -a without_aslr=()
    (configure tsan) || broken tsan-configuration
    note "thread sanitizer: build"
    (build tsan test_programs) || {
        failed_part "$results/tsan.json"
        return 1
    }
    # The TSan runtime of gcc 12 fails on kernels that randomize more address bits than it supports.
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        without_aslr=(setarch "$(uname -m)" -R)
    fi
    note "thread sanitizer: tests"
    TSAN_OPTIONS="halt_on_error=0 second_deadlock_stack=1 suppressions=$PWD/tests/support/tsan.supp" "${without_aslr[@]}" bash -c '
        . tools/dev/common.sh; . tools/dev/test.sh; run_ctest "$@"' run_ctest tsan "$results/tsan.xml" -L '^tsan$'
}

# test_parsers RESULTS: runs each fuzz target for GPULEDGER_FUZZ_SECONDS (10), as many at a time as there are jobs; 0: only builds them.
test_parsers() {
    local results=$1
    note "fuzz targets: build"
    (build fuzz) || {
        failed_part "$results/fuzz.json"
        return 1
    }
    [ "${GPULEDGER_FUZZ_SECONDS:-10}" -gt 0 ] || {
        note "fuzz targets: not run (GPULEDGER_FUZZ_SECONDS=0)"
        return 0
    }
    note "fuzz targets: ${GPULEDGER_FUZZ_SECONDS:-10} s each"
    run_ctest fuzz "$results/fuzz.xml" -j "$(jobs)"
}

# fuzz [SECONDS] [NAME...]: runs them one after another; their corpora stay in build/fuzz/fuzz, where the next run continues.
cmd_fuzz() {
    need build fuzz
    local seconds=60 name failed=0
    case ${1:-} in [0-9]*) seconds=$1; shift ;; esac
    [ $# -gt 0 ] || set -- $(python -c 'import sys; sys.path.insert(0, "tests/fuzz"); import seeds; print(*seeds.SEEDS)')
    (build fuzz "${@/#/fuzz_}") || return 1
    for name in "$@"; do
        python tests/fuzz/runfuzz.py --seconds "$seconds" --bin build/fuzz/bin --work build/fuzz/fuzz "$name" || failed=1
    done
    return "$failed"
}
