# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# package: builds a .deb from the release build.

cmd_package() {
    need build lint
    build release
    rm -f build/release/*.deb
    (cd build/release && cpack -G DEB) || die "cpack failed"
    local file
    for file in build/release/*.deb; do
        [ -f "$file" ] || die "cpack left no package"
        printf '%s\n' "$PWD/$file"
    done
    if command -v lintian >/dev/null; then
        lintian --tag-display-limit 0 --fail-on error build/release/*.deb || die "lintian found an error"
    fi
}
