# SPDX-License-Identifier: GPL-3.0-or-later
"""CoreWeave's managed Grafana on a loopback port, in front of a real Prometheus: `Metric` has the samples of nodes that Prometheus gets, and says what
its answers must be; `Grafana` is the proxy of the data source, which lets nobody in without the token and passes questions on. CoreWeave publishes
no API, and there is no public peer: names of the metric and its labels are those of its page on usage monitoring, refusals are those of Grafana."""
import bisect
import collections
import csv
import datetime
import fractions
import io
import json
import urllib.error
import urllib.parse

from keyedserver import KeyedServer
from promserver import NO_PROXY

KEY = "canary-grafana_TOKEN"
PROXY = "/api/datasources/proxy/uid/abc"
METRIC, TYPE = "billing:instance:total", "label_node_kubernetes_io_instance_type"
QUERY = f"sum by (cluster, {TYPE}) ({METRIC})"
GPU, BIG, CPU = "gd-8xh100ib-i128", "b200-8x", "cd-gp-a192-genoa"
STEP = 300  # seconds between two points of an answer
EVERY, OFFSET, LOOKBACK = 60, 17, 59  # seconds: samples are recorded 17 s after each minute, so that no point meets one
DAY = 86400


def seconds(text):
    time = datetime.datetime.fromisoformat(text.replace("Z", ""))
    return int(time.replace(tzinfo=datetime.timezone.utc).timestamp())


def moment(text):
    """The second that a question names."""
    return int(text) if text.isdigit() else seconds(text)


def day_of(time):
    return str(datetime.datetime.fromtimestamp(time, datetime.timezone.utc).date())


def days(first, last):
    """The days of [first, last)."""
    return [day_of(time) for time in range(seconds(first), seconds(last), DAY)]


class Metric:
    """How many nodes were recorded: by labels, then by time."""

    def __init__(self):
        self.series = {}

    def run(self, since, until, nodes, cluster="west", kind=GPU, org="acme", **labels):
        """So many nodes in [since, until), in place of what was recorded for these labels before. A label that is None is absent."""
        named = {"cluster": cluster, "cluster_org": org, TYPE: kind, **labels}
        samples = self.series.setdefault(tuple(sorted((name, value) for name, value in named.items() if value is not None)), {})
        begin = seconds(since)
        for time in range(begin + (OFFSET - begin) % EVERY, seconds(until), EVERY):
            samples[time] = nodes
        return self

    def without(self, since, until):
        """The same, but for what was recorded in [since, until)."""
        other = Metric()
        other.series = {labels: {time: nodes for time, nodes in samples.items() if not seconds(since) <= time < seconds(until)} for labels, samples in self.series.items()}
        return other

    def chunks(self):
        """OpenMetrics, one text for each day."""
        texts = collections.defaultdict(list)
        for labels, samples in self.series.items():
            shown = ",".join(f"{name}={quoted(value)}" for name, value in labels)
            for time in sorted(samples):
                texts[time // DAY].append(f"{METRIC}{{{shown}}} {samples[time]} {time}\n")
        for _, lines in sorted(texts.items()):
            yield f"# TYPE {METRIC} gauge\n" + "".join(lines) + "# EOF\n"

    def points(self, day):
        """{(cluster, type): {time: nodes}}: at each point the last sample of each series in the look-back, summed."""
        out = collections.defaultdict(dict)
        for labels, samples in self.series.items():
            named, times = dict(labels), sorted(samples)
            kind = tuple(named.get(name, "") for name in ("cluster", TYPE))
            for point in range(seconds(day), seconds(day) + DAY, STEP):
                last = bisect.bisect_right(times, point) - 1
                if last >= 0 and times[last] >= point - LOOKBACK:
                    out[kind][point] = out[kind].get(point, 0) + samples[times[last]]
        return dict(out)

    def missing(self, day):
        """Seconds of the day at whose points nothing was recorded."""
        return DAY - STEP * len({point for points in self.points(day).values() for point in points})


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


Rate = collections.namedtuple("Rate", "machine gpus per_hour since currency", defaults=("", "USD"))


def card(rates):
    """A rate card as a file has it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("machine", "gpus", "currency", "per_hour", "from"))
    writer.writerows((rate.machine, rate.gpus, rate.currency, rate.per_hour, rate.since) for rate in rates)
    return out.getvalue()


def rate_of(rates, kind, day):
    return max((rate for rate in rates if rate.machine == kind and rate.since <= day), key=lambda rate: rate.since, default=None)


Line = collections.namedtuple("Line", "day cluster kind hours rate nanos")  # `nanos`: what it costs; None without a price


def lines(metric, rates, day):
    """What a day costs, in exact numbers: the price times the time of nodes, rounded once, half up."""
    for (cluster, kind), points in metric.points(day).items():
        hours = fractions.Fraction(STEP * sum(points.values()), 3600)
        rate = rate_of(rates, kind, day)
        if hours:
            yield Line(day, cluster, kind, hours, rate, rate and int(hours * fractions.Fraction(rate.per_hour) * 10 ** 9 + fractions.Fraction(1, 2)))


def refused(status, message="said so", headers=None):
    """An error as Grafana has it."""
    return status, json.dumps({"message": message, "messageId": "", "statusCode": status, "traceID": ""}).encode(), headers or {}


def matrix(day, values, kind=GPU, more=None, begin=0):
    """An answer that never was at Prometheus: these texts as values, one for each point from `begin` seconds after the start of the day."""
    samples = [[seconds(day) + begin + at * STEP, value] for at, value in enumerate(values)]
    one = {"metric": {"cluster": "west", "cluster_org": "acme", TYPE: kind}, "values": samples}
    return 200, json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [one]}, **(more or {})}).encode(), {}


class Grafana(KeyedServer):
    """`upstream` is the address of Prometheus, `warnings` are added to its answers, `tail` to the address that the program is given."""

    def __init__(self, upstream):
        super().__init__(KEY)
        self.upstream, self.warnings, self.tail = upstream, [], ""

    def url(self):
        return super().url() + PROXY + self.tail

    def refusal(self, status, words):
        message = {401: f"Invalid API key ({words})", 403: "You'll need additional permissions to perform this action. Permissions needed: datasources:query"}
        return refused(status, message.get(status, words))

    def days(self):
        """The days that were asked for, in order."""
        return [day_of(moment(query["start"])) for path, query in self.asked if path.endswith("/query_range")]

    def answer(self, path, query):
        if not path.startswith(PROXY + "/api/v1/"):
            return refused(404, "Not found")
        try:
            with NO_PROXY.open(f"{self.upstream}{path[len(PROXY):]}?{urllib.parse.urlencode(query)}", timeout=60) as told:
                status, body = told.status, told.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        if self.warnings:
            body = json.dumps({**json.loads(body), "warnings": self.warnings}).encode()
        return status, body, {}
