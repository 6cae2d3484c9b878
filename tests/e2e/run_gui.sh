#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Real-window test: a private X server, window manager, session bus and accessibility bus around one command.
#   run_gui.sh [-o OUTDIR] [-s WIDTHxHEIGHT] COMMAND [ARG...]      e.g.  run_gui.sh -o out /usr/bin/python3 test_window.py BIN_FOLDER WORK_FOLDER
# The caller's desktop, HOME and keyring are not used. Every process started here is ended by its own id.
set -euo pipefail
out=./gui-out size=1280x800
while getopts o:s: f; do case $f in o) out=$OPTARG;; s) size=$OPTARG;; *) exit 2;; esac; done
shift $((OPTIND - 1)); [ $# -gt 0 ] || { echo "usage: run_gui.sh [-o OUTDIR] [-s WxH] COMMAND..." >&2; exit 2; }
mkdir -p "$out"; out=$(cd "$out" && pwd)
for p in Xvfb openbox dbus-run-session xdotool; do command -v $p >/dev/null || { echo "missing: $p" >&2; exit 3; }; done
launcher=/usr/libexec/at-spi-bus-launcher
[ -x "$launcher" ] || { echo "missing: at-spi2-core" >&2; exit 3; }

tmp=$(mktemp -d); mkdir -p "$tmp"/{run,home,config,data,cache}; chmod 700 "$tmp/run"
xpid=""
cleanup() { [ -n "$xpid" ] && kill "$xpid" 2>/dev/null && wait "$xpid" 2>/dev/null; rm -rf "$tmp"; }
trap cleanup EXIT
# -displayfd: the server picks a free display and reports its number, so that parallel runs do not race for :99
Xvfb -displayfd 3 -screen 0 "${size}x24" -dpi 96 -nolisten tcp -noreset +extension RANDR 3>"$tmp/display" >"$out/xvfb.log" 2>&1 &
xpid=$!
for _ in $(seq 100); do [ -s "$tmp/display" ] && break; sleep 0.05; done
[ -s "$tmp/display" ] || { echo "Xvfb did not start" >&2; cat "$out/xvfb.log" >&2; exit 4; }

unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS SESSION_MANAGER
export DISPLAY=":$(cat "$tmp/display")" HOME="$tmp/home" XDG_RUNTIME_DIR="$tmp/run" XDG_CONFIG_HOME="$tmp/config" \
  XDG_DATA_HOME="$tmp/data" XDG_CACHE_HOME="$tmp/cache" XDG_CURRENT_DESKTOP=Openbox GIO_USE_VFS=local GSETTINGS_BACKEND=memory \
  QT_QPA_PLATFORM=xcb QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 LC_ALL=C.UTF-8 TZ=UTC NO_AT_BRIDGE=0 OUT="$out" LAUNCHER="$launcher"
dbus-run-session -- bash -c '
  "$LAUNCHER" --launch-immediately >"$OUT/atspi.log" 2>&1 & a=$!
  openbox --sm-disable >"$OUT/openbox.log" 2>&1 & o=$!
  for _ in $(seq 100); do xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q "window id" && break; sleep 0.05; done
  "$@"; rc=$?
  kill $o $a 2>/dev/null; wait $o $a 2>/dev/null
  exit $rc' bash "$@"
