#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small fleet with one trap per device, as OpenMetrics text, and the truth about it.

  trapfleet.py OUT_DIR [--tz ZONE] [--expected-only]

Writes OUT_DIR/chunk-<first second>.om (two hours each, for promtool tsdb create-blocks-from openmetrics; some 14 MB each, so promserver.py
takes them one at a time instead), OUT_DIR/expected.json and OUT_DIR/meta.json. The same bytes every time. 48 hours from Saturday 2025-03-29
00:00 UTC (Europe/Berlin changes its clocks on the Sunday), a sample per minute on the minute; a sample at t stands for [t, t + 60).

The truth is simulated minute by minute from each slice's own record (who held it, what it did, when it was not observed), independently of
the samples: the effect of a trap on them does not influence it. Nothing changes within a minute, so a minute is 60 equal seconds.

Definitions: as in trace_oracle.py, and
  MIG             1g, 2g and 3g of an H100 weigh 1/7, 2/7 and 3/7; the seventh that no instance uses is unallocated.
  time-slicing    four replicas, four pods at all times: each holds a quarter of each second, with the device's activity.
  NaN, Inf, blank a stretch without a valid activity signal is unobserved, even if the memory series have valid samples.
  sparse          a device that answers every second scrape has an interval of two minutes: none of its time is unobserved.
  clamp           SM_ACTIVE above 1 counts as 1.
  holder          a pod that runs (phase Running) on that node and requests a GPU; never the exporter's pod.
  idle            one item a pod; `rate` and `gpus` by the slice's fraction, a time-sliced pod's by its share.
"""
import argparse
import json
import os
import sys
from collections import defaultdict
from datetime import datetime, timezone
from functools import lru_cache

from trace_oracle import GRACE_HOURS, Sums, by_owner, heatmap, made_up_uuid, rfc3339, summary

BEGIN = int(datetime(2025, 3, 29, tzinfo=timezone.utc).timestamp())
HOURS = 48
MINUTES = HOURS * 60
END = BEGIN + HOURS * 3600
STEP = 60
CHUNK = 7200
PRICE = 2.48
H100 = 'NVIDIA H100 80GB HBM3'
MI300 = 'AMD Instinct MI300X'
BLANK = '9223372036854775794'
POOL = 'trap-pool'


def at(hours, minutes=0):
    return hours * 60 + minutes


def wobble(seed, minute, amplitude):
    return (minute * 7919 + seed * 104729) % (2 * amplitude + 1) - amplitude


@lru_cache(maxsize=None)
def labels_text(items):
    return '{' + ','.join('%s="%s"' % (k, v) for k, v in items if v != '') + '}'


def labels(*parts, **more):
    merged = {}
    for part in parts:
        merged.update(part)
    merged.update(more)
    return labels_text(tuple(merged.items()))


class Pod:
    def __init__(self, name, team, node, kind='training', start=0, end=MINUTES, namespace='work', resource='nvidia_com_gpu',
                 count=1, generation=0, succeeded=None, owner_kind='Job'):
        self.name, self.team, self.node, self.kind, self.namespace = name, team, node, kind, namespace
        self.start, self.end, self.resource, self.count = start, end, resource, count
        self.succeeded = succeeded  # minute from which its phase is Succeeded, while KSM still lists it until `end`
        self.owner_kind = owner_kind
        self.uid = made_up_uuid(7, 'pod', name, generation)
        self.labels = dict(namespace=namespace, pod=name, uid=self.uid)

    @property
    def held_until(self):
        return self.end if self.succeeded is None else self.succeeded


class Slice:
    """A part of a device and its truth. activity(minute) is 0..1; `dark` has the stretches that were not observed."""

    def __init__(self, device, fraction, pods, activity, dark=()):
        self.device, self.fraction, self.pods, self.activity, self.dark = device, fraction, pods, activity, dark

    def holders(self, minute):
        return [p for p in self.pods if p.start <= minute < p.held_until]

    def seen(self, minute):
        return not any(a <= minute < b for a, b in self.dark)


class Fleet:
    NAMESPACE_TEAM = {'work': '', 'delta-space': 'delta', 'bare': '', 'gpu-operator': ''}

    def __init__(self):
        self.pods, self.plain_pods, self.slices, self.nodes, self.emitters = [], [], [], {}, []
        self.replicas = {}  # node -> replica labels under which its series are written
        for i, trap in enumerate(TRAPS):
            trap(self, i + 1)

    def node(self, name, resource='nvidia_com_gpu', count=1, begin=0, end=MINUTES, model=H100, **extra):
        product = model.replace(' ', '-')
        self.nodes[name] = dict(resource=resource, count=count, begin=begin, end=end, number=len(self.nodes) + 1,
                                labels=dict(dict(label_nvidia_com_gpu_product=product, label_nvidia_com_gpu_count='1'), **extra))
        return name

    def pod(self, *args, **kw):
        self.pods.append(Pod(*args, **kw))
        return self.pods[-1]

    def exporter_pod(self, node, name):
        pod = Pod(name, '', node, namespace='gpu-operator', owner_kind='DaemonSet')
        self.plain_pods.append(pod)
        return pod

    def target(self, node, host=0, **extra):
        return dict(instance='10.42.%d.%d:9400' % (self.nodes[node]['number'], 10 + host), job='dcgm-exporter', **extra)

    def base(self, number, node, **extra):
        uuid = 'GPU-' + made_up_uuid(7, 'gpu', number)
        return dict(gpu='0', UUID=uuid, pci_bus_id='00000000:1A:00.0', device='nvidia0', modelName=H100, Hostname=node, **extra)

    def slice(self, number, pods, activity, dark=(), fraction=1.0, uuid=None):
        s = Slice(uuid or 'GPU-' + made_up_uuid(7, 'gpu', number), fraction, pods, activity, dark)
        self.slices.append(s)
        return s

    def emit(self, function):
        self.emitters.append(function)

    # ----- samples of one minute: (metric, labels, value)
    def samples(self, minute):
        for emitter in self.emitters:
            yield from emitter(minute)
        yield from self.state_metrics(minute)

    def state_metrics(self, minute):
        target = dict(instance='10.42.250.9:8080', job='kube-state-metrics')
        for name, team in self.NAMESPACE_TEAM.items():
            yield 'kube_namespace_labels', labels(target, namespace=name, label_team=team), '1'
        for name, node in self.nodes.items():
            if not node['begin'] <= minute < node['end']:
                continue
            yield 'kube_node_info', labels(target, node=name, internal_ip='10.0.0.%d' % node['number']), '1'
            yield 'kube_node_labels', labels(target, dict(node=name, label_node_pool=POOL), node['labels']), '1'
            yield 'kube_node_status_condition', labels(target, node=name, condition='Ready', status='true'), '1'
            count = str(node['count'])
            for resource in node['resource'].split():
                for m in ('kube_node_status_capacity', 'kube_node_status_allocatable'):
                    yield m, labels(target, node=name, resource=resource, unit='integer'), count
        for pod in self.pods + self.plain_pods:
            if not pod.start <= minute < pod.end:
                continue
            for replica in self.replicas.get(pod.node, ({},)):
                yield from self.pod_metrics(pod, minute, dict(target, **replica))

    def pod_metrics(self, pod, minute, target):
        who = dict(target, **pod.labels)
        yield 'kube_pod_info', labels(who, node=pod.node, created_by_kind=pod.owner_kind, created_by_name=pod.name + '-owner'), '1'
        yield 'kube_pod_labels', labels(who, label_team=pod.team, label_workload_kind=pod.kind if pod in self.pods else ''), '1'
        yield 'kube_pod_owner', labels(who, owner_kind=pod.owner_kind, owner_name=pod.name + '-owner', owner_is_controller='true'), '1'
        done = pod.succeeded is not None and minute >= pod.succeeded
        yield 'kube_pod_status_phase', labels(who, phase='Running'), '0' if done else '1'
        yield 'kube_pod_status_phase', labels(who, phase='Succeeded'), '1' if done else '0'
        yield 'kube_pod_start_time', labels(who), str(BEGIN + pod.start * 60)
        if pod in self.pods:
            yield ('kube_pod_container_resource_requests',
                   labels(who, container='main', node=pod.node, resource=pod.resource, unit='integer'), str(pod.count))


def holder_labels(pod, prefix=''):
    return {prefix + 'namespace': pod.namespace, prefix + 'pod': pod.name, prefix + 'container': 'main'} if pod else {}


def old_names(label, util, memory=30000, total=81559):
    """The default counters before 4.9: percent, MiB, W."""
    yield 'DCGM_FI_DEV_GPU_UTIL', label, str(util)
    yield 'DCGM_FI_DEV_FB_USED', label, str(memory)
    yield 'DCGM_FI_DEV_FB_FREE', label, str(total - memory)
    yield 'DCGM_FI_DEV_POWER_USAGE', label, '320.5'


def simple(fleet, number, name, pods, percent, dark=(), extra=None):
    """An ordinary device on a node of its own: GPU_UTIL with the holder's labels, no pod label while free."""
    s = fleet.slice(number, pods, lambda m: percent(m) / 100, dark)
    base, target = fleet.base(number, name), fleet.target(name)

    def emitter(minute):
        if not s.seen(minute):
            yield 'up', labels(target), '0'
            return
        yield 'up', labels(target), '1'
        held = s.holders(minute)
        label = labels(base, target, holder_labels(held[0]) if held else {})
        util = percent(minute) if held else 0
        yield from (extra or old_names)(label, util)
    fleet.emit(emitter)
    return s


# ----- the traps, one per device ----------------------------------------------------------------------------------------
def whole(fleet, n):
    node = fleet.node('whole-1')
    simple(fleet, n, node, [fleet.pod('whole-train', 'alpha', node)], lambda m: 80 + wobble(n, m, 10))


def mig(fleet, n):
    """Instances 1g, 2g, 3g and an unused seventh; also device-level series; SM_ACTIVE 1.29 for ten minutes."""
    node = fleet.node('mig-1', resource='nvidia_com_mig_1g_10gb nvidia_com_mig_2g_20gb nvidia_com_mig_3g_40gb',
                      label_nvidia_com_mig_strategy='mixed')
    notebook = fleet.pod('mig-notebook', 'beta', node, kind='notebook', resource='nvidia_com_mig_1g_10gb', owner_kind='StatefulSet')
    endpoint = fleet.pod('mig-endpoint', 'gamma', node, kind='inference', resource='nvidia_com_mig_2g_20gb', owner_kind='ReplicaSet')
    train = fleet.pod('mig-train', 'alpha', node, start=at(24), resource='nvidia_com_mig_3g_40gb')
    raw = {'1g.10gb': lambda m: 0.4 if m < at(40) else 0.01, '2g.20gb': lambda m: 0.5,
           '3g.40gb': lambda m: 1.29 if at(30) <= m < at(30, 10) else 0.3}
    pods = {'1g.10gb': notebook, '2g.20gb': endpoint, '3g.40gb': train}
    ids = {'1g.10gb': '9', '2g.20gb': '3', '3g.40gb': '2'}
    parts = {p: fleet.slice(n, [pods[p]], lambda m, f=raw[p]: min(1.0, f(m)), fraction=int(p[0]) / 7) for p in raw}
    fleet.slice(n, [], lambda m: 0.0, fraction=1 / 7)
    base, target = fleet.base(n, node), fleet.target(node)

    def emitter(minute):
        yield 'up', labels(target), '1'
        whole_sm = 0.0
        for profile, part in parts.items():
            held = part.holders(minute)
            value = raw[profile](minute) if held else 0.0
            whole_sm += min(1.0, value) * part.fraction
            label = labels(base, dict(GPU_I_PROFILE=profile, GPU_I_ID=ids[profile]), target, holder_labels(held[0]) if held else {})
            yield 'DCGM_FI_PROF_SM_ACTIVE', label, '%.4f' % value
            yield 'DCGM_FI_PROF_GR_ENGINE_ACTIVE', label, '%.4f' % min(1.0, value * 1.5)
            yield 'DCGM_FI_DEV_FB_USED', label, '4000'
            yield 'DCGM_FI_DEV_POWER_USAGE', label, '210.0'
        device = labels(base, target)
        yield 'DCGM_FI_PROF_SM_ACTIVE', device, '%.4f' % whole_sm
        yield 'DCGM_FI_PROF_GR_ENGINE_ACTIVE', device, '%.4f' % min(1.0, whole_sm * 1.5)
        yield 'DCGM_FI_DEV_FB_USED', device, '12600'
        yield 'DCGM_FI_DEV_POWER_USAGE', device, '210.0'
    fleet.emit(emitter)


def sliced_off(fleet, n):
    """Virtual GPUs off: one pod label, a different one at each scrape; KSM lists all four pods."""
    node = fleet.node('sliced-off-1', resource='nvidia_com_gpu_shared', count=4, label_nvidia_com_gpu_sharing_strategy='time-slicing',
                      label_nvidia_com_gpu_replicas='4', label_nvidia_com_gpu_product='NVIDIA-H100-80GB-HBM3-SHARED')
    pods = [fleet.pod('sliced-off-%d' % i, team, node, resource='nvidia_com_gpu_shared')
            for i, team in enumerate(('alpha', 'beta', 'gamma', 'alpha'))]
    value = lambda m: 60 + wobble(n, m, 5)
    fleet.slice(n, pods, lambda m: value(m) / 100)
    base, target = fleet.base(n, node), fleet.target(node)

    def emitter(minute):
        yield 'up', labels(target), '1'
        yield from old_names(labels(base, target, holder_labels(pods[minute % 4])), value(minute))
    fleet.emit(emitter)


def sliced_on(fleet, n):
    """Virtual GPUs on: a series per pod, each with the device's value. All four are idle from hour 45 on."""
    node = fleet.node('sliced-on-1', count=4, label_nvidia_com_gpu_sharing_strategy='time-slicing',
                      label_nvidia_com_gpu_replicas='4', label_nvidia_com_gpu_product='NVIDIA-H100-80GB-HBM3-SHARED')
    pods = [fleet.pod('sliced-on-%d' % i, team, node, kind='development', owner_kind='StatefulSet')
            for i, team in enumerate(('alpha', 'beta', 'gamma', 'beta'))]
    value = lambda m: 50 + wobble(n, m, 5) if m < at(45) else 0
    fleet.slice(n, pods, lambda m: value(m) / 100)
    base, target = fleet.base(n, node), fleet.target(node)

    def emitter(minute):
        yield 'up', labels(target), '1'
        for i, pod in enumerate(pods):
            yield from old_names(labels(base, dict(vgpu=str(i)), target, holder_labels(pod)), value(minute))
    fleet.emit(emitter)


def gap(fleet, n):
    node = fleet.node('gap-1')
    simple(fleet, n, node, [fleet.pod('gap-train', 'beta', node)], lambda m: 70 + wobble(n, m, 5), [(at(34, 2), at(34, 42))])


def end_gap(fleet, n):
    node = fleet.node('end-gap-1')
    simple(fleet, n, node, [fleet.pod('end-gap-train', 'gamma', node)], lambda m: 60 if m < at(44) else 0, [(at(47, 20), at(48))])


def not_numbers(fleet, n):
    """The activity signal is NaN, then +Inf, then the blank value, each for ten minutes that are not aligned to buckets."""
    node = fleet.node('nan-1')
    dark = [(at(12, 2), at(12, 12)), (at(13, 2), at(13, 12)), (at(14, 2), at(14, 12))]
    bad = ['NaN', '+Inf', BLANK]
    pod = fleet.pod('nan-train', 'alpha', node)
    value = lambda m: 40 + wobble(n, m, 5)
    s = fleet.slice(n, [pod], lambda m: value(m) / 100, dark)
    base, target = fleet.base(n, node), fleet.target(node)

    def emitter(minute):
        yield 'up', labels(target), '1'
        util = value(minute) if s.seen(minute) else next(b for (x, y), b in zip(dark, bad) if x <= minute < y)
        yield from old_names(labels(base, target, holder_labels(pod)), util)
    fleet.emit(emitter)


def renamed(fleet, n):
    """4.9 at hour 24: other metric names, units and label spellings for the same device and pod."""
    node = fleet.node('renamed-1')
    pod = fleet.pod('renamed-train', 'beta', node)
    value = lambda m: 70 + wobble(n, m, 5) if m < at(24) else 30 + wobble(n, m, 5)
    fleet.slice(n, [pod], lambda m: value(m) / 100)
    base, target = fleet.base(n, node), fleet.target(node)
    new = dict(gpu='0', gpu_uuid=base['UUID'], pci_bus_id=base['pci_bus_id'], device='nvidia0', model_name=H100, hostname=node)

    def emitter(minute):
        yield 'up', labels(target), '1'
        if minute < at(24):
            yield from old_names(labels(base, target, holder_labels(pod)), value(minute))
            return
        label = labels(new, target, holder_labels(pod))
        yield 'DCGM_FI_DEV_GPU_UTIL_RATIO', label, '%.2f' % (value(minute) / 100)
        yield 'DCGM_FI_DEV_FB_USED_BYTES', label, str(30000 * 1048576)
        yield 'DCGM_FI_DEV_FB_FREE_BYTES', label, str(51559 * 1048576)
        yield 'DCGM_FI_DEV_BOARD_POWER_WATTS', label, '320.5'
    fleet.emit(emitter)


def honor(fleet, n, node, pod, value, prefix):
    exporter = fleet.exporter_pod(node, 'dcgm-exporter-' + node)
    own = dict(namespace=exporter.namespace, pod=exporter.name, container='nvidia-dcgm-exporter')
    s = fleet.slice(n, [pod], lambda m: value(m) / 100)
    base, target = fleet.base(n, node), fleet.target(node)

    def emitter(minute):
        yield 'up', labels(target, own), '1'
        held = s.holders(minute)
        shown = dict(own)
        if held:
            shown.update(holder_labels(held[0], prefix))
        yield from old_names(labels(base, target, shown), value(minute) if held else 0)
    fleet.emit(emitter)


def honor_false(fleet, n):
    """exported_pod while held; only the exporter's own pod once free, from hour 30 on."""
    node = fleet.node('honor-false-1')
    honor(fleet, n, node, fleet.pod('honor-false-train', 'beta', node, end=at(30)), lambda m: 65 + wobble(n, m, 5), 'exported_')


def honor_true(fleet, n):
    """The exporter's own pod in `pod` while the device is free (until hour 18), then the holder's."""
    node = fleet.node('honor-true-1')
    honor(fleet, n, node, fleet.pod('honor-true-train', 'gamma', node, start=at(18)), lambda m: 55 + wobble(n, m, 5), '')


def recreated(fleet, n):
    """notebook-0 is deleted at 20:00 (idle since 15:00) and recreated at 20:05 with a new uid, for another team; it never works."""
    node = fleet.node('recreated-1')
    kw = dict(kind='notebook', owner_kind='StatefulSet')
    pods = [fleet.pod('notebook-0', 'alpha', node, end=at(20), generation=1, **kw),
            fleet.pod('notebook-0', 'beta', node, start=at(20, 5), generation=2, **kw)]
    simple(fleet, n, node, pods, lambda m: 45 if m < at(15) else 0)


def moved(fleet, n):
    """The card moves to another node at hour 24 and is free for ten minutes there."""
    a, b = fleet.node('moved-a', end=at(24)), fleet.node('moved-b', begin=at(24))
    pods = [fleet.pod('moved-before', 'alpha', a, end=at(24)), fleet.pod('moved-after', 'gamma', b, start=at(24, 10))]
    value = lambda m: 75 if m < at(24) else 35
    s = fleet.slice(n, pods, lambda m: value(m) / 100)

    def emitter(minute):
        node = a if minute < at(24) else b
        base, target = fleet.base(n, node), fleet.target(node)
        yield 'up', labels(target), '1'
        held = s.holders(minute)
        yield from old_names(labels(base, target, holder_labels(held[0]) if held else {}), value(minute) if held else 0)
    fleet.emit(emitter)


def two_holders(fleet, n):
    """Three changes of holder within a base bucket, each between a busy and an idle pod."""
    node = fleet.node('two-holders-1')
    cuts = [0, at(7, 2), at(19, 3), at(31, 4), MINUTES]
    use = [90, 0, 50, 90]
    pods = [fleet.pod('two-holders-%d' % i, ('alpha', 'gamma')[i % 2], node, start=cuts[i], end=cuts[i + 1]) for i in range(4)]
    simple(fleet, n, node, pods, lambda m: use[sum(m >= c for c in cuts[1:4])])


def pair(fleet, n):
    """Two Prometheus servers with all series, also those of KSM; each misses half an hour that the other one has."""
    node = fleet.node('pair-1')
    replicas = [dict(prometheus_replica='prometheus-0'), dict(prometheus_replica='prometheus-1')]
    fleet.replicas[node] = replicas
    pod = fleet.pod('pair-train', 'beta', node)
    value = lambda m: 85 + wobble(n, m, 5)
    fleet.slice(n, [pod], lambda m: value(m) / 100)
    base, target = fleet.base(n, node), fleet.target(node)
    missed = [(at(5), at(5, 30)), (at(8), at(8, 30))]

    def emitter(minute):
        for replica, (x, y) in zip(replicas, missed):
            if not x <= minute < y:
                yield 'up', labels(target, replica), '1'
                yield from old_names(labels(base, target, holder_labels(pod), replica), value(minute))
    fleet.emit(emitter)


def restarted(fleet, n):
    """The exporter comes back with another address at hour 16; both series overlap for three minutes."""
    node = fleet.node('restarted-1')
    pod = fleet.pod('restarted-train', 'gamma', node)
    value = lambda m: 60 + wobble(n, m, 5)
    fleet.slice(n, [pod], lambda m: value(m) / 100)
    base = fleet.base(n, node)

    def emitter(minute):
        for host, x, y in ((0, 0, at(16, 3)), (1, at(16), MINUTES)):
            if x <= minute < y:
                target = fleet.target(node, host)
                yield 'up', labels(target), '1'
                yield from old_names(labels(base, target, holder_labels(pod)), value(minute))
    fleet.emit(emitter)


def xid(fleet, n):
    """The last XID changes twice: its series differ in err_code and err_msg only."""
    node = fleet.node('xid-1')
    pod = fleet.pod('xid-train', 'alpha', node)
    value = lambda m: 70 + wobble(n, m, 5)
    fleet.slice(n, [pod], lambda m: value(m) / 100)
    base, target = fleet.base(n, node), fleet.target(node)

    def emitter(minute):
        yield 'up', labels(target), '1'
        label = labels(base, target, holder_labels(pod))
        yield from old_names(label, value(minute))
        code = '0' if minute < at(11) else '31' if minute < at(23) else '43'
        text = {'0': 'No Error', '31': 'GPU memory page fault', '43': 'GPU stopped processing'}[code]
        yield 'DCGM_FI_DEV_XID_ERRORS', labels(base, target, holder_labels(pod), err_code=code, err_msg=text), code
    fleet.emit(emitter)


def namespace_team(fleet, n):
    """No team on the pod, but on its namespace; a development pod idle for 90 minutes at the end: not long enough."""
    node = fleet.node('namespace-team-1')
    pod = fleet.pod('namespace-dev', '', node, kind='development', namespace='delta-space', owner_kind='StatefulSet')
    simple(fleet, n, node, [pod], lambda m: 30 if m < at(46, 30) else 1)


def nobodys(fleet, n):
    """No team anywhere; an endpoint idle for ten hours at the end: not long enough for inference."""
    node = fleet.node('nobodys-1')
    pod = fleet.pod('nobodys-endpoint', '', node, kind='inference', namespace='bare', owner_kind='ReplicaSet')
    simple(fleet, n, node, [pod], lambda m: 25 if m < at(38) else 2)


def succeeded(fleet, n):
    """Done at hour 10, but its requests stay exported until the pod is deleted."""
    node = fleet.node('succeeded-1')
    simple(fleet, n, node, [fleet.pod('succeeded-train', 'alpha', node, succeeded=at(10))], lambda m: 95)


def hung(fleet, n):
    """GPU_UTIL stays at 100 while the SMs do nothing from hour 6 on."""
    node = fleet.node('hung-1')
    pod = fleet.pod('hung-train', 'beta', node, start=at(2))
    sm = lambda m: 0.62 if m < at(6) else 0.01
    s = fleet.slice(n, [pod], sm)
    base, target = fleet.base(n, node), fleet.target(node)

    def emitter(minute):
        yield 'up', labels(target), '1'
        held = s.holders(minute)
        label = labels(base, target, holder_labels(pod) if held else {})
        yield from old_names(label, 100 if held else 0)
        yield 'DCGM_FI_PROF_SM_ACTIVE', label, '%.2f' % (sm(minute) if held else 0)
    fleet.emit(emitter)


def sparse(fleet, n):
    """Answers only every second scrape."""
    node = fleet.node('sparse-1')
    pod = fleet.pod('sparse-train', 'gamma', node)
    fleet.slice(n, [pod], lambda m: 0.66)
    base, target = fleet.base(n, node), fleet.target(node)

    def emitter(minute):
        if minute % 2 == 0:
            yield 'up', labels(target), '1'
            yield from old_names(labels(base, target, holder_labels(pod)), 66)
    fleet.emit(emitter)


def at_threshold(fleet, n):
    node = fleet.node('at-threshold-1')
    simple(fleet, n, node, [fleet.pod('at-threshold-batch', 'alpha', node, kind='batch', start=at(1))], lambda m: 5)


def below_threshold(fleet, n):
    """4.99 %, in a profiling metric, because GPU_UTIL is in whole percents; it never worked: idle since its start."""
    node = fleet.node('below-threshold-1')
    pod = fleet.pod('below-threshold-batch', 'gamma', node, kind='batch', start=at(1))

    def signals(label, percent):
        yield 'DCGM_FI_PROF_GR_ENGINE_ACTIVE', label, '%.4f' % (percent / 100)
        yield 'DCGM_FI_DEV_FB_USED', label, '30000'
        yield 'DCGM_FI_DEV_FB_FREE', label, '51559'
    simple(fleet, n, node, [pod], lambda m: 4.99, extra=signals)


def amd(fleet, n):
    node = fleet.node('amd-1', resource='amd_com_gpu', label_nvidia_com_gpu_product='', label_nvidia_com_gpu_count='')
    pod = fleet.pod('amd-train', 'alpha', node, resource='amd_com_gpu')
    uuid = made_up_uuid(7, 'amd', n)
    value = lambda m: 75 + wobble(n, m, 5)
    fleet.slice(n, [pod], lambda m: value(m) / 100, uuid=uuid)
    target = dict(instance='10.42.%d.10:5000' % fleet.nodes[node]['number'], job='amd-device-metrics-exporter')
    base = dict(gpu_id='0', gpu_uuid=uuid, serial_number='692231000%03d' % n, card_model=MI300, hostname=node, gpu_partition_id='0',
                gpu_compute_partition_type='spx', gpu_memory_partition_type='nps1', deployment_mode='container')

    def emitter(minute):
        yield 'up', labels(target), '1'
        yield 'amd_gpu_nodes_total', labels(target, hostname=node), '1'
        label = labels(base, target, holder_labels(pod))
        for name, v in (('gfx_activity', value(minute)), ('umc_activity', 20), ('used_vram', 90000), ('free_vram', 106608),
                        ('total_vram', 196608), ('package_power', 540)):
            yield 'amd_gpu_' + name, label, str(v)
    fleet.emit(emitter)


def smi(fleet, n):
    """No pod labels at all: one device and one GPU pod on the node."""
    node = fleet.node('smi-1')
    pod = fleet.pod('smi-train', 'gamma', node)
    exporter = fleet.exporter_pod(node, 'nvidia-gpu-exporter-smi')
    bare = made_up_uuid(7, 'gpu', n)
    value = lambda m: 0.6 + wobble(n, m, 5) / 100
    fleet.slice(n, [pod], value)
    target = dict(instance=node + ':9835', job='nvidia-gpu-exporter', node=node, namespace=exporter.namespace, pod=exporter.name,
                  container='nvidia-gpu-exporter')

    def emitter(minute):
        yield 'up', labels(target), '1'
        yield 'nvidia_smi_gpu_info', labels(target, uuid=bare, index='0', name=H100, driver_version='550.54.15'), '1'
        label = labels(target, uuid=bare)
        for name, v in (('utilization_gpu_ratio', '%.2f' % value(minute)), ('memory_used_bytes', '30000000000'),
                        ('memory_free_bytes', '55520000000'), ('memory_total_bytes', '85520000000'), ('power_draw_watts', '310.2')):
            yield 'nvidia_smi_' + name, label, v
    fleet.emit(emitter)


def young(fleet, n):
    """Half an hour old without any work: too young to be idle."""
    node = fleet.node('young-1')
    simple(fleet, n, node, [fleet.pod('young-train', 'alpha', node, start=at(47, 30))], lambda m: 0)


TRAPS = [whole, mig, sliced_off, sliced_on, gap, end_gap, not_numbers, renamed, honor_false, honor_true, recreated, moved, two_holders,
         pair, restarted, xid, namespace_team, nobodys, succeeded, hung, sparse, at_threshold, below_threshold, amd, smi, young]


# ----- the truth --------------------------------------------------------------------------------------------------------
def team_of(fleet, pod):
    return pod.team or fleet.NAMESPACE_TEAM[pod.namespace] or 'unowned'


class Truth:
    def __init__(self, fleet):
        self.fleet = fleet
        self.teams = defaultdict(lambda: defaultdict(Sums))
        self.devices, self.holders, self.nodes_of = defaultdict(Sums), defaultdict(Sums), {}
        self.active = defaultdict(set)  # (pod uid) -> minutes in active buckets
        self.seen = defaultdict(set)  # (pod uid) -> observed minutes
        self.share = {}
        self.slices_of = defaultdict(list)
        for s in fleet.slices:
            self.add(s)

    def add(self, s):
        for first in range(0, MINUTES, 5):
            held = {p.uid: p for m in range(first, first + 5) for p in s.holders(m)}
            state = {}
            for uid, pod in held.items():
                mine = [m for m in range(first, first + 5) if pod in s.holders(m) and s.seen(m)]
                mean = sum(s.activity(m) for m in mine) / len(mine) if mine else None
                state[uid] = mean is not None and mean >= 0.05 - 1e-12
            for m in range(first, first + 5):
                self.minute(s, m, state)

    def minute(self, s, m, state):
        cell = (BEGIN + m * 60) // 900 * 900
        holders = s.holders(m)
        if not holders:
            seconds = 60 * s.fraction
            for sums in (self.teams[True, 'platform'][cell], self.devices[s.device]):
                if s.seen(m):
                    sums.unallocated += seconds
                else:
                    sums.unobserved += seconds
        for pod in holders:
            seconds = 60 * s.fraction / len(holders)
            self.share[pod.uid] = (s, s.fraction / len(holders))
            if s.seen(m):
                self.seen[pod.uid].add(m)
                if state[pod.uid]:
                    self.active[pod.uid].add(m)
            for sums in (self.teams[False, team_of(self.fleet, pod)][cell], self.devices[s.device], self.holders[pod.uid]):
                sums.held += seconds
                if not s.seen(m):
                    sums.unobserved += seconds
                    continue
                sums.held_observed += seconds
                sums.work += seconds * s.activity(m) * 100
                if state[pod.uid]:
                    sums.active += seconds
                else:
                    sums.idle += seconds

    def idle(self):
        out = {'at': rfc3339(END), 'threshold': 0.05, 'items': [], 'unknown': [], 'young': []}
        for pod in self.fleet.pods:
            if pod.held_until < MINUTES:
                continue
            grace = GRACE_HOURS[pod.kind] * 60
            window = range(max(0, MINUTES - grace), MINUTES)
            if any(m in self.active[pod.uid] for m in window):
                continue
            seen = sum(m in self.seen[pod.uid] for m in window)
            since = max([m + 1 for m in self.active[pod.uid]], default=pod.start)
            s, share = self.share[pod.uid]
            hours = (MINUTES - since) / 60
            dark = sum(m not in self.seen[pod.uid] for m in range(since, MINUTES)) / 60
            item = {'id': pod.uid, 'name': pod.name, 'workload': pod.name + '-owner', 'owner': team_of(self.fleet, pod),
                    'namespace': pod.namespace, 'node': pod.node, 'devices': [s.device], 'gpus': share, 'workload_type': pod.kind,
                    'grace_hours': grace / 60, 'observed': seen / grace, 'since': rfc3339(BEGIN + since * 60)}
            if pod.start > MINUTES - grace:
                out['young'].append(item)
            elif seen < 0.9 * grace:
                item['reason'] = 'only %d of %d minutes of its window were observed' % (seen, grace)
                out['unknown'].append(item)
            else:
                rate = PRICE * share
                item.update(idle_hours=hours, idle_hours_observed=hours - dark, rate_per_hour=rate, wasted=rate * hours,
                            wasted_observed=rate * (hours - dark), per_month=rate * 730)
                out['items'].append(item)
        for name in ('items', 'unknown', 'young'):
            out[name].sort(key=lambda i: i['name'])
        return out


def expected(fleet, tz='UTC'):
    truth = Truth(fleet)
    out = {'from': rfc3339(BEGIN), 'to': rfc3339(END), 'step': STEP, 'devices_count': len(truth.devices), 'pools': [POOL],
           'pool_team': {POOL: 'platform'}, 'gpu_models': [H100, MI300], 'summary': {}, 'heatmap': {}, 'heatmap_berlin': {}}
    for variant in ('shared', 'node_pool'):
        owners = by_owner(truth.teams, variant == 'node_pool', 'platform')
        out['summary'][variant] = dict({'from': out['from'], 'to': out['to']}, **summary(owners, PRICE))
        out['heatmap'][variant] = heatmap(owners, tz, 0)
        out['heatmap_berlin'][variant] = heatmap(owners, 'Europe/Berlin', 0)
    out['devices'] = [s.row(d, PRICE) for d, s in truth.devices.items()]
    pods = {p.uid: p for p in fleet.pods}
    out['holders'] = [dict(s.row(uid, PRICE), name=pods[uid].name, team=team_of(fleet, pods[uid]), node=pods[uid].node,
                           held_seconds=s.held) for uid, s in truth.holders.items()]
    out['traps'] = {t.__name__: d for t, d in zip(TRAPS, dict.fromkeys(s.device for s in fleet.slices))}
    out['idle'] = truth.idle()
    return out


def chunks(fleet):
    """(first second, lines as OpenMetrics text with its end mark, number of samples), two hours each."""
    for first in range(0, MINUTES, CHUNK // 60):
        families = defaultdict(list)
        for m in range(first, min(MINUTES, first + CHUNK // 60)):
            t = BEGIN + m * 60
            for metric, label, value in fleet.samples(m):
                families[metric].append('%s%s %s %d\n' % (metric, label, value, t))
        text = []
        for metric, lines in families.items():
            text.append('# TYPE %s gauge\n' % metric)
            text += lines
        yield BEGIN + first * 60, ''.join(text) + '# EOF\n', len(text) - len(families)


def write_expected(fleet, folder, tz='UTC', samples=0):
    os.makedirs(folder, exist_ok=True)
    truth = expected(fleet, tz)
    with open(os.path.join(folder, 'expected.json'), 'w') as f:
        json.dump(truth, f, indent=1)
    with open(os.path.join(folder, 'meta.json'), 'w') as f:
        json.dump(dict(first=BEGIN, last=END - STEP, end=END, step=STEP, samples=samples, devices=len(truth['devices'])), f)
    return truth


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('out')
    ap.add_argument('--tz', default='UTC')
    ap.add_argument('--expected-only', action='store_true')
    args = ap.parse_args()
    os.makedirs(args.out, exist_ok=True)
    fleet, samples = Fleet(), 0
    if not args.expected_only:
        for first, text, count in chunks(fleet):
            samples += count
            with open(os.path.join(args.out, 'chunk-%d.om' % first), 'w') as f:
                f.write(text)
    write_expected(fleet, args.out, args.tz, samples)
    return 0


if __name__ == '__main__':
    sys.exit(main())
