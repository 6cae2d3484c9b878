# SPDX-License-Identifier: GPL-3.0-or-later
"""A small Kubernetes cluster with idle GPUs: a real Prometheus over the activity of its pods (promserver.py), its API server
(kubeserver.py), and the configuration for both. Tests query the API server over plain HTTP, as an independent client of the platform.

    with Cluster(FOLDER, pods) as cluster:
        program.configure(cluster.configuration())
"""
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]

import promserver  # noqa: E402

HOURS = 3  # before now
AHEAD = 40 * 60  # seconds after it: no real platform is written to with a clock other than the computer's, so tests run in real time
STEP = 60
MACHINES = 'exporters: [ { name: dcgm, labels: { machine: [machine_id] } } ]\n'  # for a configuration: machines hold their GPUs themselves
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Pod:
    """A pod that holds one GPU. `owner`: (apiVersion, kind, name) of the object that it belongs to; None: a bare pod."""

    def __init__(self, name, owner=None, space='ml', team='vision', busy=0, spec=None, annotations=None, labels=None, exists=True):
        """`spec`, `annotations` and `labels` belong to the owner."""
        self.name, self.owner, self.space, self.team, self.busy = name, owner, space, team, busy
        self.spec, self.annotations, self.labels, self.exists = spec, annotations, labels, exists
        self.uid, self.number = 'uid-' + name, 0

    @property
    def node(self):
        return 'gpu-node-%d' % (self.number // 8)

    def shown(self, created):
        """The pod as the API server shows it."""
        out = {'apiVersion': 'v1', 'kind': 'Pod',
               'metadata': {'name': self.name, 'namespace': self.space, 'uid': self.uid, 'creationTimestamp': created,
                            'labels': {'team': self.team}},
               'spec': {'nodeName': self.node, 'containers': [{'name': 'main', 'image': 'registry.example.org/train:1',
                                                               'resources': {'limits': {'nvidia.com/gpu': '1'}}}]},
               'status': {'phase': 'Running'}}
        return out


def series(pods):
    """(metric, labels, value) of dcgm-exporter and kube-state-metrics."""
    scrape = {'job': 'kube-state-metrics', 'instance': '10.0.0.9:8080'}
    for node in sorted({p.node for p in pods}):
        yield 'kube_node_info', {**scrape, 'node': node, 'internal_ip': '10.0.0.1'}, 1
        yield 'kube_node_status_capacity', {**scrape, 'node': node, 'resource': 'nvidia_com_gpu', 'unit': 'integer'}, 8
    for p in pods:
        gpu = {'UUID': 'GPU-%08d-aaaa-bbbb-cccc-000000000001' % p.number, 'gpu': str(p.number % 8), 'device': 'nvidia%d' % (p.number % 8),
               'modelName': 'NVIDIA A100-SXM4-80GB', 'Hostname': p.node, 'instance': p.node + ':9400', 'job': 'dcgm', 'namespace': p.space,
               'pod': p.name, 'container': 'main'}
        yield 'DCGM_FI_DEV_GPU_UTIL', gpu, p.busy
        yield 'DCGM_FI_DEV_FB_USED', gpu, 4000
        yield 'DCGM_FI_DEV_POWER_USAGE', gpu, 70 + p.busy
        who = {**scrape, 'namespace': p.space, 'pod': p.name, 'uid': p.uid}
        yield 'kube_pod_info', {**who, 'node': p.node}, 1
        yield 'kube_pod_status_phase', {**who, 'phase': 'Running'}, 1
        yield 'kube_pod_labels', {**who, 'label_team': p.team}, 1
        if p.owner:
            yield 'kube_pod_owner', {**who, 'owner_kind': p.owner[1], 'owner_name': p.owner[2], 'owner_is_controller': 'true'}, 1
        yield ('kube_pod_container_resource_requests',
               {**who, 'container': 'main', 'node': p.node, 'resource': 'nvidia_com_gpu', 'unit': 'integer'}, 1)


def machine_series(name, node, devices, tags=None):
    """Series of dcgm-exporter on a machine without a scheduler, with the machine's own name (label machine_id, see MACHINES) and tags.
    `devices`: the activity of each, and the Slurm job that holds it or ''."""
    for number, (busy, job) in enumerate(devices):
        gpu = {'UUID': 'GPU-%s-%d' % (name, number), 'gpu': str(number), 'modelName': 'NVIDIA A100-SXM4-80GB', 'Hostname': node,
               'instance': node + ':9400', 'job': 'dcgm', 'machine_id': name, **({'hpc_job': job} if job else {}), **(tags or {})}
        yield 'DCGM_FI_DEV_GPU_UTIL', gpu, busy
        yield 'DCGM_FI_DEV_FB_USED', gpu, 4000


def rfc3339(seconds):
    return time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(seconds))


def samples(told, begin):
    """OpenMetrics of (metric, labels, value), with constant values."""
    by_metric = {}
    for metric, labels, value in told:
        text = ','.join('%s="%s"' % pair for pair in labels.items())
        by_metric.setdefault(metric, []).extend('%s{%s} %s %d' % (metric, text, value, begin + i * STEP)
                                               for i in range((HOURS * 3600 + AHEAD) // STEP))
    for metric, lines in by_metric.items():
        yield '# TYPE %s gauge\n%s\n# EOF\n' % (metric, '\n'.join(lines))


class ApiServer:
    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, 'kubeserver.py'), '--with-stdin'], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.url = 'http://127.0.0.1:' + self.process.stdout.readline().split()[1]
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(20)

    def steer(self, what, body=None):
        request = urllib.request.Request(self.url + '/_test/' + what, data=json.dumps(body if body is not None else {}).encode(), method='POST')
        with OPENER.open(request, timeout=20) as reply:
            return json.load(reply)

    def flags(self, **values):
        self.steer('flags', values)

    def requests(self):
        """The requests since the last call."""
        return self.steer('log')['log']


class Cluster:
    def __init__(self, folder, pods, beside=()):
        """`beside`: series that do not belong to pods, (metric, labels, value)."""
        self.folder, self.pods, self.beside = folder, pods, list(beside)
        self.begin = int(time.time()) // STEP * STEP - HOURS * 3600
        self.created = rfc3339(self.begin - 3600)
        self.kubeconfig = os.path.join(folder, 'kubeconfig')
        for number, pod in enumerate(pods):
            pod.number = number

    def __enter__(self):
        self.kept = tempfile.TemporaryDirectory(prefix='gpuledgerkube')
        self.server = promserver.Server(self.kept.name, 'prometheus', samples([*series(self.pods), *self.beside], self.begin), STEP)
        self.prometheus = self.server.start()
        self.api = ApiServer().__enter__()
        self.put_all()
        self.login('{}')
        return self

    def __exit__(self, *_):
        self.api.__exit__()
        self.server.stop()
        self.kept.cleanup()

    def put_all(self):
        owners = {}
        for pod in self.pods:
            shown = pod.shown(self.created)
            if pod.owner:
                key = (pod.space, *pod.owner)
                if key not in owners:
                    version, kind, name = pod.owner
                    meta = {'name': name, 'namespace': pod.space, 'creationTimestamp': self.created, 'annotations': pod.annotations or {},
                            'labels': pod.labels or {}}
                    owners[key] = self.api.steer('put', {'apiVersion': version, 'kind': kind, 'metadata': meta, 'spec': pod.spec or {}})
                made = owners[key]
                shown['metadata']['ownerReferences'] = [{'apiVersion': made['apiVersion'], 'kind': made['kind'],
                                                         'name': made['metadata']['name'], 'uid': made['metadata']['uid'], 'controller': True}]
            if pod.exists:
                self.api.steer('put', shown)

    def login(self, user):
        """`user`: the user in the kubeconfig, as YAML in one line."""
        with open(self.kubeconfig, 'w', encoding='utf-8') as file:
            file.write('apiVersion: v1\nkind: Config\ncurrent-context: main\nclusters:\n- name: c\n  cluster: {server: "%s"}\n'
                       'contexts:\n- name: main\n  context: {cluster: c, user: u}\nusers:\n- name: u\n  user: %s\n' % (self.api.url, user))
        os.chmod(self.kubeconfig, 0o600)

    def configuration(self, more=''):
        return ('version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n'
                '  - { name: prom, kind: prometheus, url: "%s", cluster: prod, first_sync: %dh }\n'
                '  - { name: kube, kind: kubernetes, cluster: prod, kubeconfig: "%s", rights: [read, stop] }\n'
                'owners:\n  - { label: team }\n  - { default: unowned }\n'
                'idle:\n  grace: { notebook: 1h, development: 1h, training: 1h, batch: 1h, inference: 1h, unknown: 1h }\n%s'
                % (self.prometheus, HOURS, self.kubeconfig, more))

    def object(self, group, plural, name, space='ml'):
        """The object as an independent client sees it; {} if it does not exist."""
        return self.api.steer('object', [group, plural, space, name])
