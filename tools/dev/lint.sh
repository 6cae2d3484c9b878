# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# lint, format and translate. Every finding is one line, and all checks run even if an early one finds something.

readonly kTidySeconds=240
readonly kTidyFiles=16

cpp_files() { git ls-files -co --exclude-standard -- '*.cpp' '*.h' | while read -r f; do [ ! -f "$f" ] || printf '%s\n' "$f"; done; }

cmd_format() {
    need lint
    cpp_files | xargs -r "$(tool clang-format)" -i
}

cmd_lint() {
    need build lint # lupdate is in the build packages
    local bad=0
    check_format || bad=1
    local check
    for check in checklayers check_strings check_translations check_patterns check_files check_links; do
        python "tests/tools/$check.py" "$root" || bad=1
    done
    check_shell || bad=1
    check_desktop || bad=1
    check_tidy || bad=1
    [ "$bad" -eq 0 ] || die "lint: findings above"
    note "lint: nothing found"
}

cmd_translate() {
    need build
    python tests/tools/check_translations.py --update
    note "what is new in translations/*.ts is marked unfinished"
}

cmd_reference() {
    need build
    build run gpuledger-cli
    python tools/dev/clireference.py build/run/bin/gpuledger-cli >build/commands.md && mv build/commands.md docs/commands.md
}

check_format() {
    local out
    # --dry-run reports each place on several lines; one line per finding is enough.
    if ! out=$(cpp_files | xargs -r "$(tool clang-format)" --dry-run -Werror 2>&1); then
        printf '%s\n' "$out" | sed -n "s|^$root/||; /: error: /p" | sort -u
        return 1
    fi
}

check_shell() {
    local file bad=0
    while read -r file; do
        bash -n "$file" || bad=1
    done < <(git ls-files -co --exclude-standard -- dev .ci/run '*.sh')
    if command -v shellcheck >/dev/null; then
        git ls-files -co --exclude-standard -- dev .ci/run '*.sh' | xargs -r shellcheck -f gcc || bad=1
    fi
    return "$bad"
}

check_desktop() {
    local file bad=0
    for file in resources/desktop/*.desktop; do
        [ ! -f "$file" ] || desktop-file-validate "$file" || bad=1
    done
    for file in resources/desktop/*.metainfo.xml; do
        [ ! -f "$file" ] || appstreamcli validate --no-net "$file" >/dev/null || { printf '%s: appstreamcli refuses it\n' "$file"; bad=1; }
    done
    return "$bad"
}

# The commit on which the current work is based: the branch point, or the previous commit.
lint_base() {
    local ref base
    for ref in origin/main origin/master main; do
        base=$(git merge-base HEAD "$ref" 2>/dev/null) || continue
        if [ "$base" != "$(git rev-parse HEAD)" ]; then
            printf '%s' "$base"
            return
        fi
    done
    git rev-parse -q --verify HEAD~1 2>/dev/null || git hash-object -t tree /dev/null
}

check_tidy() {
    local -a files=()
    mapfile -t files < <({ git diff --name-only --diff-filter=d "$(lint_base)" -- 'app/*.cpp' 'connectors/*.cpp' 'widgets/*.cpp' 'ui/*.cpp'
        git ls-files -o --exclude-standard -- 'app/*.cpp' 'connectors/*.cpp' 'widgets/*.cpp' 'ui/*.cpp'; } | sort -u)
    [ "${#files[@]}" -gt 0 ] || return 0
    need build
    (configure tidy >&2) || return 1
    cmake --build build/tidy --target gpuledger_nebius_messages >&2 || return 1 # headers that sources include
    if [ "${#files[@]}" -gt "$kTidyFiles" ]; then
        note "clang-tidy: ${#files[@]} files changed, checking $kTidyFiles of them"
        mapfile -t files < <(printf '%s\n' "${files[@]}" | shuf --random-source=<(yes) -n "$kTidyFiles")
    fi
    python tools/dev/tidy.py "$(tool clang-tidy)" build/tidy "$kTidySeconds" "$(jobs)" "${files[@]}"
}
