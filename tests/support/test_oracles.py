#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_oracles.py WORKDIR: the oracles agree with each other. The truth of the trap fleet and (if it is available) of the trace must match
the raw samples of a real Prometheus, the whole trace must yield the totals of its README, and a corrupted figure must be detected."""
import json
import os
import shutil
import subprocess
import sys

import promserver
import trapfleet

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(HERE))), 'shared', 'data')


def tool(name, *arguments):
    r = subprocess.run([sys.executable, os.path.join(HERE, name)] + list(arguments), capture_output=True, text=True)
    return r.returncode, r.stdout + r.stderr


def expect(name, result, code=0):
    print('%s: %s' % (name, result[1].strip().splitlines()[-1] if result[1].strip() else 'no output'))
    if result[0] != code:
        print(result[1][-3000:])
    return result[0] == code


def spoiled(path):
    """Moves an idle hour from one team to another."""
    with open(path) as f:
        oracle = json.load(f)
    a, b = (r['gpu_hours'] for r in oracle['summary']['shared']['rows'][:2])
    a['idle'], b['idle'] = a['idle'] - 1, b['idle'] + 1
    with open(path + '.spoiled', 'w') as f:
        json.dump(oracle, f)
    return path + '.spoiled'


def main():
    folder = os.path.abspath(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    good, ran = True, False
    for backend in promserver.BACKENDS:
        if not promserver.available(backend):
            print('skipped: %s is not installed' % backend)
            continue
        ran, base = True, os.path.join(folder, backend)
        trapfleet.write_expected(trapfleet.Fleet(), base)
        truth = os.path.join(base, 'expected.json')
        with promserver.Server(base, backend, promserver.trapfleet_chunks()) as url:
            for variant in ('shared', 'node_pool'):
                good &= expect('traps, %s, %s' % (backend, variant), tool('sample_oracle.py', url, truth, '--variant', variant))
            good &= expect('traps, %s, spoiled' % backend, tool('sample_oracle.py', url, spoiled(truth)), code=1)
    fleet, fixture = os.path.join(DATA, 'fleet'), os.path.join(DATA, 'tools', 'prometheus_fixture.sh')
    if not os.path.isdir(fleet):
        print('skipped: no trace')
    elif promserver.available('prometheus'):
        ran, base = True, os.path.join(folder, 'trace')
        os.makedirs(base)
        good &= expect('trace, README', tool('trace_oracle.py', fleet, '--check-readme'))
        selection = ['--days', '1', '--gpus', '64', '--step', '60']
        truth = os.path.join(base, 'expected.json')
        with open(truth, 'w') as f:
            f.write(tool('trace_oracle.py', fleet, '--json', *selection)[1])
        server = os.path.join(base, 'server')
        started = subprocess.run(['bash', fixture, 'start', server, '--trace', fleet] + selection, check=True, stdout=subprocess.PIPE)
        try:
            good &= expect('trace, raw samples', tool('sample_oracle.py', started.stdout.decode().split()[-1], truth))
        finally:
            subprocess.run(['bash', fixture, 'stop', server], check=True)
    shutil.rmtree(folder, ignore_errors=True)
    return 1 if not good else 0 if ran else 77


if __name__ == '__main__':
    sys.exit(main())
