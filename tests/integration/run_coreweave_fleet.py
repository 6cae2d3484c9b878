#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who pays for estimated nodes at CoreWeave: one real Prometheus has both the number of nodes and the telemetry of two Kubernetes clusters. A line names a
type and a cluster but no node, so it is spread over the GPUs that telemetry saw; nothing of it gets lost, and nothing is charged to GPUs that nobody counted.
Without prometheus and promtool it is skipped (77)."""
import collections
import decimal
import fractions
import json
import os
import sys
import typing
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import promserver  # noqa: E402
from coreweave import EVERY, KEY, Grafana, Metric, Rate, card, lines, quoted, seconds  # noqa: E402
from product import ProductTest, Program, configuration  # noqa: E402

Decimal = decimal.Decimal
SKIPPED = 77
TODAY, TOMORROW, NOW = "2026-11-01", "2026-11-02", "2026-11-02T06:00:00Z"
BEGIN = seconds(TODAY)
HALF = ("2026-11-01T05:00:00", "2026-11-01T17:00:00")  # of a day
H100, B200, CPU = "gd-2xh100", "b200-2x", "cd-gp-a192-genoa"
RATES = (Rate(H100, 2, "12.31"), Rate(B200, 2, "17.199975"), Rate(CPU, 0, "7.78"))
MARGIN = 1  # hours of telemetry before and after the day
LABEL, OWNERS = "owners: [ { label: team }, { default: unowned } ]\n", "owners: [ { label: team }, { cloud_tag: cluster } ]\n"
KSM = {"job": "kube-state-metrics", "instance": "10.0.0.9:8080"}


class Pod(typing.NamedTuple):
    """Holds one GPU in these hours of the day, and works until `busy`. `team` is a label."""
    team: str
    since: int = -MARGIN
    until: int = 24 + MARGIN
    busy: int = 24 + MARGIN


class Node(typing.NamedTuple):
    """A node with two GPUs. `pods`: for each of them the pod that holds it, or None; `seen`: of how many there is telemetry."""
    cluster: str
    name: str
    pods: tuple = (None, None)
    kind: str = H100
    provider: str = ""
    seen: int = 2


def series(node):
    """(metric, labels, value, first hour, last hour) of dcgm-exporter and kube-state-metrics."""
    always = (-MARGIN, 24 + MARGIN)
    own = {"cluster": node.cluster, **KSM, "node": node.name}
    yield "kube_node_info", {**own, "provider_id": node.provider}, 1, *always
    yield "kube_node_labels", {**own, "label_node_kubernetes_io_instance_type": node.kind}, 1, *always
    yield "kube_node_status_capacity", {**own, "resource": "nvidia_com_gpu", "unit": "integer"}, 2, *always
    for number, pod in enumerate(node.pods[:node.seen]):
        device = {"cluster": node.cluster, "UUID": f"GPU-{node.cluster}-{node.name}-{number}", "gpu": str(number), "device": f"nvidia{number}",
                  "modelName": "NVIDIA H100 80GB HBM3", "Hostname": node.name, "instance": node.name + ":9400", "job": "dcgm"}
        if not pod:
            yield "DCGM_FI_DEV_GPU_UTIL", device, 0, *always
            continue
        name = f"{node.name}-{number}"
        who = {"namespace": "ml", "pod": name}
        times = ((always[0], pod.since, None, 0), (pod.since, min(pod.busy, pod.until), who, 90), (pod.busy, pod.until, who, 0), (pod.until, always[1], None, 0))
        for first, last, held, value in times:
            yield "DCGM_FI_DEV_GPU_UTIL", {**device, **({**held, "container": "main"} if held else {})}, value, first, last
        state = {**KSM, "cluster": node.cluster, **who, "uid": f"uid-{node.cluster}-{name}"}
        for metric, more in (("kube_pod_info", {"node": node.name}), ("kube_pod_status_phase", {"phase": "Running"}), ("kube_pod_labels", {"label_team": pod.team}),
                             ("kube_pod_container_resource_requests", {"container": "main", "node": node.name, "resource": "nvidia_com_gpu", "unit": "integer"})):
            yield metric, {**state, **more}, 1, pod.since, pod.until


def telemetry(nodes):
    """OpenMetrics, a sample every minute."""
    families = collections.defaultdict(list)
    for node in nodes:
        for metric, labels, value, first, last in series(node):
            shown = ",".join(f"{name}={quoted(text)}" for name, text in labels.items() if text)
            families[metric] += [f"{metric}{{{shown}}} {value} {time}\n" for time in range(BEGIN + first * 3600, BEGIN + last * 3600, EVERY)]
    return "".join(f"# TYPE {metric} gauge\n" + "".join(rows) for metric, rows in families.items()) + "# EOF\n"


def counted(**clusters):
    """So many nodes with H100 for all of the day; a pair is the number and the type."""
    metric = Metric()
    for name, nodes in clusters.items():
        number, kind = nodes if isinstance(nodes, tuple) else (nodes, H100)
        metric.run("2026-10-31T23:00:00", "2026-11-02T06:00:00", number, cluster=name, kind=kind)
    return metric


def price(nodes, rates=RATES, kind=H100):
    """What so many nodes cost for all of the day."""
    per_hour, = [rate.per_hour for rate in rates if rate.machine == kind]
    return fractions.Fraction(per_hour) * 24 * nodes


class FleetTest(ProductTest):
    def serve(self, nodes, metric):
        """The program after a sync, with telemetry and the estimate as two sources of one Prometheus."""
        self.url = self.enterContext(promserver.Server(os.path.join(self.folder, "prometheus"), "prometheus", [*metric.chunks(), telemetry(nodes)], EVERY))
        self.server, self.metric = Grafana(self.url), metric
        self.addCleanup(self.server.close)
        self.write(RATES)
        program = Program(self.folder, self.configuration(LABEL))
        program.environment.update(BILL_KEY=KEY)
        self.sync(program)
        return program

    def configuration(self, owners):
        return configuration(
            f"  - {{ name: prom, kind: prometheus, url: \"{self.url}\", cluster: {{ label: cluster }}, first_sync: 31h }}\n",
            f"  - {{ name: bill, kind: coreweave, url: \"{self.server.url()}\", first_sync: 1h, auth: {{ type: bearer, token: env:BILL_KEY }}, path: rates.csv }}\n") + owners

    def write(self, rates):
        with open(os.path.join(self.folder, "rates.csv"), "w", encoding="utf-8", newline="") as file:
            file.write(card(rates))

    def sync(self, program, *what):
        told = json.loads(program.healthy("sync", *what, "--json", now=NOW).stdout)["sources"]
        self.assertEqual([one["error"] for one in told], [None] * len(told), told)
        return {one["name"]: one for one in told}

    def estimate(self, rates=RATES, kind=None):
        """To the last digit, computed from what was counted."""
        return Decimal(sum(line.nanos or 0 for line in lines(self.metric, rates, TODAY) if kind in (None, line.kind))).scaleb(-9)

    def asked(self, program, *what):
        return json.loads(program.healthy(*what, "--from", TODAY, "--to", TOMORROW, "--json", now=NOW).stdout)

    def sums(self, program, by, **only):
        """{key: amount} of the rows that are on the bill."""
        names = [name.replace("-", "_") for name in by.split(",")]
        out = collections.Counter()
        for row in self.asked(program, "ledger", "--by", ",".join((by, "origin", *(name.replace("_", "-") for name in only))))["rows"]:
            if row["origin"] == "billed" and all(row[name] == value for name, value in only.items()):
                self.assertEqual(row["billed"], row["effective"])
                out[tuple(row[name] for name in names) if len(names) > 1 else row[names[0]]] += Decimal(row["billed"]["amount"])
        return {key: amount for key, amount in out.items() if amount}

    def assertSpread(self, got, want):
        """Each is the exact part of the amount, but for what rounding moves: less than a billionth for each part that it consists of."""
        self.assertEqual(set(got), set(want), (got, want))
        for key, amount in want.items():
            self.assertLess(abs(fractions.Fraction(got[key]) - amount), fractions.Fraction(10, 10 ** 9), (key, got[key], float(amount)))

    def assertNothingLost(self, program, rates=RATES):
        want = self.estimate(rates)
        self.assertGreater(want, 0)
        for by in ("team", "cluster,account", "state", "instance-type,category", "gpu-model,workload,match"):
            self.assertEqual(sum(self.sums(program, by).values()), want, by)
        bill, = self.asked(program, "ledger", "--by", "day")["currencies"]
        self.assertEqual([Decimal(bill[what]["amount"]) for what in ("bill", "ledger")], [want, want])
        done = program.healthy("reconcile", "--month", TODAY[:7], "--json", now=NOW)  # exit status 0: nothing differs, and nothing is unexplained
        self.assertIn(f"\"{want:.9f}\"", done.stdout.decode())
        program.verify(now=NOW)

    def test_each_team_pays_for_its_part_of_the_nodes(self):
        nodes = [Node("west", "n1", (Pod("vision"), Pod("speech", busy=12)), provider="coreweave://us-east-04/n1"),
                 Node("west", "n2", (Pod("vision", 6, 18), None)), Node("west", "n3", (Pod("vision"), Pod("robots")), B200)]
        metric = counted(west=2).run("2026-10-31T23:00:00", "2026-11-02T06:00:00", 1, kind=B200).run("2026-11-01T05:00:00", "2026-11-01T11:00:00", 3, kind=CPU)
        program = self.serve(nodes, metric)
        gpu = price(1) / 48  # of an H100 for an hour
        big = price(1, kind=B200) / 2
        self.assertSpread(self.sums(program, "team,state", instance_type=H100),
                          {("vision", "active"): gpu * 36, ("speech", "active"): gpu * 12, ("speech", "idle"): gpu * 12, ("shared", "unallocated"): gpu * 36})
        self.assertSpread(self.sums(program, "team,state", instance_type=B200), {("vision", "active"): big, ("robots", "active"): big})
        # Machines without GPUs are nobody's, and no team pays for them.
        self.assertEqual(self.sums(program, "team", category="compute"), {"unowned": self.estimate(kind=CPU)})
        self.assertEqual(self.sums(program, "match", category="gpu"), {"attributes": self.estimate(kind=H100) + self.estimate(kind=B200)})
        self.assertNothingLost(program)
        # What GPU time costs is the same in the summary.
        rows = {row["key"]: Decimal(row["cost"]["total"]["amount"]) for row in self.asked(program, "summary", "--by", "team")["rows"]}
        self.assertSpread(rows, {"vision": gpu * 36 + big, "speech": gpu * 24, "robots": big, "shared": gpu * 36})
        # Time that nobody held is that of the cluster, if its name is the owner.
        program.configure(self.configuration(OWNERS))
        self.sync(program)
        self.assertSpread(self.sums(program, "team", category="gpu"), {"vision": gpu * 36 + big, "speech": gpu * 24, "robots": big, "west": gpu * 36})
        self.assertNothingLost(program)

    def two_clusters(self):
        """Two nodes in one, and one of the same name in the other."""
        return [Node("west", "n1", (Pod("vision"), Pod("speech"))), Node("west", "n2", (Pod("vision"), None)), Node("east", "n1", (Pod("robots"), Pod("speech")))]

    def test_clusters_of_other_names_get_nothing(self):
        program = self.serve(self.two_clusters() + [Node("east", "n9", (Pod("robots"), None), B200)], counted(cks1=2).run(*HALF, 1, "cks2", H100))
        self.assertSpread(self.sums(program, "team,state"), {("unowned", "unobserved"): price(2) + price(1) / 2})
        self.assertSpread(self.sums(program, "account"), {"cks1": price(2), "cks2": price(1) / 2})
        self.assertEqual(set(self.sums(program, "instance-type")), {H100})
        self.assertNothingLost(program)

    def test_a_cluster_of_the_same_name_pays_for_its_nodes_alone(self):
        # Of the west there are two nodes too few and half of one; the east is seen all day but was counted for half of it, and gets nothing of the west's.
        nodes = [Node("west", "n1", (Pod("vision"), Pod("speech")), seen=1), Node("east", "n1", (Pod("robots"), Pod("speech"))), Node("east", "n2")]
        program = self.serve(nodes, counted(West=3, north=(1, B200)).run(*HALF, 2, "east", H100))
        gpu = price(1) / 2
        self.assertSpread(self.sums(program, "account,team,state", instance_type=H100),
                          {("West", "vision", "active"): gpu, ("West", "unowned", "unobserved"): gpu * 5, ("east", "robots", "active"): gpu / 2,
                           ("east", "speech", "active"): gpu / 2, ("east", "shared", "unallocated"): gpu})
        self.assertSpread(self.sums(program, "cluster", instance_type=H100, state="active"), {"west": gpu, "east": gpu})
        self.assertSpread(self.sums(program, "account,team,state", instance_type=B200), {("north", "unowned", "unobserved"): price(1, kind=B200)})
        hours = {(row["account"], row["state"]): row["gpu_hours"] for row in self.asked(program, "ledger", "--by", "account,state,origin")["rows"] if row["origin"] == "billed"}
        self.assertAlmostEqual(hours["West", "unobserved"], 5 * 24, 3)
        self.assertAlmostEqual(hours["north", "unobserved"], 2 * 24, 3)
        self.assertNothingLost(program)

    def test_counted_nodes_without_telemetry_keep_their_cost(self):
        # Three and two nodes are counted, also by two organizations; one of each cluster is seen, and costs no more than it does.
        nodes = [Node("west", "n1", (Pod("vision"), Pod("vision"))), Node("east", "n1", (Pod("robots"), Pod("robots")))]
        metric = counted(west=2, east=2).run("2026-10-31T23:00:00", "2026-11-02T06:00:00", 1, "west", H100, "other")
        program = self.serve(nodes, metric)
        self.assertNothingLost(program)
        self.assertSpread(self.sums(program, "team"), {"vision": price(1), "robots": price(1), "unowned": price(3)})

    def test_nodes_of_a_cluster_are_not_charged_again_for_another(self):
        # Both call the west and the east so, but not the south. Of the node with H100 that was counted in the east there is no telemetry.
        nodes = [Node("west", "n1", (Pod("vision"), Pod("vision"))), Node("south", "n1", (Pod("speech"), Pod("speech"))), Node("east", "n1", (Pod("robots"), Pod("robots")), B200)]
        program = self.serve(nodes, counted(west=1, cks2=1, east=1).run("2026-10-31T23:00:00", "2026-11-02T06:00:00", 1, "east", B200))
        self.assertNothingLost(program)
        for account, want in (("west", {"vision": price(1)}), ("east", {"robots": price(1, kind=B200), "unowned": price(1)}), ("cks2", {"unowned": price(1)})):
            with self.subTest(account):
                self.assertSpread(self.sums(program, "team", account=account), want)

    def test_nodes_of_another_cloud_get_nothing(self):
        nodes = [Node("west", "n1", (Pod("vision"), Pod("vision"))), Node("west", "n2", (Pod("speech"), None), provider="aws:///us-east-1a/i-0123456789abcdef0"),
                 Node("east", "n1", (Pod("robots"), Pod("robots")), provider="gce://project/us-central1-a/n1"), Node("east", "n2", (Pod("vision"), None), B200, "aws:///us-east-1a/i-1")]
        program = self.serve(nodes, counted(west=2, cks2=(1, B200)))
        # One node of the west and the one with B200 are among those that nobody saw.
        self.assertSpread(self.sums(program, "account,team"), {("west", "vision"): price(1), ("west", "unowned"): price(1), ("cks2", "unowned"): price(1, kind=B200)})
        self.assertNothingLost(program)
        hours = {(row["cloud"], row["team"]): row["gpu_hours"] for row in self.asked(program, "ledger", "--by", "cloud,team")["rows"]}
        self.assertEqual((hours["aws", "speech"], hours["gcp", "robots"]), (24, 48))

    def test_a_changed_price_changes_what_teams_pay_and_asks_nothing(self):
        program = self.serve(self.two_clusters(), counted(west=2, east=2))
        for rates in (RATES, (Rate(H100, 2, "3.000000007"),), (Rate(H100, 2, "12.31"), Rate(H100, 2, "24.62", TODAY)), (Rate(H100, 2, "12.31"), Rate(H100, 2, "99", TOMORROW)), RATES):
            self.write(rates)
            self.server.asked.clear()
            told = self.sync(program, "--source", "bill")
            self.assertEqual((self.server.asked, told["bill"]["rejected"]), ([], 0))
            held = next(rate for rate in reversed(rates) if rate.machine == H100 and rate.since <= TODAY)
            gpu = price(1, (held,)) / 2
            want = {"vision": gpu * 2, "speech": gpu * 2, "robots": gpu, "shared": gpu, "unowned": gpu * 2}
            self.assertSpread(self.sums(program, "team"), want)
            rows = {row["key"]: Decimal(row["cost"]["total"]["amount"]) for row in self.asked(program, "summary", "--by", "team")["rows"]}
            self.assertSpread(rows, {team: amount for team, amount in want.items() if team != "unowned"})
            self.assertNothingLost(program, rates)
        # Without a price there is no cost, and the GPU hours of the teams stay.
        self.write((Rate(CPU, 0, "1"),))
        self.assertEqual(self.sync(program, "--source", "bill")["bill"]["rejected"], 1)
        self.assertEqual(self.sums(program, "team"), {})
        self.assertEqual(sum(row["gpu_hours"] for row in self.asked(program, "ledger", "--by", "team")["rows"]), 6 * 24)


if __name__ == "__main__":
    if not promserver.available("prometheus"):
        print("skipped: no prometheus")
        sys.exit(SKIPPED)
    unittest.main()
