# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# bench --part build: measures how long new developers and CI wait, from a fresh clone of the last commit without a compiler cache.

readonly edited_source=app/insight/idle/idle.cpp

# build_bench [STEP...]: the steps are run, test, edit and ci; the default is run, test and edit. `test` takes an hour on a slow machine.
build_bench() {
    [ $# -gt 0 ] || set -- run test edit
    local clone log step
    mkdir -p build
    clone=$(mktemp -d "$PWD/build/buildbench.XXXXXX")
    log=$clone.log
    # shellcheck disable=SC2064
    trap "rm -rf '$clone'" EXIT
    git clone --quiet . "$clone"
    printf 'commit %s, %s processors, no compiler cache; what was printed is in %s\n\n' "$(git rev-parse --short HEAD)" "$(jobs)" "$log"
    printf '| step | minutes | goal | |\n| --- | --- | --- | --- |\n'
    for step in "$@"; do
        case $step in
            run) timed "./dev run" 8 build_bench_run "$clone" ;;
            test) timed "./dev test" 35 in_clone "$clone" ./dev test ;;
            edit) build_bench_edit "$clone" ;;
            ci) timed ".ci/run" 45 in_clone "$clone" .ci/run ;;
            *) die "bench --part build has the steps run, test, edit and ci, not '$step'" ;;
        esac
    done
}

# in_clone CLONE COMMAND...
in_clone() {
    local folder=$1
    shift
    (cd "$folder" && env CCACHE_DISABLE=1 "$@")
}

# Runs the demo without a window, even if there is a display.
build_bench_run() { in_clone "$1" env -u DISPLAY -u WAYLAND_DISPLAY ./dev run; }

# Measures the time from a change in one engine source until the tests of its folder have been rebuilt and run.
build_bench_edit() {
    local folder=$1
    if [ ! -x "$folder/build/asan/bin/tests_insight" ]; then
        in_clone "$folder" bash -c '. tools/dev/common.sh; build asan tests_insight' >>"$log" 2>&1 || die "tests_insight could not be built: see $log"
    fi
    printf '// Edited by bench --part build.\n' >>"$folder/$edited_source"
    timed "edit $edited_source" 1 in_clone "$folder" bash -c '. tools/dev/common.sh; build asan tests_insight \
        && ctest --test-dir build/asan -j "$(jobs)" -R "^tst_(idle|idlecause|evidence)$" --output-on-failure'
}

# timed NAME GOAL-MINUTES COMMAND...: prints one row of the table; the command's output goes to the log.
timed() {
    local name=$1 goal=$2 start=$SECONDS verdict=holds minutes
    shift 2
    "$@" >>"$log" 2>&1 </dev/null || verdict=failed
    minutes=$(python -c 'import sys; print("%.1f" % (int(sys.argv[1]) / 60))' "$((SECONDS - start))")
    if [ "$verdict" = holds ] && python -c 'import sys; sys.exit(float(sys.argv[1]) <= float(sys.argv[2]))' "$minutes" "$goal"; then
        verdict=missed
    fi
    printf '| %s | %s | %s | %s |\n' "$name" "$minutes" "$goal" "$verdict"
}
