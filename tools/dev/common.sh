# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Messages, job counts and builds, shared by all commands.

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

# configure PRESET: configures from scratch if there is no build folder or the presets changed, otherwise only if a list of files changed.
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

# Use the system's interpreter, because another python3 on the PATH lacks the Debian modules that the tests need.
python() {
    if [ -x /usr/bin/python3 ]; then
        PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$@"
    else
        PYTHONDONTWRITEBYTECODE=1 python3 "$@"
    fi
}
