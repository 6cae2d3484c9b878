# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Debian packages by purpose, and their installation. "a|b" means the first one that the system offers.

packages_build=(
    g++ cmake ninja-build ccache mold pkg-config git
    qt6-base-dev libqt6opengl6-dev qt6-charts-dev qt6-svg-dev qt6-tools-dev qt6-l10n-tools qt6-translations-l10n qtkeychain-qt6-dev
    libcurl4-openssl-dev libssl-dev libsqlite3-dev libsqlitecpp-dev nlohmann-json3-dev libsimdjson-dev libyaml-cpp-dev
    libcli11-dev libsecret-1-dev libspdlog-dev libfmt-dev libxlsxwriter-dev libexpected-dev libre2-dev zlib1g-dev libzstd-dev libxxhash-dev
    libprotobuf-dev protobuf-compiler
    python3 fonts-inter fonts-dejavu-core
)
packages_test=(
    xvfb openbox xauth dbus dbus-x11 at-spi2-core python3-gi gir1.2-atspi-2.0 xdotool x11-utils imagemagick xclip
    gnome-keyring libsecret-tools poppler-utils unzip python3-fonttools sqlite3
    prometheus prometheus-alertmanager victoria-metrics etcd-server libfaketime faketime openssl curl strace procps librapidcheck-dev bash zsh fish util-linux python3-venv
)
packages_lint=(
    'clang-format-14|clang-format' 'clang-tidy-14|clang-tidy' appstream desktop-file-utils lintian fakeroot file
)
# For the fuzz targets: clang 14 as in Debian 12, libFuzzer, and the symbolizer for function names in reports.
packages_fuzz=(
    clang-14 libclang-rt-14-dev llvm-14
)
packages_bench=(
    heaptrack-gui
)
# From PyPI, for tests only; installed in build/python-test and nowhere else.
pypi_test=('moto[server]==5.2.1' 'boto3==1.43.11' 'slack_sdk==3.48.0' 'microsoft-teams-cards==2.1.1' 'pagerduty==7.2.0'
    'pyarrow==26.0.1' 'duckdb==2.0.1' 'sqlglot==30.30.0' 'grpcio==1.85.3' 'protobuf==7.36.2')
# From npm, for tests only; installed in build/node-test and nowhere else. Later versions of azurite need Node 22.
npm_test=('azurite@3.35.0')
declare -A packages_why=(
    [build]='to compile the window, the command line and the engine'
    [test]='to run the tests (a private screen, a real Prometheus, a real etcd, fault injection)'
    [fuzz]='to build and run the fuzz targets (clang with libFuzzer)'
    [bench]='to compare with (its start and memory)'
    [lint]='to check the style of the code and the package'
)
# These packages install a system service of the same name (without "-server"). Tests start their own instances, so it must not start.
packages_with_service='prometheus prometheus-alertmanager victoria-metrics etcd-server'

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# missing SPEC...: prints the specs of which no alternative is installed, neither under its own name nor provided by another package
# (as the OpenGL part of Qt is on Ubuntu 24.04).
missing() {
    local -A have=()
    local status name spec alternative found
    while read -r status name; do
        [ "$status" = installed ] && have[$name]=1
    done < <(printf '%s\n' "$@" | tr '|' '\n' | xargs dpkg-query -W -f='${db:Status-Status} ${Package}\n' 2>/dev/null || true)
    while read -r name; do
        have[$name]=1
    done < <(dpkg-query -W -f='${db:Status-Status} ${Provides}\n' | sed -n 's/^installed //p' | tr ',' '\n' | sed 's/^ *//; s/ .*//; /^$/d')
    for spec in "$@"; do
        found=
        for alternative in ${spec//|/ }; do
            [ -n "${have[$alternative]:-}" ] && found=1
        done
        [ -n "$found" ] || printf '%s\n' "$spec"
    done
}

# choose SPEC: prints the first alternative that apt can install; if there is none, the first one, so that apt reports it.
choose() {
    local alternative
    for alternative in ${1//|/ }; do
        if [ -n "$(apt-cache policy "$alternative" 2>/dev/null | sed -n 's/^ *Candidate: *\([0-9].*\)$/\1/p')" ]; then
            printf '%s\n' "$alternative"
            return
        fi
    done
    printf '%s\n' "${1%%|*}"
}

# need SET...: installs what is missing; returns at once if nothing is.
need() {
    [ -z "${GPULEDGER_SKIP_DEPS:-}" ] || return 0
    local set spec
    local -a all=() lacking=() names=() services=()
    for set in "$@"; do
        local -n members="packages_$set" 2>/dev/null || die "no package set '$set' (build, test, fuzz, lint, bench)" 2
        [ "${#members[@]}" -gt 0 ] || die "no package set '$set' (build, test, fuzz, lint, bench)" 2
        all+=("${members[@]}")
    done
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        note "this system has no apt; please install the equivalents of: ${all[*]}"
        return 0
    fi
    mapfile -t lacking < <(missing "${all[@]}")
    [ "${#lacking[@]}" -gt 0 ] || return 0

    for set in "$@"; do
        local -n members="packages_$set"
        local -a part=()
        mapfile -t part < <(missing "${members[@]}")
        [ "${#part[@]}" -eq 0 ] || note "missing ${packages_why[$set]}: ${part[*]}"
    done
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        die "installing them needs root and there is no sudo; run as root: apt-get install ${lacking[*]}"
    fi
    note "installing ${#lacking[@]} packages with apt-get$([ "$(id -u)" -eq 0 ] || printf ' through sudo')"
    as_root apt-get -q -o DPkg::Lock::Timeout=300 update </dev/null >&2 || note "apt-get update failed; trying with the lists at hand"
    for spec in "${lacking[@]}"; do
        names+=("$(choose "$spec")")
    done
    for spec in $packages_with_service; do
        case " ${names[*]} " in *" $spec "*) services+=("${spec%-server}.service") ;; esac
    done
    install_quietly "${names[@]}"
}

# need_pypi: creates a Python environment with pypi_test; returns at once if it exists. It takes a minute and 600 MB, of which pyarrow and duckdb
# take 6 s and 240 MB, grpcio and protobuf 3 s and 20 MB. Without it, the tests that need it report that they are skipped, and the build has no module for Parquet unless Apache
# Arrow is installed.
need_pypi() {
    [ -z "${GPULEDGER_SKIP_DEPS:-}" ] || return 0
    local folder=build/python-test
    [ "$(cat "$folder/installed" 2>/dev/null || true)" != "${pypi_test[*]}" ] || return 0
    note "installing from PyPI into $folder: ${pypi_test[*]}"
    if python -m venv "$folder" >&2 && "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --timeout 15 --retries 1 \
        "${pypi_test[@]}" </dev/null >&2; then
        printf '%s\n' "${pypi_test[*]}" >"$folder/installed"
    else
        note "PyPI did not give them; the tests against moto and gRPC, with models of messages and of Parquet are skipped"
    fi
}

# need_npm: installs npm_test, without running the packages' scripts; returns at once if that was done. It takes half a minute and 190 MB.
# Without it, the tests that need it report that they are skipped.
need_npm() {
    [ -z "${GPULEDGER_SKIP_DEPS:-}" ] || return 0
    local folder=build/node-test
    [ "$(cat "$folder/installed" 2>/dev/null || true)" != "${npm_test[*]}" ] || return 0
    if ! command -v npm >/dev/null; then
        note "no npm on the PATH; the tests against Azurite are skipped"
        return 0
    fi
    note "installing from npm into $folder: ${npm_test[*]}"
    mkdir -p "$folder"
    if npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error --fetch-timeout=15000 --fetch-retries=1 \
        "${npm_test[@]}" </dev/null >&2; then
        printf '%s\n' "${npm_test[*]}" >"$folder/installed"
    else
        note "npm did not give them; the tests against Azurite are skipped"
    fi
}

# need_apiserver: with GPULEDGER_APISERVER=1, builds the kube-apiserver of tests/apiserver from Go modules. The build takes 6 to 7 minutes of
# processor time, 3 GB of disk and 2 GB of memory; the result takes 100 MB. Without it, the tests that need it report that they are skipped.
need_apiserver() {
    [ "${GPULEDGER_APISERVER:-}" = 1 ] && [ -z "${GPULEDGER_SKIP_DEPS:-}" ] || return 0
    local folder=$PWD/build/apiserver sources
    sources=$(cat tests/apiserver/go.mod tests/apiserver/main.go | cksum)
    [ "$(cat "$folder/installed" 2>/dev/null || true)" != "$sources" ] || return 0
    if ! command -v go >/dev/null; then
        note "no Go on the PATH; the tests against kube-apiserver are skipped"
        return 0
    fi
    note "building kube-apiserver into $folder"
    local version
    version=$(sed -n 's,^.*k8s.io/kubernetes v\(.*\)$,\1,p' tests/apiserver/go.mod | head -n 1)
    local -a minor=()
    IFS=. read -ra minor <<<"$version"
    local at=k8s.io/component-base/version
    if (cd tests/apiserver && env CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS=-modcacherw GOMODCACHE="$folder/modules" GOCACHE="$folder/cache" \
        go build -p 2 -trimpath -o "$folder/kube-apiserver" \
        -ldflags "-s -w -X $at.gitVersion=v$version -X $at.gitMajor=${minor[0]} -X $at.gitMinor=${minor[1]}" . </dev/null >&2); then
        printf '%s\n' "$sources" >"$folder/installed"
        rm -rf "$folder/modules" "$folder/cache"
    else
        note "kube-apiserver could not be built; the tests against it are skipped"
    fi
}

# install_quietly NAME...: installs packages without starting the services in services[], now or at the next boot.
install_quietly() {
    local rc=0 with_systemd=
    [ -d /run/systemd/system ] && [ "${#services[@]}" -gt 0 ] && with_systemd=1
    [ -z "$with_systemd" ] || as_root systemctl mask --runtime "${services[@]}" >/dev/null 2>&1 || true
    as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
        apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 install --no-install-recommends "$@" </dev/null >&2 || rc=$?
    if [ -n "$with_systemd" ]; then
        as_root systemctl unmask --runtime "${services[@]}" >/dev/null 2>&1 || true
        as_root systemctl disable --now "${services[@]}" >/dev/null 2>&1 || true
    fi
    [ "$rc" -eq 0 ] || die "apt-get could not install everything (exit status $rc); its message is above"
}

# tool NAME: prints the command to call, with or without Debian's version suffix.
tool() {
    local candidate
    for candidate in "$1-14" "$1"; do
        if command -v "$candidate" >/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
    die "$1 is not installed; run ./dev deps lint"
}
