#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line against real servers, compared with independent computations: tests/support/trapfleet.py and trace_oracle.py.

  run_acceptance.py CLI_BINARY WORKDIR [--backend prometheus|victoriametrics] [--only traps|trace]
                    [--trace DIR] [--days 2] [--gpus 64] [--step 60] [--keep]

For the trap fleet (always) and the development trace (if DIR exists, else "skipped: no trace"): start the server, write a configuration,
sync, and compare `summary --by team`, `heatmap --by team --bins hour-of-week` and `idle`, in UTC and (traps) in a zone with a change of
clocks; once without a node rule and once with one. A second sync must not change a byte of the answers. WORKDIR is emptied first and holds
answers, oracles and logs; it is kept with --keep, or if something differs. Exits with 0 only if everything agreed, with 77 if the server is
not installed.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))

import compare  # noqa: E402
import promserver  # noqa: E402
import trapfleet  # noqa: E402

KINDS = ('notebook', 'development', 'training', 'batch', 'inference')
SKIPPED = 77


def configuration(url, days, models, pool_team, price='2.48'):
    """States every setting that could be left out, so that none of our defaults decides the comparison."""
    lines = ['version: 1', 'currency: USD', 'time_zone: UTC', 'sources:', '  - name: fixture', '    kind: prometheus', '    url: ' + url,
             '    cluster: fixture', '    first_sync: %dd' % days, 'owners:', '  - { label: team }', '  - { namespace_label: team }']
    lines += ['  - { node_pool: %s, team: %s }' % (pool, team) for pool, team in sorted(pool_team.items())]
    lines += ['  - { default: unowned }', 'workloads:']
    lines += ['  - { label: { workload_kind: %s }, kind: %s }' % (k, k) for k in KINDS]
    # The oracles' windows, not measured ones.
    lines += ['idle:', '  grace: { notebook: 1h, development: 2h, training: 1h, batch: 1h, inference: 24h, unknown: 1h }']
    lines += ['prices:', '  overrides:']
    lines += ['    - { gpu_model: "%s", usd_per_gpu_hour: "%s" }' % (m, price) for m in models]
    return '\n'.join(lines) + '\n'


class Program:
    """gpuledger-cli with a home directory, a configuration and a data folder of its own."""

    def __init__(self, binary, folder, oracle, config):
        self.binary, self.folder, self.oracle = binary, folder, oracle
        os.makedirs(folder, exist_ok=True)
        self.config = os.path.join(folder, 'config.yaml')
        with open(self.config, 'w') as f:
            f.write(config)
        os.chmod(self.config, 0o600)
        self.environment = dict(os.environ, HOME=folder, LC_ALL='C.UTF-8', TZ='UTC', no_proxy='127.0.0.1', NO_PROXY='127.0.0.1')
        for name in ('CONFIG', 'DATA', 'CACHE', 'STATE'):
            self.environment['XDG_%s_HOME' % name] = os.path.join(folder, name.lower())

    def run(self, name, *arguments, tz='UTC', window=True):
        command = [self.binary, '--config', self.config, '--data', os.path.join(self.folder, 'ledger'), '--now', self.oracle['to'],
                   '--tz', tz]
        if window:
            command += ['--from', self.oracle['from'], '--to', self.oracle['to']]
        r = subprocess.run(command + list(arguments) + ['--json'], env=self.environment, capture_output=True, timeout=600)
        base = os.path.join(self.folder, name)
        for suffix, data in (('.json', r.stdout), ('.stderr', r.stderr)):
            with open(base + suffix, 'wb') as f:
                f.write(data)
        if r.returncode:
            raise RuntimeError('%s: exit %d: %s' % (' '.join(arguments), r.returncode, r.stderr.decode(errors='replace')[-2000:]))
        try:
            return json.loads(r.stdout), r.stdout
        except ValueError as e:
            raise RuntimeError('%s: no JSON: %s' % (' '.join(arguments), e))

    def sync(self, name):
        for source in self.run(name, 'sync', window=False)[0]['sources']:
            if source.get('error'):
                raise RuntimeError('sync: %s' % source['error'])
            print('  sync: %s' % json.dumps(source))


def explain(program, oracle):
    """Which trap a difference comes from: the states of each device, next to the truth. Informative only."""
    try:
        rows = program.run('by-device', 'summary', '--by', 'device')[0]['rows']
    except (RuntimeError, KeyError) as e:
        return ['no figures by device: %s' % e]
    got = {}
    for row in rows:  # a partitioned device may have a row for each slice
        hours = got.setdefault(compare.device(row['key'].split()[0]), dict.fromkeys(row['gpu_hours'], 0.0))
        for name, value in row['gpu_hours'].items():
            hours[name] += value
    traps = {compare.device(d): name for name, d in oracle['traps'].items()}
    lines = []
    for row in oracle['devices']:
        key = compare.device(row['key'])
        ours = got.pop(key, {})
        for name, want in row['gpu_hours'].items():
            if abs(ours.get(name, 0) - want) > max(compare.TINY_HOURS, 0.002 * want):
                lines.append('trap %s (%s): %s %.4f h instead of %.4f' % (traps.get(key), row['key'], name, ours.get(name, 0), want))
    return lines + ['device %s: not expected' % key for key in got]


SUMMARY = ('summary', '--by', 'team')
HEATMAP = ('heatmap', '--by', 'team', '--bins', 'hour-of-week', '--metric', 'utilization')


def check(binary, folder, url, days, oracle):
    """The differences of one fleet, as lines."""
    found = compare.Comparison()
    plain = Program(binary, os.path.join(folder, 'plain'), oracle, configuration(url, days, oracle['gpu_models'], {}))
    plain.sync('sync-1')
    answers = {'summary': plain.run('summary', *SUMMARY), 'heatmap': plain.run('heatmap', *HEATMAP), 'idle': plain.run('idle', 'idle', window=False)}
    found.summary(answers['summary'][0], oracle['summary']['shared'])
    found.heatmap(answers['heatmap'][0], oracle['heatmap']['shared'])
    found.idle(answers['idle'][0], oracle['idle'])
    if 'heatmap_berlin' in oracle:
        found.heatmap(plain.run('heatmap-berlin', *HEATMAP, tz='Europe/Berlin')[0], oracle['heatmap_berlin']['shared'])
    plain.sync('sync-2')
    for name, arguments, window in (('summary', SUMMARY, True), ('heatmap', HEATMAP, True), ('idle', ('idle',), False)):
        if plain.run(name + '-2', *arguments, window=window)[1] != answers[name][1]:
            found.say('%s: another answer after a second sync' % name)
    plain.run('verify', 'verify', window=False)
    rules = oracle.get('pool_team') or {p: p for p in oracle['pools']}
    ruled = Program(binary, os.path.join(folder, 'node-rule'), oracle, configuration(url, days, oracle['gpu_models'], rules))
    ruled.sync('sync-1')
    found.summary(ruled.run('summary', *SUMMARY)[0], oracle['summary']['node_pool'])
    if found.differences and 'traps' in oracle:
        for line in explain(plain, oracle):
            print('  ' + line)
    return found


def report(name, backend, found):
    for line in found.differences[:200]:
        print('  ' + line)
    print('%s on %s: %d comparisons, %d differences' % (name, backend, found.checked, len(found.differences)))
    return not found.differences


def traps(args, folder):
    oracle = trapfleet.write_expected(trapfleet.Fleet(), folder)
    with promserver.Server(os.path.join(folder, 'server'), args.backend, promserver.trapfleet_chunks()) as url:
        return report('traps', args.backend, check(args.binary, folder, url, trapfleet.HOURS // 24, oracle))


def trace_chunks(args, keep):
    """The texts of the trace, generated by its own tool; `true` replaces promtool, because the server reads the texts itself."""
    tool = os.path.join(os.path.dirname(args.trace), 'tools', 'trace_to_openmetrics.py')
    subprocess.run([sys.executable, tool, args.trace, '--tsdb', os.path.join(keep, 'unused'), '--keep-text', keep, '--promtool', 'true',
                    '--days', str(args.days), '--gpus', str(args.gpus), '--step', str(args.step)], check=True, stdout=subprocess.DEVNULL)
    for name in sorted(os.listdir(keep)):
        path = os.path.join(keep, name)
        if name.endswith('.om'):
            with open(path) as f:
                yield f.read()
            os.unlink(path)


def trace(args, folder):
    oracle_tool = os.path.join(ROOT, 'tests', 'support', 'trace_oracle.py')
    selection = ['--days', str(args.days), '--gpus', str(args.gpus), '--step', str(args.step)]
    text = subprocess.run([sys.executable, oracle_tool, args.trace, '--json'] + selection, check=True, capture_output=True).stdout
    with open(os.path.join(folder, 'expected.json'), 'wb') as f:
        f.write(text)
    oracle = json.loads(text)
    if args.backend == 'victoriametrics':
        with tempfile.TemporaryDirectory(dir=folder) as keep:
            with promserver.Server(os.path.join(folder, 'server'), args.backend, trace_chunks(args, keep), args.step) as url:
                return report('trace', args.backend, check(args.binary, folder, url, args.days, oracle))
    fixture = os.path.join(os.path.dirname(args.trace), 'tools', 'prometheus_fixture.sh')
    server = os.path.join(folder, 'server')
    started = subprocess.run(['bash', fixture, 'start', server, '--trace', args.trace] + selection, check=True, stdout=subprocess.PIPE)
    try:
        url = started.stdout.decode().split()[-1]
        return report('trace', args.backend, check(args.binary, folder, url, args.days, oracle))
    finally:
        subprocess.run(['bash', fixture, 'stop', server], check=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('binary')
    ap.add_argument('workdir')
    ap.add_argument('--backend', choices=promserver.BACKENDS, default='prometheus')
    ap.add_argument('--only', choices=['traps', 'trace'])
    ap.add_argument('--trace', default=os.path.join(os.path.dirname(ROOT), 'shared', 'data', 'fleet'))
    ap.add_argument('--days', type=int, default=2)
    ap.add_argument('--gpus', type=int, default=64)
    ap.add_argument('--step', type=int, default=60)
    ap.add_argument('--keep', action='store_true')
    args = ap.parse_args()
    args.binary, args.trace = os.path.abspath(args.binary), os.path.abspath(args.trace)
    if not promserver.available(args.backend):
        print('skipped: %s is not installed' % args.backend)
        return SKIPPED
    good = True
    for name, job in (('traps', traps), ('trace', trace)):
        if args.only not in (None, name):
            continue
        if name == 'trace' and not os.path.isdir(args.trace):
            print('skipped: no trace')
            continue
        folder = os.path.join(os.path.abspath(args.workdir), name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        try:
            same = job(args, folder)
        except (RuntimeError, KeyError, TypeError, subprocess.SubprocessError) as e:
            print('%s: %s: %s' % (name, type(e).__name__, e))
            same = False
        good &= same
        if same and not args.keep:
            shutil.rmtree(folder)
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
