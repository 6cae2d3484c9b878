#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""From idle workloads to their release and back, in the real window over the demo fleet's simulated platform (inside run_gui.sh):

  run_gui.sh -o OUT /usr/bin/python3 test_stop.py BIN_FOLDER WORK_FOLDER

Three idle workloads are chosen, and one of them becomes active again between the dialog's last check and the click: two stop, one is
refused with the reason, undo brings the two back. Then the same by keyboard alone, counted and timed, and that Enter stops nothing. What
happened at the platform is read from its own file by an independent reader.
"""
import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]

from atspi_helper import App, wait_until  # noqa: E402
from test_users import Keys, told  # noqa: E402

NOW = '2026-11-21T12:00:00Z'
LONG_AGO = '2026-11-21T11:59:00Z'  # a minute before
KEYS_AT_MOST = 5
SECONDS_AT_MOST = 90
PATIENCE = 120
FULL_NAME = 'Full name of '  # start of the accessible name of a name field
AFTER_ENTER = 1.5  # seconds within which a stop would be in the platform's file
OF_NOW = 3  # seconds after which samples of "now" are older than any kept sample


class Platform:
    """An independent client of the simulated platform: reads its file, and simulates changes made by others."""

    def __init__(self, data):
        self.file = os.path.join(data, 'simulated-platform.json')

    def deeds(self):
        try:
            with open(self.file, encoding='utf-8') as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    @contextlib.contextmanager
    def change(self, uid):
        with open(self.file + '.lock', 'a', encoding='ascii') as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            deeds = self.deeds()
            yield deeds.setdefault(uid, {'version': 1, 'changed_at': 0, 'value': '', 'pauses': []})
            with open(self.file + '.new', 'w', encoding='utf-8') as file:
                json.dump(deeds, file)
            os.replace(self.file + '.new', self.file)

    def works_again(self, uid):
        with self.change(uid) as deed:
            deed['busy_since'] = LONG_AGO

    def stopped(self):
        return {uid for uid, deed in self.deeds().items() if deed['pauses'] and not deed['pauses'][-1]['until']}

    def writes(self):
        """How often a workload was stopped or brought back."""
        return sum(len(d['pauses']) + sum(1 for p in d['pauses'] if p['until']) for d in self.deeds().values())


class Watch:
    """Polls the platform, so that no intermediate state is missed."""

    def __init__(self, platform):
        self.platform, self.seen, self.over = platform, set(), threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)

    def look(self):
        while not self.over.wait(0.02):
            self.seen |= self.platform.stopped()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join(10)


class Demo:
    """A fleet of its own, so that no test sees what another one did."""

    def __init__(self, binaries, data):
        self.common = ['--data', data, '--now', NOW, '--tz', 'UTC']
        self.binary = os.path.join(binaries, 'gpuledger')
        self.cli = os.path.join(binaries, 'gpuledger-cli')
        subprocess.run([self.cli, 'demo', '--gpus', '120', '--days', '3'] + self.common, check=True, timeout=300, capture_output=True)
        self.platform = Platform(data)
        self.items = self.ask('idle')['items']

    def window(self, *more):
        return [self.binary, '--demo', *self.common, *more]

    def ask(self, *question, status=0):
        answer = subprocess.run([self.cli, '--demo', *self.common, *question, '--json'], capture_output=True, text=True, timeout=PATIENCE)
        assert answer.returncode == status, (question, answer.returncode, answer.stderr)
        return json.loads(answer.stdout)

    def plan(self, item):
        """The plan of a stop of this workload, and whether its name has to be typed."""
        answer = subprocess.run([self.cli, '--demo', *self.common, 'act', 'plan', item['id'], '--json'], capture_output=True, text=True,
                                timeout=PATIENCE)
        plan = json.loads(answer.stdout)
        return plan['actions'][0], plan['needs_count']

    def log(self):
        return self.ask('act', 'log')['actions']

    def nothing_happened(self):
        assert self.platform.writes() == 0, self.platform.deeds()
        assert self.log() == []


def stoppable(demo, reversible=True):
    """(item, plan, whether its name has to be typed) of each workload that can be stopped, in the order of the list."""
    out = []
    for item in demo.items:
        plan, needs_count = demo.plan(item)
        if plan['state'] == 'checked' and (plan['verb'] != 'delete') == reversible:
            out.append((item, plan, needs_count))
    return out


def idle_list(app):
    tree = app.find('tree', 'Idle workloads', timeout=PATIENCE)
    wait_until(lambda: tree.shape()[0] > 3, PATIENCE, 'rows of the idle list')
    return tree


def row_of(tree, name):
    for r in range(tree.shape()[0]):
        if name in tree.cell(r, 0).name:
            return tree.cell(r, 0)
    return None


def scroll_to(tree, row):
    """Turns the wheel until all of the row is in sight below the header: a click elsewhere would miss it."""
    wheel_up, wheel_down, header = 4, 5, 40
    for _ in range(100):
        _, top, _, height = tree.extents()
        _, y, _, h = row.extents()
        if top + header <= y and y + h <= top + height:
            return
        tree.click(button=wheel_up if y < top + header else wheel_down)
        time.sleep(0.05)


def tick(app, row):
    scroll_to(idle_list(app), row)
    row.click()
    wait_until(lambda: row.has('focused'), PATIENCE, 'focus on ' + row.name)
    app.key('space')
    wait_until(lambda: row.has('checked'), PATIENCE, 'a tick at ' + row.name)


def the_dialog(app):
    return app.find('dialog', 'Stop idle workloads', timeout=PATIENCE)


def button(app, begin, within=None):
    return wait_until(lambda: next((n for n in app.find_all('push button', within=within) if n.name.startswith(begin)), None), PATIENCE,
                      'a button "%s…"' % begin)


def ready(app, dialog, count):
    """Waits until every check of the dialog has passed; returns the Stop button."""
    table = app.find('tree', 'What is stopped', within=dialog, timeout=PATIENCE)
    wait_until(lambda: table.shape()[0] == count and all('checks passed' in table.cell(r, table.shape()[1] - 1).name for r in range(count)),
               PATIENCE, '%d rows whose checks passed' % count)
    return button(app, 'Stop %d workload' % count, dialog)


def type_consent(app, dialog, count):
    """Types what the dialog requires: the number of workloads, and the full name of each that can't be brought back."""
    names = [n for n in app.find_all('text', within=dialog) if n.name.startswith(FULL_NAME)]
    for field, text in [(f, str(count)) for f in app.find_all('text', 'Number of workloads', within=dialog)] + [
            (n, n.name[len(FULL_NAME):]) for n in names]:
        field.focus()
        wait_until(lambda f=field: f.has('focused'), PATIENCE, 'focus in ' + field.name)
        app.type(text)
    return names


def notice(app, part):
    """The notice below the page with this text."""
    bar = app.find(None, 'Notices', timeout=PATIENCE)
    return told(bar, part)


def refused_in_the_last_second(binaries, work):
    demo = Demo(binaries, os.path.join(work, 'refused'))
    chosen = stoppable(demo)[:3]
    assert len(chosen) == 3, 'the fleet has too few idle workloads'
    uids = [plan['target']['uid'] for _, plan, _ in chosen]
    awake, awake_uid = chosen[1][1]['target'], uids[1]
    others = set(uids) - {awake_uid}
    values = {}
    with App(demo.window('--page', 'idle'), timeout=PATIENCE) as app, Watch(demo.platform) as watch:
        with app.step('choose three that idle'):
            tree = idle_list(app)
            for item, _, _ in chosen:
                tick(app, row_of(tree, item['name']))
            wait_until(lambda: app.find_all('label', '3 selected'), PATIENCE, 'three that are selected')
        with app.step('every check passes'):
            button(app, 'Stop 3 selected').press()
            dialog = the_dialog(app)
            stop = ready(app, dialog, 3)
            type_consent(app, dialog, 3)
            wait_until(lambda: stop.has('enabled'), PATIENCE, 'a button that can be pressed')
        demo.nothing_happened()
        app.screenshot('three-checked.png')
        time.sleep(OF_NOW)
        with app.step('one works again, and the click'):
            began = time.monotonic()
            demo.platform.works_again(awake_uid)
            stop.press()
            between = time.monotonic() - began
            assert between < 10, 'this machine is too slow for a click right afterwards'
        with app.step('two are stopped, one is refused'):
            text = notice(app, 'Stopped 2 workload')
            assert '%s was not: ' % awake['name'] in text and 'active again' in text, text
        app.screenshot('two-stopped.png')
        deeds = demo.platform.deeds()
        assert demo.platform.stopped() == others, deeds
        for uid in others:
            values[uid] = deeds[uid]['stopped']['old_value']
            assert deeds[uid]['value'] != values[uid], deeds[uid]
        assert deeds[awake_uid]['pauses'] == [] and deeds[awake_uid]['version'] == 1 and 'stopped' not in deeds[awake_uid], deeds[awake_uid]
        records = demo.log()
        assert {r['target']['uid']: r['state'] for r in records} == {uid: 'refused' if uid == awake_uid else 'verified' for uid in uids}, records
        reason = next(r['result'] for r in records if r['state'] == 'refused')
        assert 'active' in reason, reason
        with app.step('undo brings the two back'):
            button(app, 'Undo', app.find(None, 'Notices')).press()
            notice(app, 'Brought back 2 workload')
        app.screenshot('two-back.png')
        deeds = demo.platform.deeds()
        assert demo.platform.stopped() == set(), deeds
        for uid in others:
            assert deeds[uid]['value'] == values[uid] and 'stopped' not in deeds[uid] and len(deeds[uid]['pauses']) == 1, deeds[uid]
        assert demo.platform.writes() == 4, deeds
        with app.step('all of it is in the activity'):
            app.key('ctrl+7')
            table = app.find('tree', 'Activity', timeout=PATIENCE)
            wait_until(lambda: table.shape()[0] >= 5, PATIENCE, 'five lines')
            lines = [' | '.join(row) for row in table.rows()]
            assert sum(awake['name'] in line and 'active again' in line for line in lines) == 1, lines
            assert sum(' | undo | ' in line for line in lines) == 2, lines
        assert app.close() == 0
    assert watch.seen == others, 'another workload was stopped meanwhile'
    subprocess.run([demo.cli, '--demo', *demo.common, 'verify'], check=True, timeout=PATIENCE, capture_output=True)
    print('%.2f s from the activity to the click; refused: %s' % (between, reason), flush=True)
    return app.steps


def to_a_verified_release(app, demo, keys, uid, typed):
    """From the idle list with the right row to "verified", by keyboard alone."""
    keys.press('alt+s')
    dialog = the_dialog(app)
    stop = ready(app, dialog, 1)
    if typed:
        count = app.find('text', 'Number of workloads', within=dialog, timeout=PATIENCE)
        wait_until(lambda: count.has('focused'), PATIENCE, 'focus in the field for the number')
        keys.press('1')
    wait_until(lambda: stop.has('enabled'), PATIENCE, 'a button that can be pressed')
    assert demo.platform.writes() == 0
    keys.press('alt+s')
    text = notice(app, 'Stopped 1 workload')
    assert demo.platform.stopped() == {uid}, (text, demo.platform.deeds())
    assert [(r['state'], r['target']['uid']) for r in demo.log()] == [('verified', uid)]


def within_limits(what, keys, began):
    seconds = time.monotonic() - began
    print('%s: %d keystrokes, %.1f s' % (what, keys.pressed, seconds), flush=True)
    assert keys.pressed <= KEYS_AT_MOST and seconds <= SECONDS_AT_MOST, (what, keys.pressed, seconds)


def from_the_overview(binaries, work):
    """The overview shows a card about idle workloads; the most expensive one is released from there."""
    demo = Demo(binaries, os.path.join(work, 'overview'))
    item = max((i for i in demo.items if not i['protection']), key=lambda i: float((i['per_month'] or {'amount': 0})['amount']))
    plan, needs_count = demo.plan(item)
    with App(demo.window(), timeout=PATIENCE) as app:
        card = wait_until(lambda: next((n for n in app.find_all('push button') if n.name.startswith('Idle now: ')), None), PATIENCE,
                          'the card of idle workloads')
        assert any(c.isdigit() for c in card.name), card.name
        keys, began = Keys(app), time.monotonic()
        with app.step('from the overview to a verified release'):
            keys.press('ctrl+3')
            told(app.find(None, 'Evidence', timeout=PATIENCE), item['name'])
            tree = idle_list(app)
            wait_until(lambda: tree.has('focused'), PATIENCE, 'focus in the idle list')
            to_a_verified_release(app, demo, keys, plan['target']['uid'], needs_count)
        within_limits('from the overview', keys, began)
        assert app.close() == 0
        return app.steps


def link_of(item):
    return 'gpuledger://idle?at.item=' + urllib.parse.quote(item['id'], safe='')


def from_a_notice(binaries, work):
    """A notice links to one workload."""
    demo = Demo(binaries, os.path.join(work, 'notice'))
    item, plan, needs_count = max(stoppable(demo, reversible=True), key=lambda one: bool(one[2]))
    with App(demo.window(link_of(item)), timeout=PATIENCE) as app:
        told(app.find(None, 'Evidence', timeout=PATIENCE), item['name'])
        idle_list(app)
        button(app, 'Stop this one')
        keys, began = Keys(app), time.monotonic()
        with app.step('from a notice to a verified release'):
            to_a_verified_release(app, demo, keys, plan['target']['uid'], needs_count)
        within_limits('from a notice', keys, began)
        assert app.close() == 0
        return app.steps


def go_to(app, dialog, place):
    if place == 'What is stopped':
        cell = app.find('tree', place, within=dialog).cell(0, 1)
        dialog.hover()  # a pointer that is already there would not move, and the helper waits for a move
        cell.click()
        wait_until(lambda: cell.has('focused'), PATIENCE, 'focus in the table')
    else:
        next(n for n in dialog.walk() if n.name.startswith(place) and n.has('focusable')).focus()


def enter_stops_nothing(binaries, work):
    """Wherever the focus is in the dialog, even on the Stop button, Enter never stops anything."""
    demo = Demo(binaries, os.path.join(work, 'enter'))
    item = stoppable(demo, reversible=False)[0][0]
    places = ('What is stopped', 'Reason', FULL_NAME.strip(), 'Check again', 'Cancel', 'Stop 1 workload')
    with App(demo.window(link_of(item)), timeout=PATIENCE) as app:
        told(app.find(None, 'Evidence', timeout=PATIENCE), item['name'])
        idle_list(app)
        for place in places:
            for key in ('Return', 'KP_Enter'):
                with app.step('%s on %s' % (key, place)):
                    button(app, 'Stop this one')
                    app.key('alt+s')
                    dialog = the_dialog(app)
                    stop = ready(app, dialog, 1)
                    assert type_consent(app, dialog, 1), 'no name had to be typed'
                    wait_until(lambda: stop.has('enabled'), PATIENCE, 'a button that can be pressed')
                    go_to(app, dialog, place)
                    app.key(key)
                    time.sleep(AFTER_ENTER)
                    demo.nothing_happened()
                    left = app.find_all('push button', 'Cancel')
                    if left:
                        left[0].press()
                    app.gone('dialog', 'Stop idle workloads', timeout=PATIENCE)
        with app.step('Enter while the checks run'):
            app.key('alt+s', 'Return', 'Return', 'Return')
            time.sleep(AFTER_ENTER)
        demo.nothing_happened()
        # From the same place, the key that does stop: proves that the checks above would have noticed a stop.
        for left in app.find_all('push button', 'Cancel'):
            left.press()
        with app.step('the space bar on the button'):
            app.gone('dialog', 'Stop idle workloads', timeout=PATIENCE)
            app.key('ctrl+3')
            button(app, 'Stop this one').press()
            dialog = the_dialog(app)
            stop = ready(app, dialog, 1)
            type_consent(app, dialog, 1)
            wait_until(lambda: stop.has('enabled'), PATIENCE, 'a button that can be pressed')
            stop.focus()
            app.key('space')
            notice(app, 'Stopped 1 workload')
            assert demo.platform.writes() == 1
        assert app.close() == 0
        return app.steps


def main():
    binaries, work = sys.argv[1], sys.argv[2]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    done = 0
    chosen = sys.argv[3:]
    for path in (refused_in_the_last_second, from_the_overview, from_a_notice, enter_stops_nothing):
        if not chosen or path.__name__ in chosen:
            done += len(path(binaries, work))
    print('%d passed, 0 failed' % done)
    return 0


if __name__ == '__main__':
    sys.exit(main())
