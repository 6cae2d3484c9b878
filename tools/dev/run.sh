# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# run, cli and bench: build and run. `run` and `cli` optimize less than the package does (-O1; the command line not at all), which takes half of the compile time.

cmd_run() {
    need build
    build run
    local bin=build/run/bin
    if has_display; then
        note "opening the dashboard on the demo fleet"
        exec "$bin/gpuledger" --demo "$@"
    fi
    tour "$bin"
}

# tour BIN: the equivalent of run without a display.
tour() {
    local bin=$1 data=build/demo-data out=build/tour page theme count=0
    note "no display: filling the demo fleet into $data"
    mkdir -p "$out" "$data"
    "$bin/gpuledger-cli" demo --data "$data" || die "the demo fleet could not be filled"
    printf '\nGPU-hours and money by team\n\n'
    "$bin/gpuledger-cli" --demo summary --by team --data "$data" || die "the summary failed"
    printf '\nGPUs that are held and not used\n\n'
    "$bin/gpuledger-cli" --demo idle --data "$data" || die "the idle list failed"
    local -a pages=()
    mapfile -t pages < <(QT_QPA_PLATFORM=offscreen "$bin/gpuledger" --list-pages)
    [ "${#pages[@]}" -gt 0 ] || die "the program lists no pages"
    rm -f "$out"/*.png
    for page in "${pages[@]}"; do
        for theme in light dark; do # both at the same time
            QT_QPA_PLATFORM=offscreen "$bin/gpuledger" --demo --screenshot "$page" --out "$out/$page-$theme.png" \
                --size 1280x800 --theme "$theme" --data "$data" &
        done
        wait
        for theme in light dark; do
            [ -s "$out/$page-$theme.png" ] || die "page '$page' left no picture ($theme)"
            count=$((count + 1))
        done
    done
    printf '\n%d pictures of the window are in %s:\n' "$count" "$PWD/$out"
    printf '  %s\n' "$out"/*.png
}

cmd_cli() {
    need build
    build run gpuledger-cli >&2
    cd "$caller"
    exec "$root/build/run/bin/gpuledger-cli" "$@"
}

cmd_bench() {
    if [ "${1:-} ${2:-}" = "--part build" ]; then
        need build test
        build_bench "${@:3}"
        return
    fi
    if [ "${1:-} ${2:-}" = "--part trace" ]; then
        need build test
        build bench gpuledger-cli >&2
        exec python3 tests/integration/run_acceptance.py build/bench/bin/gpuledger-cli build/bench/trace --only trace --gpus 856 --days 28 --step 300 "${@:3}"
    fi
    need build test bench
    need_pypi
    build bench gpuledger gpuledger-cli gpuledger-bench gpuledger-action-bench gpuledger-window-bench gpuledger-chart-window >&2
    exec build/bench/bin/gpuledger-bench "$@"
}
