# SPDX-License-Identifier: GPL-3.0-or-later
"""GPUs that are held and idle for some hours of a day, as OpenMetrics for promserver.py.

    Held("train-0", team="vision", idle=(2, 6))              works but from 02:00 to 06:00
    Held("serve-0", team="speech", idle=(10, 14), gone=14)   its pod ends at 14:00
"""
import dataclasses
import datetime

STEP = 60
MODEL = "NVIDIA H100 80GB HBM3"
DAY = datetime.datetime(2025, 3, 29, tzinfo=datetime.timezone.utc)


def at(hour):
    """The time of `hour` hours after midnight, as --now takes it."""
    return (DAY + datetime.timedelta(hours=hour)).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclasses.dataclass
class Held:
    """A pod with one GPU. `team` is its namespace."""
    name: str
    team: str
    idle: tuple = ()
    gone: float = 48

    def activity(self, second):
        """In percent; None: the GPU has no holder."""
        hour = (second - DAY.timestamp()) / 3600
        if hour >= self.gone:
            return None
        return 0 if self.idle and self.idle[0] <= hour < self.idle[1] else 90


def quoted(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def series(name, labels):
    return name + "{" + ",".join(f'{key}="{quoted(str(value))}"' for key, value in labels.items()) + "}"


def samples(pods, begin, end):
    """From one hour of the day to another."""
    seconds = range(int(DAY.timestamp()) + begin * 3600, int(DAY.timestamp()) + end * 3600, STEP)
    lines = ["# TYPE DCGM_FI_DEV_GPU_UTIL gauge"]
    for number, pod in enumerate(pods):
        device = {"UUID": f"GPU-{number:08d}", "gpu": number, "Hostname": "n1", "modelName": MODEL, "instance": "n1:9400", "job": "dcgm"}
        told = {False: series("DCGM_FI_DEV_GPU_UTIL", {**device, "exported_namespace": pod.team, "exported_pod": pod.name}),
                True: series("DCGM_FI_DEV_GPU_UTIL", device)}
        for second in seconds:
            level = pod.activity(second)
            lines.append(f"{told[level is None]} {level or 0} {second}")
    lines.append("# TYPE kube_node_info gauge")
    lines += [f"{series('kube_node_info', {'node': 'n1', 'job': 'ksm'})} 1 {second}" for second in seconds]
    return "\n".join(lines) + "\n# EOF\n"
