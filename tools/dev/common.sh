# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Words, jobs and builds that every command shares.

note() { printf '%s\n' "dev: $*" >&2; }

die() {
    printf '%s\n' "dev: $1" >&2
    exit "${2:-1}"
}

jobs() {
    if [ -n "${GPULEDGER_JOBS:-}" ]; then
        printf '%s' "$GPULEDGER_JOBS"
    else
        nproc
    fi
}

# configure PRESET: from the start when there is no build folder yet or the presets changed, else only if a list of files did.
configure() {
    local preset=$1 dir="build/$1"
    if [ ! -f "$dir/build.ninja" ] || [ CMakePresets.json -nt "$dir/build.ninja" ]; then
        cmake --preset "$preset" || die "the configuration of preset '$preset' failed"
    else
        ninja -C "$dir" build.ninja >/dev/null || die "the configuration of preset '$preset' failed"
    fi
}

# build PRESET [TARGET...]
build() {
    local preset=$1
    shift
    local -a targets=()
    [ $# -eq 0 ] || targets=(--target "$@")
    configure "$preset"
    cmake --build --preset "$preset" -j "$(jobs)" "${targets[@]}" || die "the build of preset '$preset' failed"
}

has_display() { [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; }

# The system's interpreter: another python3 on the PATH lacks the Debian modules that tests use.
python() {
    if [ -x /usr/bin/python3 ]; then
        PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$@"
    else
        PYTHONDONTWRITEBYTECODE=1 python3 "$@"
    fi
}
