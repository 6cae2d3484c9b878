#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that can block a stop, planted in one Kubernetes cluster: none of it is stopped, and each blocker is named, on the command
line and in the Stop dialog of the real window (inside run_gui.sh):

  run_gui.sh -o OUT /usr/bin/python3 test_blockers.py BIN_FOLDER WORK_FOLDER

Exit 77 without Prometheus.
"""
import json
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), 'support')]

import promserver  # noqa: E402
from atspi_helper import App, wait_until  # noqa: E402
from kubefleet import Cluster, Pod  # noqa: E402
from test_stop import PATIENCE, button, idle_list, row_of, the_dialog, tick  # noqa: E402

SKIPPED, REFUSED = 77, 5
APPS, BATCH = 'apps/v1', 'batch/v1'
PROTECT = {'gpu-ledger.io/protect': 'true'}

# The chosen pod: (reason in JSON, part of the text shown for it).
BLOCKERS = {
    'labelled-a': ('annotation', 'an annotation of Deployment ml/labelled'),
    'argo-a': ('managed', 'argo-cd:web'),
    'bare': ('irreversible', 'irreversible: typed_name'),
    'ruled-a': ('rule', 'kube-system'),
    'leased-a': ('lease', 'asked to keep it'),
    'half-a': ('not-in-list', 'half-b'),
    'agent-a': ('obstacle', 'a daemon belongs to every node'),
    'notebook-0': ('forbidden', 'notebooks'),
    'train-a': ('rejected', 'not on Fridays'),
    'shared-a': ('owner', 'speech'),
    'vanished': ('gone', 'no longer exists'),
}


def pods():
    two = {'replicas': 2}
    return [Pod('labelled-a', (APPS, 'Deployment', 'labelled'), spec={'replicas': 1}, annotations=PROTECT),
            Pod('ruled-a', (APPS, 'Deployment', 'ruled'), spec={'replicas': 1}, space='kube-system'),
            Pod('leased-a', (APPS, 'Deployment', 'leased'), spec={'replicas': 1}),
            Pod('half-a', (APPS, 'Deployment', 'half'), spec=two), Pod('half-b', (APPS, 'Deployment', 'half'), spec=two, busy=90),
            Pod('agent-a', (APPS, 'DaemonSet', 'agent')),
            Pod('notebook-0', ('kubeflow.org/v1', 'Notebook', 'notebook')),
            Pod('train-a', (BATCH, 'Job', 'train'), spec={'suspend': False}),
            Pod('shared-a', (APPS, 'Deployment', 'shared'), spec=two), Pod('shared-b', (APPS, 'Deployment', 'shared'), spec=two, team='speech'),
            Pod('argo-a', (APPS, 'Deployment', 'argo'), spec={'replicas': 1},
                annotations={'argocd.argoproj.io/tracking-id': 'web:apps/Deployment:ml/argo'}),
            Pod('bare'), Pod('vanished', exists=False)]


class Program:
    def __init__(self, binaries, folder, configuration):
        self.config, self.data = os.path.join(folder, 'config.yaml'), os.path.join(folder, 'data')
        with open(self.config, 'w', encoding='utf-8') as file:
            file.write(configuration)
        os.chmod(self.config, 0o600)
        self.common = ['--config', self.config, '--data', self.data]
        self.window = [os.path.join(binaries, 'gpuledger'), *self.common, '--page', 'idle']
        self.cli = [os.path.join(binaries, 'gpuledger-cli'), *self.common]

    def ask(self, *question, status=0):
        answer = subprocess.run([*self.cli, *question, '--json'], capture_output=True, text=True, timeout=PATIENCE)
        assert answer.returncode == status, (question, answer.returncode, answer.stdout, answer.stderr)
        return json.loads(answer.stdout)


def writes(cluster):
    """Every request to the API server except reads, dry runs and access reviews."""
    return [(r['method'], r['path']) for r in cluster.api.requests()
            if r['method'] != 'GET' and 'dryRun=All' not in r['path'] and 'selfsubjectaccessreviews' not in r['path']
            and 'dryRun' not in r['body']]


def on_the_command_line(program, cluster):
    plan = program.ask('act', 'plan', *BLOCKERS, status=REFUSED)
    by_pod = {}
    for action in plan['actions']:
        for holder in action['holders']:
            by_pod[holder.split('/')[2]] = action
    for pod, (why, word) in BLOCKERS.items():
        action = by_pod[pod]
        against = [(c['reason'], c['detail']) for c in action['checks'] if c['passed'] is False]
        assert action['state'] == 'refused', (pod, action)
        assert against[0][0] == why and word in against[0][1], (pod, against)
        # Without the permission, the rehearsal fails as well.
        assert len(against) == (2 if why == 'forbidden' else 1), (pod, against)
        print('%-12s %s: %s' % (pod, *against[0]), flush=True)
    assert len(plan['actions']) == len(BLOCKERS)
    program.ask('act', 'stop', *BLOCKERS, '--yes', '--count', str(len(BLOCKERS)), status=REFUSED)
    assert program.ask('act', 'log')['actions'] == []
    assert writes(cluster) == []


def in_the_window(program, cluster):
    with App(program.window, timeout=PATIENCE) as app:
        with app.step('choose all of it'):
            tree = idle_list(app)
            for pod in BLOCKERS:
                tick(app, wait_until(lambda name=pod: row_of(tree, name), PATIENCE, 'a row of ' + pod))
            button(app, 'Stop %d selected' % len(BLOCKERS)).press()
            dialog = the_dialog(app)
        with app.step('each is named'):
            table = app.find('tree', 'What is stopped', within=dialog, timeout=PATIENCE)
            last = len(table.headers()) - 1
            wait_until(lambda: not any('checking' in row[last] for row in table.rows()), PATIENCE, 'the answers')
            rows = [(row[0], row[last]) for row in table.rows()]
            assert len(rows) == len(BLOCKERS), rows
            for pod, (why, word) in BLOCKERS.items():
                assert sum(word in told for _, told in rows) == 1, (pod, why, word, rows)
            assert not any(table.cell(r, 0).has('checked') for r in range(len(rows))), 'a refused workload is ticked'
        app.screenshot('blockers.png')
        stop = next(n for n in app.find_all('push button', within=dialog) if n.name == 'Stop')
        assert not stop.has('enabled')
        with app.step('neither keys nor clicks stop it'):
            app.key('alt+s', 'Return')
            stop.click()
            time.sleep(1.5)
        assert writes(cluster) == []
        for left in app.find_all('push button', 'Cancel'):
            left.press()
        app.gone('dialog', 'Stop idle workloads', timeout=PATIENCE)
        assert app.close() == 0
        return app.steps


def without_the_cluster(program, cluster):
    """A missing login and a changed clock are reported as such, not as a missing object."""
    def told(*options):
        plan = program.ask('act', 'plan', 'train-a', *options, status=REFUSED)
        return next((c['reason'], c['detail']) for c in plan['actions'][0]['checks'] if c['passed'] is False)
    os.rename(cluster.kubeconfig, cluster.kubeconfig + '.away')
    missing = told()
    os.rename(cluster.kubeconfig + '.away', cluster.kubeconfig)
    assert missing[0] == 'unreachable' and 'kubeconfig' in missing[1], missing
    later = told('--now', time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(time.time() + 600)))
    assert later[0] == 'unreachable' and 'clock is set' in later[1], later
    print('%s: %s\n%s: %s' % (*missing, *later), flush=True)


def main():
    binaries, work = sys.argv[1], sys.argv[2]
    if not promserver.available('prometheus'):
        print('skipped: no prometheus')
        return SKIPPED
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    with Cluster(work, pods()) as cluster:
        program = Program(binaries, work, cluster.configuration('  protect: [ { namespace: kube-system } ]\n'))
        cluster.login('{token: secret-of-the-test}')
        cluster.api.flags(tokens=['secret-of-the-test'])
        program.ask('sync')
        until = time.strftime('%Y-%m-%d', time.gmtime(time.time() + 3 * 86400))
        program.ask('act', 'keep', 'leased-a', '--as', 'keep-until', '--until', until, '--reason', 'a demo')
        cluster.api.flags(denied=['patch notebooks.kubeflow.org'], webhook='refuses')
        cluster.api.requests()
        on_the_command_line(program, cluster)
        steps = in_the_window(program, cluster)
        # The same objects without blockers: the refusals above were due to what was planted.
        cluster.api.flags(denied=[], webhook='')
        freed = program.ask('act', 'plan', 'train-a', 'notebook-0')
        assert [a['state'] for a in freed['actions']] == ['checked', 'checked'], freed
        without_the_cluster(program, cluster)
    print('%d passed, 0 failed' % (len(steps) + 2))
    return 0


if __name__ == '__main__':
    sys.exit(main())
