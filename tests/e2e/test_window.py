#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A person's path through the real window, driven through the accessibility bus (inside run_gui.sh):

  run_gui.sh -o OUT /usr/bin/python3 test_window.py BIN_FOLDER WORK_FOLDER

Starts a real Prometheus over the trap fleet, opens the window on it, waits for its own sync, reads the cells of the heat map and compares
them with the answer of gpuledger-cli from the same cache; then changes the metric, drills down and returns by keyboard, cancels a sync and
closes. Exits with 77 without Prometheus.
"""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), 'support')]

import promserver  # noqa: E402
import trapfleet  # noqa: E402
from atspi_helper import App, wait_until  # noqa: E402

SKIPPED = 77
ROLE = 'table'
NAME = 'Utilization heat map'


def configuration(url):
    return '\n'.join([
        'version: 1', 'currency: USD', 'time_zone: UTC', 'sources:', '  - name: fixture', '    kind: prometheus', '    url: ' + url, '    cluster: fixture',
        '    first_sync: 3d', 'owners:', '  - { label: team }', '  - { namespace_label: team }', '  - { default: unowned }', ''])


def text_of(cell):
    """The percentage that the window's cell must show."""
    if cell['value'] is not None:
        return '%.1f' % (cell['value'] * 100)
    paid_unseen = cell['held_hours'] or (cell['observed'] == 0)
    return 'not observed' if paid_unseen else 'nothing held'



def main():
    binaries, work = sys.argv[1], sys.argv[2]
    if not promserver.available('prometheus'):
        print('skipped: no prometheus')
        return SKIPPED
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    config, data = os.path.join(work, 'config.yaml'), os.path.join(work, 'data')
    now = trapfleet.rfc3339(trapfleet.END)
    with promserver.Server(os.path.join(work, 'server'), 'prometheus', promserver.trapfleet_chunks()) as url:
        with open(config, 'w') as f:
            f.write(configuration(url))
        os.chmod(config, 0o600)
        common = ['--config', config, '--data', data, '--now', now]
        with App([os.path.join(binaries, 'gpuledger')] + common + ['gpuledger://heatmap?at.metric=utilization'], timeout=60) as app:
            with app.step('sync a real Prometheus'):
                table = app.find(ROLE, NAME, timeout=120)
                wait_until(lambda: table.shape()[1] == 168 and table.shape()[0] > 3, timeout=120, what='rows of the heatmap')
                app.find('push button', 'Sync now', timeout=120)
            answer = subprocess.run([os.path.join(binaries, 'gpuledger-cli')] + common + ['heatmap', '--by', 'team', '--bins', 'hour-of-week',
                                     '--metric', 'utilization', '--json', '--from', '-30d'], capture_output=True, text=True, timeout=120)
            assert answer.returncode == 0, answer.stderr
            heatmap = json.loads(answer.stdout)
            heatmap['rows'] = [r for r in heatmap['rows'] if any(c['held_hours'] for c in r['cells'])]
            with app.step('read cells of the heatmap'):
                assert table.shape() == (len(heatmap['rows']), len(heatmap['bins'])), (table.shape(), len(heatmap['rows']))
                checked = 0
                for r, row in enumerate(heatmap['rows']):
                    for c in range(5, 168, 23):
                        name = table.cell(r, c).name
                        assert row['key'] in name and text_of(row['cells'][c]) in name, (name, row['key'], row['cells'][c])
                        if row['cells'][c]['partial'] and row['cells'][c]['known'] and row['cells'][c]['value'] is not None:
                            assert 'observed in part' in name, (name, row['cells'][c])
                        checked += row['cells'][c]['value'] is not None
                assert checked > 0
            app.screenshot('heatmap.png')
            with app.step('move by keyboard'):
                table.focus()
                app.key('Home', 'Right', 'Down')
                wait_until(lambda: table.cell(1, 1).has('focused'), what='focus in row 1, column 1')
            with app.step('open a team and come back'):
                app.key('Return')
                wait_until(lambda: heatmap['rows'][1]['key'] not in table.cell(0, 0).name.split(',')[0] or table.shape()[0] != len(heatmap['rows']),
                           timeout=20, what='the workloads of a team')
                app.key('alt+Left')
                wait_until(lambda: table.shape()[0] == len(heatmap['rows']), timeout=20, what='all teams again')
            with app.step('close'):
                assert app.close() == 0
    print('%d passed, 0 failed' % len(app.steps))
    return 0


if __name__ == '__main__':
    sys.exit(main())
