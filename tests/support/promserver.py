#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Prometheus or VictoriaMetrics over given samples, on a free port of 127.0.0.1. It scrapes nothing.

  promserver.py start DIR [--backend prometheus|victoriametrics] [--trapfleet | --openmetrics FILE ...] [--lookback SECONDS] [--port N]
                       [--argument=--FLAG=VALUE ...]
  promserver.py url DIR
  promserver.py stop DIR            ends the process by its pid and waits for it

start: if DIR/data is empty, it is filled first: by promtool with blocks, or by VictoriaMetrics' own import. --trapfleet also writes
DIR/expected.json and DIR/meta.json. The last line printed is the URL. Files: DIR/{data,prometheus.yml,server.log,pid,url}. PROMETHEUS,
PROMTOOL and VICTORIAMETRICS in the environment name other binaries.

From Python: `with Server(DIR, 'prometheus', chunks) as url: ...`, where chunks yields OpenMetrics texts (timestamps in seconds). The
look-back defaults to one second less than the scrape interval: a backfill cannot write staleness markers, so plain selectors would
otherwise repeat a series for five minutes after its end, which a server that scraped would not do.
"""
import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

BACKENDS = ('prometheus', 'victoriametrics')
NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def binary(name):
    default = {'PROMETHEUS': ('prometheus',), 'PROMTOOL': ('promtool',),
               'VICTORIAMETRICS': ('victoria-metrics', 'victoria-metrics-prod')}[name]
    for candidate in (os.environ.get(name),) + default:
        if candidate and shutil.which(candidate):
            return shutil.which(candidate)
    return None


def available(backend):
    if backend == 'prometheus':
        return bool(binary('PROMETHEUS') and binary('PROMTOOL'))
    return bool(binary('VICTORIAMETRICS'))


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def milliseconds(text):
    """Converts the seconds of OpenMetrics to the milliseconds of the exposition format."""
    return re.sub(r'^([^#\n].* )(\d+)$', r'\g<1>\g<2>000', text, flags=re.M)


def make_blocks(chunks, folder):
    # promtool reads the whole file again for each block: with its default of two hours, a month takes a hundred times longer.
    with tempfile.TemporaryDirectory(dir=os.path.dirname(folder)) as tmp:
        for i, text in enumerate(chunks):
            path = os.path.join(tmp, '%d.om' % i)
            with open(path, 'w') as f:
                f.write(text)
            r = subprocess.run([binary('PROMTOOL'), 'tsdb', 'create-blocks-from', '--max-block-duration=744h', 'openmetrics', '-q', path, folder],
                               capture_output=True, text=True)
            if r.returncode:
                raise RuntimeError('promtool: ' + r.stdout + r.stderr)
            os.unlink(path)


class Server:
    """One server process over DIR/data. Whoever starts it stops it; as a context manager it does both."""

    def __init__(self, folder, backend='prometheus', chunks=None, step=60, lookback=None, port=0, extra=()):
        if backend not in BACKENDS:
            raise ValueError(backend)
        self.folder, self.backend, self.chunks, self.step, self.port = os.path.abspath(folder), backend, chunks, step, port
        self.lookback = lookback or step - 1
        self.extra = list(extra)
        self.data = os.path.join(self.folder, 'data')
        self.pid, self.url = None, None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        os.makedirs(self.data, exist_ok=True)
        done = os.path.join(self.folder, 'filled')
        fill = self.chunks is not None and not os.path.exists(done)
        if fill:
            shutil.rmtree(self.data)
            os.makedirs(self.data)
        if fill and self.backend == 'prometheus':
            make_blocks(self.chunks, self.data)
        for _ in range(3):
            if self._launch():
                break
        else:
            with open(os.path.join(self.folder, 'server.log')) as f:
                raise RuntimeError('the server did not start: ' + f.read()[-2000:])
        if fill and self.backend == 'victoriametrics':
            self._import()
        if fill:
            open(done, 'w').close()
        return self.url

    def _command(self, port):
        if self.backend == 'prometheus':
            config = os.path.join(self.folder, 'prometheus.yml')
            with open(config, 'w') as f:
                f.write('global:\n  scrape_interval: %ds\nscrape_configs: []\n' % self.step)
            return [binary('PROMETHEUS'), '--config.file=' + config, '--storage.tsdb.path=' + self.data,
                    '--storage.tsdb.retention.time=50y', '--web.listen-address=127.0.0.1:%d' % port,
                    '--query.lookback-delta=%ds' % self.lookback, '--query.max-samples=200000000', '--log.level=warn'] + self.extra
        return [binary('VICTORIAMETRICS'), '-storageDataPath=' + self.data, '-retentionPeriod=50y',
                '-httpListenAddr=127.0.0.1:%d' % port, '-search.maxStalenessInterval=%ds' % self.lookback, '-loggerLevel=WARN',
                '-search.disableCache'] + self.extra

    def _launch(self):
        port = self.port or free_port()
        with open(os.path.join(self.folder, 'server.log'), 'w') as log:
            child = subprocess.Popen(self._command(port), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.pid, self.url, self.child = child.pid, 'http://127.0.0.1:%d' % port, child
        ready = self.url + ('/-/ready' if self.backend == 'prometheus' else '/health')
        limit = time.monotonic() + 60
        while time.monotonic() < limit and child.poll() is None:
            try:
                if NO_PROXY.open(ready, timeout=2).status == 200:
                    for name, value in (('pid', self.pid), ('url', self.url)):
                        with open(os.path.join(self.folder, name), 'w') as f:
                            f.write('%s\n' % value)
                    return True
            except (urllib.error.URLError, OSError):
                pass
            time.sleep(0.05)
        self.stop()
        return False

    def _import(self):
        for text in self.chunks:
            request = urllib.request.Request(self.url + '/api/v1/import/prometheus', data=milliseconds(text).encode(), method='POST')
            NO_PROXY.open(request, timeout=120).read()
        NO_PROXY.open(self.url + '/internal/force_flush', timeout=60).read()

    def stop(self):
        if self.pid:
            end_process(self.pid, getattr(self, 'child', None))
        for name in ('pid', 'url'):
            path = os.path.join(self.folder, name)
            if os.path.exists(path):
                os.unlink(path)
        self.pid = self.url = None


def end_process(pid, child=None):
    def gone():
        if child is not None:
            return child.poll() is not None
        try:
            os.kill(pid, 0)
            return False
        except ProcessLookupError:
            return True
    for sig, patience in ((signal.SIGTERM, 15), (signal.SIGKILL, 5)):
        if gone():
            return
        os.kill(pid, sig)
        limit = time.monotonic() + patience
        while time.monotonic() < limit and not gone():
            time.sleep(0.05)


def trapfleet_chunks():
    import trapfleet
    for _, text, _ in trapfleet.chunks(trapfleet.Fleet()):
        yield text


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('command', choices=['start', 'url', 'stop'])
    ap.add_argument('folder')
    ap.add_argument('--backend', choices=BACKENDS, default='prometheus')
    ap.add_argument('--trapfleet', action='store_true')
    ap.add_argument('--openmetrics', nargs='+', default=[])
    ap.add_argument('--step', type=int, default=60)
    ap.add_argument('--lookback', type=int)
    ap.add_argument('--port', type=int, default=0)
    ap.add_argument('--argument', action='append', default=[], help='another argument for the server')
    args = ap.parse_args()
    path = {n: os.path.join(args.folder, n) for n in ('pid', 'url')}
    if args.command == 'url':
        print(open(path['url']).read().strip())
        return 0
    if args.command == 'stop':
        if os.path.exists(path['pid']):
            end_process(int(open(path['pid']).read()))
            for p in path.values():
                os.unlink(p)
        return 0
    chunks = None
    if args.trapfleet:
        import trapfleet
        trapfleet.write_expected(trapfleet.Fleet(), args.folder)
        chunks = trapfleet_chunks()
    elif args.openmetrics:
        chunks = (open(p).read() for p in args.openmetrics)
    print(Server(args.folder, args.backend, chunks, args.step, args.lookback, args.port, args.argument).start())
    return 0


if __name__ == '__main__':
    sys.exit(main())
