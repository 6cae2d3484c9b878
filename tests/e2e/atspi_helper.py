# SPDX-License-Identifier: GPL-3.0-or-later
"""Drive a Qt window the way a screen reader does. Run with /usr/bin/python3 (Debian's python3-gi), inside run_gui.sh.

    with App(["./gpuledger"]) as app:
        app.find("text", "Filter").click(); app.type("vision")
        app.find("push button", "Stop 2 selected").press()
        assert app.find("table", "Idle resources").rows()[0][0] == "gpu-node-1/dev1"
        app.screenshot("after-stop.png")
"""
import os, signal, subprocess, sys, time
import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

OUT = os.environ.get("OUT", ".")
HEAVY = {"table", "tree table", "tree", "list"}          # their cells are not searched


class NotFound(AssertionError):
    pass


def wait_until(pred, timeout=5.0, what="condition", every=0.03):
    end, last = time.monotonic() + timeout, None
    while True:
        try:
            last = pred()
            if last:
                return last
        except GLib.Error as e:                          # the object disappeared between two calls: query it again
            last = e.message
        if time.monotonic() > end:
            raise NotFound(f"{what}: not within {timeout} s (last: {last!r})")
        time.sleep(every)


class Node:
    def __init__(self, app, acc):
        self.app, self.acc = app, acc

    # -- properties
    @property
    def role(self): return self.acc.get_role_name()
    @property
    def name(self): return self.acc.get_name() or ""
    @property
    def text(self):
        t = self.acc.get_text_iface()
        return Atspi.Text.get_text(self.acc, 0, Atspi.Text.get_character_count(self.acc)) if t else self.name
    def has(self, state): return self.acc.get_state_set().contains(getattr(Atspi.StateType, state.upper()))
    def children(self):
        for i in range(self.acc.get_child_count()):
            c = self.acc.get_child_at_index(i)
            if c is not None:
                yield Node(self.app, c)
    def walk(self, into_heavy=False):
        yield self
        if self.role in HEAVY and not into_heavy:
            return
        for c in self.children():
            yield from c.walk(into_heavy)
    def extents(self):
        e = self.acc.get_extents(Atspi.CoordType.SCREEN)
        return e.x, e.y, e.width, e.height
    def dump(self, depth=0, limit=400, out=sys.stdout):
        for n, d in _dfs(self, depth, [limit]):
            print("  " * d + f"[{n.role}] {n.name!r}", file=out)

    # -- actions
    def actions(self): return [self.acc.get_action_name(i) for i in range(self.acc.get_n_actions())]
    def press(self):
        """Invokes the accessible action, as a screen reader does: works even if the widget is covered."""
        names = self.actions()
        for want in ("Press", "Toggle", "ShowMenu", "SetFocus"):
            if want in names:
                assert self.acc.do_action(names.index(want)), f"{want} refused by {self.name!r}"
                return self
        raise NotFound(f"no action on {self.name!r}: {names}")
    def click(self, button=1, times=1):
        """Clicks the middle with the mouse: fails if it is covered or off the screen."""
        x, y, w, h = self.extents()
        assert w > 0 and h > 0, f"{self.name!r} has no area on the screen"
        _x("mousemove", "--sync", str(x + w // 2), str(y + h // 2), "click", "--repeat", str(times), str(button))
        return self
    def hover(self):
        x, y, w, h = self.extents()
        _x("mousemove", str(x + w // 2 - 3), str(y + h // 2)); time.sleep(0.05); _x("mousemove", str(x + w // 2), str(y + h // 2))
        return self
    def focus(self):
        self.acc.grab_focus()
        wait_until(lambda: self.has("focused"), 3, f"focus on {self.name!r}")
        return self

    # -- tables
    def shape(self): return Atspi.Table.get_n_rows(self.acc), Atspi.Table.get_n_columns(self.acc)
    def cell(self, r, c): return Node(self.app, Atspi.Table.get_accessible_at(self.acc, r, c))
    def headers(self): return [Atspi.Table.get_column_description(self.acc, c) for c in range(self.shape()[1])]
    def rows(self):
        n, m = self.shape()
        return [[self.cell(r, c).name for c in range(m)] for r in range(n)]


def _dfs(n, d, left):
    left[0] -= 1
    if left[0] < 0:
        return
    yield n, d
    if n.role not in HEAVY:
        for c in n.children():
            yield from _dfs(c, d + 1, left)


def _x(*a):
    subprocess.run(["xdotool", *a], check=True, timeout=20)


class App:
    def __init__(self, cmd, env=None, timeout=15):
        self.cmd, self.env, self.timeout, self.proc, self.acc, self.steps = cmd, env or {}, timeout, None, None, []

    def __enter__(self):
        t = time.monotonic()
        self.log = open(os.path.join(OUT, "app.log"), "w")
        self.proc = subprocess.Popen(self.cmd, env={**os.environ, **self.env}, stdout=self.log, stderr=subprocess.STDOUT)
        Atspi.init()
        def mine():
            assert self.proc.poll() is None, f"the program ended with {self.proc.returncode}; see app.log"
            desk = Atspi.get_desktop(0)
            for i in range(desk.get_child_count()):
                a = desk.get_child_at_index(i)
                if a is not None and a.get_process_id() == self.proc.pid and a.get_child_count() > 0:
                    return a
        self.acc = wait_until(mine, self.timeout, "the program on the accessibility bus")
        self.acc.set_cache_mask(Atspi.Cache.NONE)        # no GLib loop runs here, so a cached name would stay stale forever
        self.root = Node(self, self.acc)
        self._log("start to window", t)
        return self

    def __exit__(self, et, ev, tb):
        if et:
            try:
                self.screenshot("failure.png")
                with open(os.path.join(OUT, "failure-tree.txt"), "w") as f:
                    self.root.dump(out=f)
            except Exception as e:                       # the first error is the one to report
                print("while keeping evidence:", e, file=sys.stderr)
        self.close(force=bool(et))

    def close(self, force=False):
        if self.proc and self.proc.poll() is None:
            if force:
                self.proc.terminate()
            else:
                self.key("alt+F4")                       # through the window manager, so that closeEvent() runs
            try:
                self.proc.wait(5)
            except subprocess.TimeoutExpired:
                self.proc.send_signal(signal.SIGKILL); self.proc.wait()
                raise AssertionError("the program did not close")
        self.log.close()
        return self.proc.returncode

    def _log(self, what, t):
        ms = (time.monotonic() - t) * 1000
        self.steps.append((what, ms)); print(f"{ms:8.0f} ms  {what}", flush=True)
    def step(self, what):
        app = self
        class S:
            def __enter__(s): s.t = time.monotonic()
            def __exit__(s, *e): app._log(what if e[0] is None else what + "  FAILED", s.t)
        return S()

    def find_all(self, role=None, name=None, within=None, showing=True, into_heavy=False):
        out = []
        for n in (within or self.root).walk(into_heavy):
            try:
                if (role is None or n.role == role) and (name is None or n.name == name) and (not showing or n.has("showing")):
                    out.append(n)
            except GLib.Error:
                continue
        return out
    def find(self, role=None, name=None, timeout=5, **kw):
        return wait_until(lambda: (self.find_all(role, name, **kw) or [None])[0], timeout, f"[{role}] {name!r}")
    def gone(self, role=None, name=None, timeout=5, **kw):
        wait_until(lambda: not self.find_all(role, name, **kw), timeout, f"[{role}] {name!r} to go")
    def focused(self):
        return next((n for n in self.root.walk() if n.has("focused")), None)

    def key(self, *keys): _x("key", "--clearmodifiers", *keys)
    def type(self, text): _x("type", "--clearmodifiers", "--delay", "8", text)
    def screenshot(self, name):
        path = os.path.join(OUT, name)
        subprocess.run(["import", "-window", "root", path], check=True, timeout=20)
        return path
