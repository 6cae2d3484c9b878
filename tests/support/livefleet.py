# SPDX-License-Identifier: GPL-3.0-or-later
"""GPUs at the present moment, for tests of the queries right before a stop: a real Prometheus, VictoriaMetrics or Thanos whose past was
written into its files and which scrapes an exporter from then on, or whose files extend into the future with samples at chosen seconds; and
a Kubernetes API server, the real one if GPULEDGER_APISERVER names its program (realkube.py), otherwise kubeserver.py.

    with Kube() as kube, Telemetry(pods, ...) as telemetry: ...
"""
import http.client
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]

import kubefleet  # noqa: E402
import promserver  # noqa: E402
import thanos  # noqa: E402

PAST = 45 * 60  # seconds of history
STATE = 30  # seconds between two scrapes of kube-state-metrics
KSM = {"job": "kube-state-metrics", "instance": "10.0.0.9:8080"}
SPACE, LABELS = "ml", {"app": "live"}
PATHS = {"Namespace": "/api/v1/namespaces", "Pod": f"/api/v1/namespaces/{SPACE}/pods",
         "Deployment": f"/apis/apps/v1/namespaces/{SPACE}/deployments", "ReplicaSet": f"/apis/apps/v1/namespaces/{SPACE}/replicasets"}
RESOURCES = {"gpu": "nvidia.com/gpu", "mig": "nvidia.com/mig-1g.10gb"}


class Pod:
    """A pod of a Deployment of the same name. `gpus`: whole devices that it holds; `mig`: one slice of a device instead. `level(second)`:
    the activity of its last device at that time, 0 to 1; the others are at rest."""

    def __init__(self, name, gpus=1, mig=False, interval=5, phase=0, level=None, job="dcgm"):
        self.name, self.gpus, self.mig, self.interval, self.phase = name, gpus, mig, interval, phase
        self.level = level or (lambda second: 0.0)
        self.job, self.uid = job, "uid-" + name

    @property
    def resource(self):
        return RESOURCES["mig" if self.mig else "gpu"]

    def device(self, number):
        base = {"UUID": f"GPU-{self.name}-{number}", "gpu": str(number), "device": f"nvidia{number}", "modelName": "NVIDIA H100 80GB HBM3",
                "Hostname": "node-" + self.name, "instance": "node-" + self.name + ":9400", "job": self.job}
        return base, {"namespace": SPACE, "pod": self.name, "container": "main"}

    def activity(self, second):
        """(metric, labels, value) of dcgm-exporter."""
        level = self.level(second)
        if self.mig:
            base, held = self.device(0)
            metric = "DCGM_FI_PROF_GR_ENGINE_ACTIVE"
            yield metric, base, round(level / 7, 6)
            yield metric, {**base, "GPU_I_PROFILE": "1g.10gb", "GPU_I_ID": "9", **held}, round(level, 6)
            yield metric, {**base, "GPU_I_PROFILE": "1g.10gb", "GPU_I_ID": "10"}, 0
            return
        for number in range(self.gpus):
            base, held = self.device(number)
            yield "DCGM_FI_DEV_GPU_UTIL", {**base, **held}, round(100 * level) if number == self.gpus - 1 else 0

    def state(self):
        """(metric, labels, value) of kube-state-metrics."""
        node, resource = "node-" + self.name, self.resource.replace("/", "_").replace(".", "_").replace("-", "_")
        yield "kube_node_info", {**KSM, "node": node, "internal_ip": "10.0.0.1"}, 1
        yield "kube_node_status_capacity", {**KSM, "node": node, "resource": resource, "unit": "integer"}, 7 if self.mig else 8
        who = {**KSM, "namespace": SPACE, "pod": self.name, "uid": self.uid}
        yield "kube_pod_info", {**who, "node": node}, 1
        yield "kube_pod_status_phase", {**who, "phase": "Running"}, 1
        yield "kube_pod_labels", {**who, "label_team": "vision"}, 1
        yield "kube_pod_owner", {**who, "owner_kind": "ReplicaSet", "owner_name": self.name + "-1", "owner_is_controller": "true"}, 1
        yield ("kube_pod_container_resource_requests",
               {**who, "container": "main", "node": node, "resource": resource, "unit": "integer"}, self.gpus)


def line(metric, labels, value, second=None):
    text = metric + "{" + ",".join(f'{name}="{value}"' for name, value in labels.items()) + f"}} {value}"
    return text if second is None else f"{text} {second}"


def exposed(told):
    return "".join(line(*one) + "\n" for one in told)


def history(pods, begin, end):
    """OpenMetrics from `begin` to `end`; the devices of each pod have samples at seconds of their own."""
    families = {}

    def add(metric, labels, value, second):
        families.setdefault(metric, {}).setdefault(tuple(labels.items()), []).append((second, value))
    for pod in pods:
        for second in range(begin + (pod.phase - begin) % pod.interval, end, pod.interval):
            for metric, labels, value in pod.activity(second):
                add(metric, labels, value, second)
        for second in range(begin, end, STATE):
            for metric, labels, value in pod.state():
                add(metric, labels, value, second)
    out = []
    for metric, series in families.items():
        out.append(f"# TYPE {metric} gauge")
        for labels, samples in series.items():
            begun = metric + "{" + ",".join(f'{name}="{value}"' for name, value in labels) + "} "
            out += [f"{begun}{value} {second}" for second, value in samples]
    return "\n".join(out) + "\n# EOF\n"


class Scraping(promserver.Server):
    """The scrape configuration of targets, {name: (path, seconds)}, at 127.0.0.1:`exporter`. `labels`: what Thanos adds to each series of
    this server."""

    def __init__(self, folder, backend, chunks, targets, exporter, labels=None):
        super().__init__(folder, backend, chunks, 60)
        self.targets, self.exporter, self.labels = targets, exporter, labels or {}

    def _command(self, port):
        command = super()._command(port)
        config = os.path.join(self.folder, "prometheus.yml")
        if self.backend == "victoriametrics":
            command.append("-promscrape.config=" + config)
        jobs = [{"job_name": name, "metrics_path": path, "honor_labels": True, "scrape_interval": f"{seconds}s", "scrape_timeout": "1s",
                 "static_configs": [{"targets": [f"127.0.0.1:{self.exporter}"]}]} for name, (path, seconds) in self.targets.items()]
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"global": {"scrape_interval": "60s", "external_labels": self.labels}, "scrape_configs": jobs}, file)
        return command


class Exporter:
    """The present activity of the pods, at /dcgm and /state, and of every second pod at /dcgm/0, /dcgm/1 and so on; fails while
    `is_gone`."""

    def __init__(self, pods):
        self.pods, self.is_gone = pods, False
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                what, _, part = self.path[1:].partition("/")
                if outer.is_gone and what == "dcgm":
                    return self.send_error(503)
                now = time.time()
                pods = outer.pods[int(part)::2] if part else outer.pods
                told = [one for pod in pods for one in (pod.activity(now) if what == "dcgm" else pod.state())]
                told.sort(key=lambda one: one[0])
                body = exposed(told).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.1,), daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(10)


class Telemetry:
    """A Prometheus or VictoriaMetrics over the pods' past. `scrapes`: it also scrapes them, at this interval; otherwise its data extend
    `ahead` seconds into the future."""

    def __init__(self, pods, scrapes=0, ahead=0, backend="prometheus"):
        self.pods, self.scrapes, self.ahead, self.backend, self.exporter = pods, scrapes, ahead, backend, None

    def __enter__(self):
        self.kept = tempfile.TemporaryDirectory(prefix="gpuledgerlive")
        self.begun, self.servers = int(time.time()), []
        if self.scrapes:
            self.exporter = Exporter(self.pods)
        try:
            self.url = self._start()
            limit = time.monotonic() + 60
            # The first scrape comes seconds after the start.
            while self.scrapes and len(self.ask('up{job="dcgm"} == 1')) < len(self.servers):
                if time.monotonic() > limit:
                    raise RuntimeError("the exporter is not scraped")
                time.sleep(0.2)
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self):
        return self._serve(self.kept.name, self.pods)

    def _serve(self, folder, pods, part="", labels=None):
        """Starts a server over these pods' past; returns its URL."""
        chunks = [history(pods, self.begun - PAST, self.begun + self.ahead)]
        if self.scrapes:
            targets = {"dcgm": ("/dcgm" + part, self.scrapes), "kube-state-metrics": ("/state" + part, STATE)}
            server = Scraping(folder, self.backend, chunks, targets, self.exporter.port, labels)
        else:
            server = promserver.Server(folder, self.backend, chunks, 60)
        self.servers.append(server)
        return server.start()

    def __exit__(self, *_):
        for server in self.servers:
            server.stop()
        if self.exporter:
            self.exporter.close()
        self.kept.cleanup()

    def ask(self, expression):
        """The server's answer to the expression now, [(labels, value)]."""
        # Otherwise VictoriaMetrics hides the last 30 s.
        url = self.url + "/api/v1/query?" + urllib.parse.urlencode({"query": expression, "nocache": 1})
        with promserver.NO_PROXY.open(url, timeout=20) as reply:
            return [(one["metric"], float(one["value"][1])) for one in json.load(reply)["data"]["result"]]

    def newest(self, pod):
        """(second, share) of the newest sample of the pod's last device."""
        name = "DCGM_FI_PROF_GR_ENGINE_ACTIVE" if pod.mig else "DCGM_FI_DEV_GPU_UTIL"
        series = name + '{pod="%s",gpu="%d"}' % (pod.name, 0 if pod.mig else pod.gpus - 1)
        at, value = self.ask(f"timestamp({series})"), self.ask(series)
        return (at[0][1], value[0][1] * (1 if pod.mig else 0.01)) if at and value else (0, 0)


class ThanosTelemetry(Telemetry):
    """Two Prometheus servers, each with every second pod and a sidecar, behind one querier, which receives all queries."""

    def _start(self):
        self.peers = []
        for part in ("0", "1"):
            folder = os.path.join(self.kept.name, part)
            os.mkdir(folder)
            url = self._serve(folder, self.pods[int(part)::2], "/" + part, {"part": part})
            self._peer("sidecar", f"--prometheus.url={url}", f"--tsdb.path={folder}/data")
        self._peer("query", "--store.unhealthy-timeout=12s", *[f"--endpoint=127.0.0.1:{sidecar.grpc}" for sidecar in self.peers])
        limit = time.monotonic() + 60
        while not self.is_whole():
            if time.monotonic() > limit:
                raise RuntimeError("Thanos does not show both of its stores")
            time.sleep(0.2)
        return self.peers[-1].url

    def _peer(self, *arguments):
        self.peers.append(thanos.Peer(os.path.join(self.kept.name, f"thanos-{len(self.peers)}.log"), *arguments))

    def is_whole(self):
        return self.parts() == 2

    def parts(self):
        """How many of the two the querier shows; 0 if it refuses."""
        self.url = self.peers[-1].url
        try:
            return len(self.ask("count by (part) (kube_pod_info)"))
        except OSError:
            return 0

    def lose(self, part):
        """Stops the sidecar of this part."""
        self.peers[part].end()

    def __exit__(self, *_):
        for peer in self.peers:
            peer.end()
        super().__exit__()


class Kube:
    """Deployments with a pod each. At 0 replicas the pod ends: the fake server simulates that itself, for the real one this object does."""

    def __init__(self):
        named = os.environ.get("GPULEDGER_APISERVER", "")
        self.is_real = named == "1" or os.path.isfile(named)
        self.known, self.delay, self.ended, self.connections = [], 0.2, set(), []

    def __enter__(self):
        self.kept = tempfile.TemporaryDirectory(prefix="gpuledgerkube")
        self.kubeconfig = os.path.join(self.kept.name, "kubeconfig")
        if not self.is_real:
            self.fake = kubefleet.ApiServer().__enter__()
            self._login({"server": self.fake.url}, {})
            return self
        self.process = subprocess.Popen([sys.executable, str(HERE / "realkube.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        told = self.process.stdout.readline()
        if not told.startswith("{"):
            self._end()
            raise RuntimeError("kube-apiserver: " + told)
        told = json.loads(told)
        authority = os.path.join(told["folder"], "ca.pem")
        self.port, self.context, self.local = told["port"], ssl.create_default_context(cafile=authority), threading.local()
        self._login({"server": f"https://127.0.0.1:{self.port}", "certificate-authority": authority}, {"token": "admin-canary"})
        self.ask("POST", PATHS["Namespace"], {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SPACE}})
        self.is_over = threading.Event()
        self.controller = threading.Thread(target=self._control, daemon=True)
        self.controller.start()
        return self

    def __exit__(self, *_):
        if self.is_real:
            self.is_over.set()
            self.controller.join(30)
            for connection in self.connections:
                connection.close()
            self._end()
        else:
            self.fake.__exit__()
        self.kept.cleanup()

    def _end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(60)

    def _login(self, cluster, user):
        text = {"apiVersion": "v1", "kind": "Config", "current-context": "main", "clusters": [{"name": "c", "cluster": cluster}],
                "contexts": [{"name": "main", "context": {"cluster": "c", "user": "u"}}], "users": [{"name": "u", "user": user}]}
        with open(self.kubeconfig, "w", encoding="utf-8") as file:
            json.dump(text, file)
        os.chmod(self.kubeconfig, 0o600)

    def ask(self, method, path, body=None):
        headers = {"Authorization": "Bearer admin-canary", "Content-Type": "application/json"}
        for connection in (getattr(self.local, "connection", None), None):  # the server closes connections that were idle for long
            if not connection:
                connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=self.context)
                self.connections.append(connection)
            try:
                connection.request(method, path, None if body is None else json.dumps(body), headers)
                answer = connection.getresponse()
            except (http.client.RemoteDisconnected, ConnectionError):
                connection.close()
                self.local.connection = None
                continue
            self.local.connection = connection
            break
        else:
            raise RuntimeError(f"{method} {path}: no answer")
        text = answer.read()
        if answer.status not in (200, 201, 202, 404):
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:500]}")
        return json.loads(text)

    def put(self, thing):
        if not self.is_real:
            return self.fake.steer("put", thing)
        made = self.ask("POST", PATHS[thing["kind"]], thing)
        if "status" in thing:
            made = self.ask("PUT", f"{PATHS[thing['kind']]}/{made['metadata']['name']}/status", {**made, "status": thing["status"]})
        return made

    def add(self, pod):
        """Adds its Deployment, ReplicaSet and pod; the pod gets the uid from the server."""
        def owned(version, kind, name, spec, owner=None, **more):
            meta = {"name": name, "namespace": SPACE, "labels": {**LABELS, "team": "vision"}}
            if owner:
                meta["ownerReferences"] = [{"apiVersion": "apps/v1", "kind": owner["kind"], "name": owner["metadata"]["name"],
                                            "uid": owner["metadata"]["uid"], "controller": True}]
            return self.put({"apiVersion": version, "kind": kind, "metadata": meta, "spec": spec, **more})
        container = {"name": "main", "image": "registry.example.org/train:1", "resources": {"limits": {pod.resource: str(pod.gpus)}}}
        template = {"metadata": {"labels": LABELS}, "spec": {"containers": [container]}}
        spec = {"replicas": 1, "selector": {"matchLabels": LABELS}, "template": template}
        top = owned("apps/v1", "Deployment", pod.name, spec)
        between = owned("apps/v1", "ReplicaSet", pod.name + "-1", spec, top)
        made = owned("v1", "Pod", pod.name, {"nodeName": "node-" + pod.name, "containers": [container]}, between,
                     status={"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]})
        pod.uid = made["metadata"]["uid"]
        self.known.append(pod.name)

    def set_delay(self, seconds):
        """Sets the time that a pod takes to end."""
        self.delay = seconds
        if not self.is_real:
            self.fake.flags(delay=seconds)

    def replicas(self, name):
        if not self.is_real:
            return self.fake.steer("object", ["apps", "deployments", SPACE, name])["spec"]["replicas"]
        return self.ask("GET", f"{PATHS['Deployment']}/{name}")["spec"]["replicas"]

    def stopped(self):
        """Names of all Deployments without replicas, as an independent client sees them."""
        if not self.is_real:
            return {name for name in self.known if self.replicas(name) == 0}
        return {one["metadata"]["name"] for one in self.ask("GET", PATHS["Deployment"])["items"] if one["spec"]["replicas"] == 0}

    def _control(self):
        since = {}
        while not self.is_over.wait(0.5):
            for name in self.stopped() - self.ended:
                if time.monotonic() - since.setdefault(name, time.monotonic()) >= self.delay:
                    self.ask("DELETE", f"{PATHS['Pod']}/{name}", {"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0})
                    self.ended.add(name)
