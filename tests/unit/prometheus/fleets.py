# SPDX-License-Identifier: GPL-3.0-or-later
"""Small fleets as a Prometheus would have recorded them, for tests that use the command line like a user.

Two nodes with two devices each; three pods of two teams hold one device each, and the fourth device is free. Every device has a constant
activity, so that the right figures follow from HELD and BUSY alone.
"""
BEGIN = 1743336000  # 2025-03-30T12:00:00Z
HOURS = 3
NOW = "2025-03-30T15:00:00Z"
STEP = 60
NODES = ("node-a", "node-b")
# Device -> (node, index, pod, activity in percent)
DEVICES = {"0001": (0, 0, "train-0", 80), "0002": (0, 1, "train-1", 60), "0003": (1, 0, "notebook", 2), "0004": (1, 1, "", 0)}
# Pod -> (namespace, team)
PODS = {"train-0": ("ml-vision", "vision"), "train-1": ("ml-vision", "vision"), "notebook": ("ml-speech", "speech")}
EXPORTER = {"namespace": "monitoring", "pod": "exporter-x7k2p", "container": "exporter"}


def line(metric, labels, value, second):
    inside = ",".join(f'{name}="{text}"' for name, text in labels.items() if text != "")
    return f"{metric}{{{inside}}} {value} {second}"


def text(series):
    """OpenMetrics of [(metric, labels, value)], one sample per minute; one family per block."""
    families = {}
    for metric, labels, value in series:
        families.setdefault(metric, []).append((labels, value))
    lines = []
    for metric, rows in families.items():
        lines.append(f"# TYPE {metric} gauge")
        for labels, value in rows:
            for i in range(HOURS * 3600 // STEP):
                given = value(i) if callable(value) else value
                if given is not None:
                    lines.append(line(metric, labels, given, BEGIN + i * STEP))
    return "\n".join(lines) + "\n# EOF\n"


def uuid(device):
    return f"GPU-5f1d0000-aaaa-bbbb-cccc-00000000{device}"


def holder_labels(pod, honor):
    """What Prometheus makes of the holder's labels: honor 'true', 'false' (collision) or '' (the target has no such labels)."""
    held = {"namespace": PODS[pod][0], "pod": pod, "container": "main"} if pod else {}
    if honor == "false":
        return {**EXPORTER, **{f"exported_{name}": value for name, value in held.items()}}
    if honor == "true" and not pod:
        return dict(EXPORTER)
    return held


def dcgm(honor="", rename=None, metric="DCGM_FI_DEV_GPU_UTIL", factor=1, memory=True, drop=(), extra=None, pods=True):
    series = []
    for device, (node, index, pod, busy) in DEVICES.items():
        labels = {"gpu": str(index), "UUID": uuid(device), "device": f"nvidia{index}", "modelName": "NVIDIA A100-SXM4-80GB",
                  "Hostname": NODES[node], "job": "dcgm-exporter", "instance": f"10.0.0.{node + 1}:9400",
                  **(holder_labels(pod, honor) if pods else {}), **(extra(pod) if extra else {})}
        labels = {(rename or {}).get(name, name): value for name, value in labels.items() if name not in drop}
        series.append((metric, labels, busy * factor))
        if memory:
            series.append(("DCGM_FI_DEV_FB_USED", labels, 1000 + busy * 500))
            series.append(("DCGM_FI_DEV_FB_FREE", labels, 80000 - busy * 500))
    return series


def smi(values_in_percent=False):
    """nvidia_gpu_exporter: the UUID without its prefix, no pod, the model in an info series."""
    series = []
    for device, (node, index, _, busy) in DEVICES.items():
        scrape = {"job": "nvidia-smi", "instance": f"{NODES[node]}:9835"}
        labels = {"uuid": uuid(device)[4:], **scrape}
        series.append(("nvidia_smi_gpu_info", {**labels, "index": str(index), "name": "NVIDIA A100-SXM4-80GB", "driver_version": "550"}, 1))
        series.append(("nvidia_smi_utilization_gpu_ratio", labels, busy if values_in_percent else busy / 100))
        series.append(("nvidia_smi_memory_used_bytes", labels, (1000 + busy * 500) << 20))
        series.append(("nvidia_smi_memory_total_bytes", labels, 81000 << 20))
        series.append(("nvidia_smi_power_draw_watts", labels, 60 + busy * 3))
    return series


def amd(prefix="amd_", partitions=1):
    """AMD device-metrics-exporter with pod labels; partitions other than 0 report zeros."""
    series = []
    for device, (node, index, pod, busy) in DEVICES.items():
        for part in range(partitions):
            held = {"namespace": PODS[pod][0], "pod": pod, "container": "main"} if pod else {}
            labels = {"gpu_id": str(index), "serial_number": f"6924{device}", "card_model": "AMD Instinct MI300X", "hostname": NODES[node],
                      "gpu_partition_id": str(part), "job": "amd", "instance": f"10.0.0.{node + 1}:5000", **held}
            series.append((prefix + "gpu_gfx_activity", labels, 0 if part else busy))
            series.append((prefix + "gpu_used_vram", labels, 0 if part else 1000 + busy * 500))
            series.append((prefix + "gpu_total_vram", labels, 196000))
            series.append((prefix + "gpu_package_power", labels, 0 if part else 100 + busy * 5))
    for node in range(len(NODES)):
        series.append((prefix + "gpu_nodes_total", {"hostname": NODES[node], "job": "amd", "instance": f"10.0.0.{node + 1}:5000"}, 2))
    return series


def kube(resource="nvidia_com_gpu", honor=True, team_label="label_team", node_labels=True, requests="kube_pod_container_resource_requests",
         phases=True, instance_type="p4de.24xlarge"):
    """kube-state-metrics. requests=None: the pods hold their devices by resource claims, which no metric counts."""
    scrape = {"job": "kube-state-metrics", "instance": "10.0.0.9:8080"}

    def named(**labels):
        if honor:
            return {**scrape, **labels}
        own = {"namespace": "monitoring", "pod": "ksm-1", "container": "ksm"}
        return {**scrape, **own, **{(f"exported_{name}" if name in own else name): value for name, value in labels.items()}}
    series = []
    node_of = {pod: NODES[node] for node, _, pod, _ in DEVICES.values() if pod}
    for number, node in enumerate(NODES, 1):
        series.append(("kube_node_info", {**scrape, "node": node, "provider_id": f"aws:///us-east-1a/i-{number}",
                                          "internal_ip": f"10.0.0.{number}"}, 1))
        series.append(("kube_node_status_capacity", {**scrape, "node": node, "resource": resource, "unit": "integer"}, 2))
        # Network devices of the same vendor are not GPUs.
        series.append(("kube_node_status_capacity", {**scrape, "node": node, "resource": "nvidia_com_hostdev", "unit": "integer"}, 8))
        if node_labels:
            series.append(("kube_node_labels", {**scrape, "node": node, "label_node_kubernetes_io_instance_type": instance_type}, 1))
    everyone = {**{pod: (space, team, f"uid-{pod}") for pod, (space, team) in PODS.items()}, EXPORTER["pod"]: ("monitoring", "", "uid-x")}
    for pod, (space, team, uid) in everyone.items():
        who = named(namespace=space, pod=pod, uid=uid)
        series.append(("kube_pod_info", {**who, "node": node_of.get(pod, NODES[0])}, 1))
        if phases:
            series.append(("kube_pod_status_phase", {**who, "phase": "Running"}, 1))
        series.append(("kube_pod_labels", {**who, **({team_label: team} if team_label and team else {})}, 1))
        series.append(("kube_pod_owner", {**who, "owner_kind": "ReplicaSet", "owner_name": f"{pod}-rs", "owner_is_controller": "true"}, 1))
        if requests and team:
            holds = {**named(namespace=space, pod=pod, uid=uid, container="main"), "node": node_of[pod], "resource": resource, "unit": "integer"}
            series.append((requests, holds, 1))
        # Every pod requests some CPU.
        series.append(("kube_pod_container_resource_requests", {**named(namespace=space, pod=pod, uid=uid, container="main"),
                                                                "node": node_of.get(pod, NODES[0]), "resource": "cpu", "unit": "core"}, 1))
        series.append(("kube_replicaset_owner", {**named(namespace=space, replicaset=f"{pod}-rs"), "owner_kind": "Deployment", "owner_name": pod}, 1))
    return series
