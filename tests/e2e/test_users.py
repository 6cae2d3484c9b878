#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The three kinds of user at the real window, by keyboard alone, on the demo fleet (inside run_gui.sh):

  run_gui.sh -o OUT /usr/bin/python3 test_users.py BIN_FOLDER WORK_FOLDER

  on-call engineer  the worst idle workload, its node and its owner, in at most five keys from the start
  FinOps lead       the team with the most expensive idle GPUs, and the workloads behind that
  manager           what changed since the previous period, and in which teams

Each answer is read from the accessibility bus and compared with gpuledger-cli --json. Then the desktop switches to dark windows while the
window is open, through a fake portal.
"""
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]

from atspi_helper import App, wait_until  # noqa: E402

NOW = '2026-11-21T12:00:00Z'
KEYS_AT_MOST = 5
PATIENCE = 60
NOTHING = {'amount': '0'}  # of what has no price


class Demo:
    def __init__(self, binaries, data):
        common = ['--data', data, '--now', NOW, '--tz', 'UTC']
        self.window = [os.path.join(binaries, 'gpuledger'), '--demo'] + common
        self.cli = [os.path.join(binaries, 'gpuledger-cli')]
        self.common = common
        subprocess.run(self.cli + ['demo', '--gpus', '120', '--days', '21'] + common, check=True, timeout=300, capture_output=True)

    def ask(self, *question):
        answer = subprocess.run(self.cli + [*question, '--demo', '--json'] + self.common, capture_output=True, text=True, timeout=120)
        assert answer.returncode == 0, answer.stderr
        return json.loads(answer.stdout)


class Keys:
    """Counts the keys pressed since the start."""

    def __init__(self, app):
        self.app, self.pressed = app, 0

    def press(self, *keys):
        self.pressed += len(keys)
        self.app.key(*keys)


def number(text):
    """3401.53 of "Spend: 3,401.53 USD"; None if there is no number."""
    found = re.search(r'[-+\u2212]?\d[\d,]*(?:\.\d+)?', text)
    return float(found.group().replace(',', '').replace('\u2212', '-')) if found else None


def units(money):
    return float(money['amount'])


def names(node):
    return [n.name for n in node.walk(into_heavy=True) if n.name]


def told(node, part):
    """Waits until a text below the node contains the part, and returns that text."""
    return wait_until(lambda: next((n for n in names(node) if part in n), None), PATIENCE, '%r in %r' % (part, node.name))


def engineer(demo):
    items, costs = demo.ask('idle')['items'], {}
    for item in items:
        costs[item['owner']] = costs.get(item['owner'], 0) + units(item['per_month'] or NOTHING)
    first = max(costs, key=costs.get)  # the list begins with the team whose idle workloads cost most
    worst = max((item for item in items if item['owner'] == first), key=lambda item: units(item['per_month'] or NOTHING))
    with App(demo.window, timeout=60) as app:
        keys = Keys(app)
        app.find('radio button', 'Overview', timeout=PATIENCE)
        with app.step('on-call: the worst idle workload and its owner'):
            keys.press('ctrl+3')
            evidence = app.find(None, 'Evidence', timeout=PATIENCE)
            told(evidence, worst['name'])
            told(evidence, 'Owner ' + worst['owner'])
            told(evidence, worst['node'])
            assert keys.pressed <= KEYS_AT_MOST, keys.pressed
        app.screenshot('engineer.png')
        with app.step('on-call: down the list by keyboard'):
            keys.press('Down')
            wait_until(lambda: worst['name'] not in names(evidence)[1], PATIENCE, 'another workload')
        assert app.close() == 0
        return app.steps


def finops(demo):
    period = ['--from', '-30d']
    teams = demo.ask('summary', '--by', 'team', *period)['rows']
    worst = max(teams, key=lambda row: units(row['cost']['idle']))
    with App(demo.window, timeout=60) as app:
        with app.step('FinOps: the most expensive idle team'):
            app.find('radio button', 'Overview', timeout=PATIENCE)
            app.key('ctrl+1')
            app.find('radio button', 'GPU time', timeout=PATIENCE).click() # as the command line answers
            total = sum(units(row['cost']['idle']) + units(row['cost']['unallocated']) for row in teams)
            card = wait_until(lambda: next((n for n in app.find_all('push button') if n.name.startswith('Waste: ') and abs(number(n.name) - total) <= 1), None),
                              PATIENCE, f'a waste of {total}')
            assert abs(number(card.name) - total) <= 1, (card.name, total)
            app.key('ctrl+2')
            table = app.find('table', 'Idle cost heat map', timeout=PATIENCE)
            wait_until(lambda: table.shape()[0] > 1, PATIENCE, 'rows')
            wait_until(lambda: table.has('focused'), PATIENCE, 'focus on the matrix')
            # Above it at most the time that nothing held, which is nobody's idle cost; the focus is below that.
            owners = [table.cell(row, 0).name.split(',')[0] for row in range(2)]
            assert next(owner for owner in owners if owner != 'Unallocated') == worst['key'], (owners, worst['key'])
        with app.step('FinOps: who is behind it'):
            app.key('Return')
            behind = demo.ask('heatmap', '--by', 'workload', '--bins', 'hour-of-week', '--team', worst['key'], *period)['rows']
            wait_until(lambda: table.shape()[0] == len(behind), PATIENCE, 'workloads')
        app.screenshot('finops.png')
        assert app.close() == 0
        return app.steps


def manager(demo):
    with App(demo.window, timeout=60) as app:
        with app.step('manager: what changed'):
            app.find('radio button', 'Overview', timeout=PATIENCE)
            app.key('ctrl+1')
            wait_until(lambda: app.find_all(None, 'Teams'), PATIENCE, 'the overview')
            choose_week(app)
            # The demo fleet has bills, which are shown first; the command line is asked for GPU time.
            app.find('radio button', 'GPU time', timeout=PATIENCE).click()
            chart = app.find('chart', 'What changed in the spend', timeout=PATIENCE)
            steps = wait_until(lambda: [n.name for n in chart.children() if 'Change ' in n.name and 'other costs' not in n.name]
                               if not any('other costs' in n.name for n in chart.children()) else None,
                               PATIENCE, 'steps of the change')
            now = demo.ask('summary', '--by', 'team', '--from', '-7d')
            before = demo.ask('summary', '--by', 'team', '--from', '-7d', '--to', '-7d')
            moved = sum(number(s.split('Change ')[1]) for s in steps)
            told_change = units(now['total']['cost']['total']) - units(before['total']['cost']['total'])
            assert abs(moved - told_change) < 0.01 * len(steps), (steps, moved, told_change)
        with app.step('manager: which teams'):
            spend = {row['key']: units(row['cost']['total']) for row in before['rows']}
            deltas = {row['key']: units(row['cost']['total']) - spend.get(row['key'], 0.0) for row in now['rows']}
            most = max(deltas, key=lambda key: abs(deltas[key]))
            line = wait_until(lambda: next((n.name for n in app.find_all('label') if n.name.startswith('Most: ')), None), PATIENCE, 'the movers')
            assert line.startswith('Most: ' + most + ' '), (line, most, deltas)
        app.screenshot('manager.png')
        assert app.close() == 0
        return app.steps


def choose_week(app):
    """Last 7 days, through the palette, so that the data also cover the previous period."""
    app.key('ctrl+k')
    app.find(None, 'Search or command', timeout=PATIENCE)
    app.type('last 7 days')
    app.key('Return')
    app.find('push button', 'Time range: Last 7 days', timeout=PATIENCE)


class Portal:
    def __enter__(self):
        self.process = subprocess.Popen(['/usr/bin/python3', os.path.join(HERE, 'played_portal.py')], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline().strip() == 'ready'
        return self

    def want(self, scheme):
        self.process.stdin.write(scheme + '\n')
        self.process.stdin.flush()
        assert self.process.stdout.readline().strip() == 'ok'

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(10)


def brightness(app, name):
    """The brightness of the middle of the window, 0 to 1."""
    picture = app.screenshot(name)
    mean = subprocess.run(['convert', picture, '-gravity', 'center', '-crop', '60%x60%+0+0', '-colorspace', 'Gray', '-format', '%[fx:mean]', 'info:'],
                          capture_output=True, text=True, check=True, timeout=30)
    return float(mean.stdout)


def theme(demo):
    with Portal() as portal:
        portal.want('light')
        with App(demo.window, timeout=60) as app:
            app.find('chart', 'What changed in the spend', timeout=PATIENCE)
            with app.step('the desktop turns dark and light again'):
                wait_until(lambda: brightness(app, 'light.png') > 0.6, PATIENCE, 'a light window')
                portal.want('dark')
                wait_until(lambda: brightness(app, 'dark.png') < 0.4, PATIENCE, 'a dark window')
                portal.want('light')
                wait_until(lambda: brightness(app, 'light-again.png') > 0.6, PATIENCE, 'a light window again')
            assert app.close() == 0
            return app.steps


def main():
    binaries, work = sys.argv[1], sys.argv[2]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    demo = Demo(binaries, os.path.join(work, 'data'))
    done = 0
    for user in (engineer, finops, manager, theme):
        done += len(user(demo))
    print('%d passed, 0 failed' % done)
    return 0


if __name__ == '__main__':
    sys.exit(main())
