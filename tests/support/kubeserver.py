# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake Kubernetes API server on a loopback port: objects with uid and resourceVersion, discovery, paging, JSON and merge patch, scale,
eviction, dry run, access reviews. It reproduces the traps of the real one: a DELETE with a body ignores ?dryRun=All, two disruption budgets
for one pod are an error 500 that did nothing, fields that a kind does not have are dropped with 200, continuing an expired list is a 410.
tests/unit/kubernetes/kubecontract.py holds it and the real server to the same answers. Controllers are simulated: pods of a stopped object
end a moment later, Kueue restores suspend. Started with --with-stdin it prints its port and ends when its input is closed. Tests control it
below /_test/."""
import argparse
import copy
import http.server
import json
import ssl
import sys
import threading
import time
import urllib.parse
import uuid

# group, versions (the preferred one first), plural, kind, namespaced, subresources
KINDS = [
    ("", ["v1"], "pods", "Pod", True, ["eviction", "status"]), ("", ["v1"], "nodes", "Node", False, []),
    ("", ["v1"], "namespaces", "Namespace", False, []),
    ("apps", ["v1"], "deployments", "Deployment", True, ["scale"]), ("apps", ["v1"], "replicasets", "ReplicaSet", True, ["scale"]),
    ("apps", ["v1"], "statefulsets", "StatefulSet", True, ["scale"]), ("apps", ["v1"], "daemonsets", "DaemonSet", True, []),
    ("argoproj.io", ["v1alpha1"], "rollouts", "Rollout", True, ["scale"]),
    ("argoproj.io", ["v1alpha1"], "workflows", "Workflow", True, []),
    ("batch", ["v1"], "jobs", "Job", True, ["status"]), ("batch", ["v1"], "cronjobs", "CronJob", True, []),
    ("kubeflow.org", ["v1", "v1beta1"], "notebooks", "Notebook", True, []),
    ("kubeflow.org", ["v1"], "pytorchjobs", "PyTorchJob", True, []), ("kubeflow.org", ["v1"], "tfjobs", "TFJob", True, []),
    ("kubeflow.org", ["v1"], "xgboostjobs", "XGBoostJob", True, []), ("kubeflow.org", ["v1"], "paddlejobs", "PaddleJob", True, []),
    ("kubeflow.org", ["v1"], "jaxjobs", "JAXJob", True, []), ("kubeflow.org", ["v2beta1"], "mpijobs", "MPIJob", True, []),
    ("serving.kserve.io", ["v1beta1"], "inferenceservices", "InferenceService", True, []),
    ("serving.knative.dev", ["v1"], "services", "Service", True, []),
    ("serving.knative.dev", ["v1"], "configurations", "Configuration", True, []),
    ("serving.knative.dev", ["v1"], "revisions", "Revision", True, []),
    ("kueue.x-k8s.io", ["v1beta1"], "workloads", "Workload", True, []), ("kueue.x-k8s.io", ["v1beta1"], "localqueues", "LocalQueue", True, []),
    ("ray.io", ["v1"], "rayclusters", "RayCluster", True, []), ("ray.io", ["v1"], "rayjobs", "RayJob", True, []),
    ("ray.io", ["v1"], "rayservices", "RayService", True, []),
    ("jobset.x-k8s.io", ["v1alpha2"], "jobsets", "JobSet", True, []),
    ("trainer.kubeflow.org", ["v1alpha1"], "trainjobs", "TrainJob", True, []),
    ("keda.sh", ["v1alpha1"], "scaledobjects", "ScaledObject", True, []),
    ("leaderworkerset.x-k8s.io", ["v1"], "leaderworkersets", "LeaderWorkerSet", True, ["scale"]),
    ("autoscaling", ["v2", "v1"], "horizontalpodautoscalers", "HorizontalPodAutoscaler", True, []),
    ("policy", ["v1"], "poddisruptionbudgets", "PodDisruptionBudget", True, []),
]
SUBRESOURCES = {"status": {}, "scale": {"group": "autoscaling", "version": "v1", "kind": "Scale"},
                "eviction": {"group": "policy", "version": "v1", "kind": "Eviction", "verbs": ["create"]}}
BUILT_IN = {"", "apps", "batch", "autoscaling", "policy"}


def status(code, reason, message, **details):
    body = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message, "reason": reason,
            "details": {k: v for k, v in details.items() if v}, "code": code}
    return code, body if reason else {k: v for k, v in body.items() if k not in ("reason", "details")}


def named(key):
    """The part of a Status about the object concerned."""
    return {"name": key[3], "group": key[0], "kind": key[1]}


def titled(key):
    return key[1] + ("." + key[0] if key[0] else "") + (f' "{key[3]}"' if key[3] else "")


NOT_FOUND = status(404, "NotFound", "the server could not find the requested resource")
BAD_PATCH = "the server rejected our request due to an error in our request"  # it does not say which test failed
MEDIA = "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml, application/apply-patch+cbor"


class Failure(Exception):
    def __init__(self, code, reason, message, **details):
        super().__init__(message)
        self.answer = status(code, reason, message, **details)


def walk(document, pointer):
    """(parent, last name) of a JSON pointer."""
    parts = [p.replace("~1", "/").replace("~0", "~") for p in pointer.split("/")[1:]]
    for part in parts[:-1]:
        if not isinstance(document, dict) or part not in document:
            raise Failure(422, "Invalid", BAD_PATCH)
        document = document[part]
    return document, parts[-1]


def json_patch(document, operations):
    document = copy.deepcopy(document)
    for op in operations:
        parent, name = walk(document, op["path"])
        if op["op"] == "test":
            if name not in parent or parent[name] != op["value"]:
                raise Failure(422, "Invalid", BAD_PATCH)
        elif op["op"] == "add":
            parent[name] = op["value"]
        elif name not in parent:
            raise Failure(422, "Invalid", BAD_PATCH)
        elif op["op"] == "remove":
            del parent[name]
        elif op["op"] == "replace":
            parent[name] = op["value"]
    return document


def merge_patch(document, patch):
    if not isinstance(patch, dict):
        return patch
    out = copy.deepcopy(document) if isinstance(document, dict) else {}
    for name, value in patch.items():
        if value is None:
            out.pop(name, None)
        else:
            out[name] = merge_patch(out.get(name), value)
    return out


def get(document, *path):
    for part in path:
        document = document.get(part) if isinstance(document, dict) else None
    return document


class Cluster:
    def __init__(self):
        self.lock = threading.RLock()
        self.objects, self.version, self.log = {}, 1000, []
        self.flags = {"delay": 0.2, "latency": 0, "denied": [], "drops": {}, "tokens": [], "faults": [], "oldServer": False, "missing": [],
                      "warning": "", "webhook": "", "compacted": 0, "keepPods": False, "powerless": [],
                      "versions": {}, "mostItems": 0}

    def served(self):
        told = self.flags["versions"]
        return [(k[0], told.get(k[0], k[1]), *k[2:]) for k in KINDS if k[3] not in self.flags["missing"] and k[0] not in self.flags["missing"]]

    def kind(self, group, plural):
        for k in self.served():
            if k[0] == group and k[2] == plural:
                return k
        return None

    def store(self, key, obj):
        self.version += 1
        obj["metadata"]["resourceVersion"] = str(self.version)
        self.objects[key] = obj

    def remove(self, key):
        self.version += 1
        del self.objects[key]

    def put(self, obj):
        """Creates or replaces an object for a test; uid and version are filled in."""
        with self.lock:
            group = obj["apiVersion"].rpartition("/")[0]
            plural = next(k[2] for k in KINDS if k[0] == group and k[3] == obj["kind"])
            meta = obj["metadata"]
            meta.setdefault("uid", str(uuid.uuid4()))
            meta.setdefault("creationTimestamp", "2026-11-20T10:00:00Z")
            if obj.get("spec") is None:
                obj["spec"] = {}
            if obj["kind"] == "Pod":
                obj.setdefault("status", {}).setdefault("phase", "Pending")
            space = meta.get("namespace")
            if space and ("", "namespaces", "", space) not in self.objects:
                self.put({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}})
            key = (group, plural, meta.get("namespace", ""), meta["name"])
            self.store(key, obj)
            return obj

    # --- controllers

    def is_stopped(self, key, obj):
        kind, spec, notes = obj["kind"], obj.get("spec", {}), get(obj, "metadata", "annotations") or {}
        if kind == "Notebook":
            return "kubeflow-resource-stopped" in notes
        if kind == "InferenceService":
            return notes.get("serving.kserve.io/stop") == "true" or (
                get(obj, "status", "deploymentMode") in ("Serverless", "Knative") and get(spec, "predictor", "minReplicas") == 0)
        if kind == "Workload":
            return spec.get("active") is False
        return spec.get("suspend") is True or get(spec, "runPolicy", "suspend") is True or spec.get("replicas") == 0

    def reconcile(self):
        """One round of all controllers; true if anything changed."""
        with self.lock:
            by_uid = {o["metadata"]["uid"]: (k, o) for k, o in self.objects.items()}
            for key, obj in list(self.objects.items()):
                if obj["kind"] == "Workload":
                    for ref in get(obj, "metadata", "ownerReferences") or []:
                        job_key, job = by_uid.get(ref["uid"], (None, None))
                        wanted = get(obj, "spec", "active") is False
                        if job and job["kind"] == "Job" and (get(job, "spec", "suspend") is True) != wanted:
                            job = copy.deepcopy(job)
                            job.setdefault("spec", {})["suspend"] = wanted
                            self.store(job_key, job)
                            return True
                if obj["kind"] == "ScaledObject":
                    paused = (get(obj, "metadata", "annotations") or {}).get("autoscaling.keda.sh/paused-replicas")
                    target = self.objects.get(("apps", "deployments", key[2], get(obj, "spec", "scaleTargetRef", "name")))
                    wanted = int(paused) if paused is not None else 1
                    if target and get(target, "spec", "replicas") != wanted and (paused is not None or
                                                                                 get(target, "spec", "replicas") == 0):
                        target = copy.deepcopy(target)
                        target["spec"]["replicas"] = wanted
                        self.store(("apps", "deployments", key[2], target["metadata"]["name"]), target)
                        return True
                if obj["kind"] == "RayCluster" and get(obj, "spec", "suspend") is True:
                    if not any(c["type"] == "RayClusterSuspended" for c in get(obj, "status", "conditions") or []):
                        obj = copy.deepcopy(obj)
                        obj.setdefault("status", {})["conditions"] = [{"type": "RayClusterSuspended", "status": "True"}]
                        self.store(key, obj)
                        return True
                if obj["kind"] == "Pod" and not self.flags["keepPods"] and self.must_end(obj, by_uid):
                    self.remove(key)
                    return True
        return False

    def must_end(self, pod, by_uid):
        obj = pod
        for _ in range(10):
            refs = get(obj, "metadata", "ownerReferences") or []
            if not refs or refs[0]["uid"] not in by_uid:
                return False
            key, obj = by_uid[refs[0]["uid"]]
            if self.is_stopped(key, obj):
                return True
        return False

    def settle(self):
        time.sleep(self.flags["delay"])
        while self.reconcile():
            pass

    # --- writes

    def check_fields(self, key, new, strict):
        pointer = self.flags["drops"].get(new["kind"])
        if not pointer:
            return new
        try:
            parent, name = walk(new, pointer)
        except Failure:
            return new
        if name in parent:
            if strict and not self.flags["oldServer"]:
                quoted = f'Invalid value: {json.dumps(json.dumps(new))}: strict decoding error: unknown field "{pointer[1:].replace("/", ".")}"'
                raise Failure(422, "Invalid", ' "" is invalid: patch: ' + quoted,
                              causes=[{"reason": "FieldValueInvalid", "message": quoted, "field": "patch"}])
            del parent[name]
        return new

    def may(self, verb, group, resource):
        name = resource + ("." + group if group else "")
        return not any(d in (f"{verb} {name}", f"* {name}") for d in self.flags["denied"])


def scale_of(obj):
    replicas = get(obj, "spec", "replicas")
    replicas = 1 if replicas is None else replicas
    meta = obj["metadata"]
    return {"kind": "Scale", "apiVersion": "autoscaling/v1",
            "metadata": {k: meta[k] for k in ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")},
            "spec": {"replicas": replicas} if replicas else {}, "status": {"replicas": get(obj, "status", "replicas") or 0}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body leave at once; otherwise each answer waits 40 ms for an acknowledgement
    cluster = None

    def log_message(self, *_):
        pass

    def reply(self, code, body, kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Audit-Id", str(uuid.uuid4()))
        if self.cluster.flags["warning"]:
            self.send_header("Warning", f'299 - "{self.cluster.flags["warning"]}"')
        if code == 429:
            self.send_header("Retry-After", "7")
        self.end_headers()
        self.wfile.write(data)

    def handle_any(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length) if length else b""
        url = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        parts = [urllib.parse.unquote(p) for p in url.path.strip("/").split("/")]
        if parts[0] == "_test":
            return self.steer(parts[1])
        time.sleep(self.cluster.flags["latency"])
        with self.cluster.lock:
            self.cluster.log.append({"method": self.command, "path": self.path, "body": self.body.decode("utf-8", "replace"),
                                     "type": self.headers.get("Content-Type", ""), "host": self.headers.get("Host", ""),
                                     "auth": self.headers.get("Authorization", ""),
                                     "user": self.headers.get("Impersonate-User", "")})
            fault = next((f for f in self.cluster.flags["faults"] if f["method"] == self.command and f["path"] in url.path
                          and f.get("query", "") in url.query and f.get("times", 1) > 0), None)
            if fault:
                fault["times"] = fault.get("times", 1) - 1
        if fault and fault["do"] == "drop":
            self.close_connection = True
            return None
        if fault and isinstance(fault["do"], int):
            return self.reply(*status(fault["do"], fault.get("reason", "InternalError"), fault.get("message", "a planned failure")))
        tokens = self.cluster.flags["tokens"]
        self.token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if tokens and self.headers.get("Authorization", "") not in [f"Bearer {t}" for t in tokens]:
            return self.reply(*status(401, "Unauthorized", "Unauthorized: " + self.headers.get("Authorization", "")))
        try:
            answer = self.route(parts)
        except Failure as failure:
            answer = failure.answer
        if fault and fault["do"] == "lost":  # carried out, but the answer never arrives
            self.close_connection = True
            return None
        if answer is not None:
            self.reply(*answer)
        if self.command != "GET":
            threading.Thread(target=self.cluster.settle, daemon=True).start()
        return None

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_any

    def steer(self, what):
        cluster = self.cluster
        with cluster.lock:
            if what == "put":
                return self.reply(200, cluster.put(json.loads(self.body)))
            if what == "flags":
                cluster.flags.update(json.loads(self.body))
                return self.reply(200, {})
            if what == "log":
                log, cluster.log = cluster.log, []
                return self.reply(200, {"log": log})
            if what == "delete":
                group, plural, space, name = json.loads(self.body)
                key = (group, plural, space, name)
                cluster.remove(key)
                return self.reply(200, {})
            if what == "object":
                group, plural, space, name = json.loads(self.body)
                return self.reply(200, cluster.objects.get((group, plural, space, name), {}))
            if what == "reset":
                cluster.objects.clear()
                cluster.log.clear()
                cluster.flags.update(Cluster().flags)
                return self.reply(200, {})
        return self.reply(404, {})

    def route(self, parts):
        cluster = self.cluster
        if parts == ["version"]:
            return 200, {"major": "1", "minor": "30", "gitVersion": "v1.30.0"}
        if parts == ["readyz"]:
            return self.reply(200, b"ok", "text/plain")
        if parts[0] == "apis" and len(parts) == 2:
            versions = []
            for k in cluster.served():
                if k[0] == parts[1]:
                    versions += [v for v in k[1] if v not in versions]
            if not versions:
                return self.reply(404, b"404 page not found", "text/plain")
            as_items = [{"groupVersion": f"{parts[1]}/{v}", "version": v} for v in versions]
            return 200, {"kind": "APIGroup", "name": parts[1], "versions": as_items, "preferredVersion": as_items[0]}
        if parts[0] == "api" and len(parts) == 2 or parts[0] == "apis" and len(parts) == 3:
            group, version = ("", parts[1]) if parts[0] == "api" else (parts[1], parts[2])
            found = [k for k in cluster.served() if k[0] == group and version in k[1]]
            rows = []
            if not found:
                known = any(k[0] == group for k in cluster.served())
                return NOT_FOUND if known else self.reply(404, b"404 page not found", "text/plain")
            for k in found:
                rows.append({"name": k[2], "kind": k[3], "namespaced": k[4], "verbs": ["get", "list", "patch"]})
                rows += [{"name": f"{k[2]}/{s}", "namespaced": k[4], "kind": k[3], "verbs": ["get", "patch", "update"], **SUBRESOURCES[s]}
                         for s in k[5]]
            return 200, {"kind": "APIResourceList", "groupVersion": "/".join(parts[1:]), "resources": rows}
        if parts[:2] == ["apis", "authorization.k8s.io"]:
            return self.review()
        group, rest = ("", parts[2:]) if parts[0] == "api" else (parts[1], parts[3:])
        space = ""
        if rest[0] == "namespaces" and len(rest) > 2:
            space, rest = rest[1], rest[2:]
        kind = cluster.kind(group, rest[0])
        if not kind:
            known = any(k[0] == group for k in cluster.served())
            return NOT_FOUND if known else self.reply(404, b"404 page not found", "text/plain")
        name, sub = (rest + ["", ""])[1:3]
        return self.resource(kind, space, name, sub)

    def may(self, verb, group, resource):
        return self.token not in self.cluster.flags["powerless"] and self.cluster.may(verb, group, resource)

    def review(self):
        spec = json.loads(self.body)["spec"]
        asked = spec["resourceAttributes"]
        resource = asked["resource"] + ("/" + asked["subresource"] if asked.get("subresource") else "")
        return 201, {"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1", "spec": spec,
                     "status": {"allowed": self.may(asked["verb"], asked.get("group", ""), resource)}}

    def resource(self, kind, space, name, sub):
        cluster = self.cluster
        group, _, plural, _, _, subs = kind
        verb = {"GET": "get" if name else "list", "PATCH": "patch", "POST": "create", "DELETE": "delete", "PUT": "update"}[self.command]
        asked = (group, plural, space, name)
        if not self.may(verb, group, plural + ("/" + sub if sub else "")):
            where = f'in the namespace "{space}"' if space else "at the cluster scope"
            raise Failure(403, "Forbidden", f'{titled(asked)} is forbidden: User "viewer" cannot {verb} resource '
                                            f'"{plural}{"/" + sub if sub else ""}" in API group "{group}" {where}', **named(asked))
        if not name and verb == "create":
            return self.create(space, plural)
        if not name:
            return self.list(kind, space)
        if sub and sub not in subs:
            return NOT_FOUND
        with cluster.lock:
            key = asked
            obj = cluster.objects.get(key)
            if obj is None:
                raise Failure(404, "NotFound", titled(key) + " not found", **named(key))
            if sub == "eviction":
                return self.evict(key, obj)
            if verb == "get":
                return 200, scale_of(obj) if sub == "scale" else obj
            if verb == "delete":
                return self.delete(key, obj)
            return self.patch(key, obj, sub, group)

    def check_webhook(self, is_dry):
        hook = self.cluster.flags["webhook"]
        if hook == "refuses":
            raise Failure(403, "Forbidden", 'admission webhook "guard.example.org" denied the request: not on Fridays')
        if hook == "sideEffects" and is_dry:
            raise Failure(400, "BadRequest", 'admission webhook "guard.example.org" does not support dry run')

    def patch(self, key, obj, sub, group):
        cluster = self.cluster
        kind = self.headers.get("Content-Type", "")
        if "strategic" in kind and group not in BUILT_IN:
            raise Failure(415, "UnsupportedMediaType",
                          "the body of the request was in an unknown format - accepted media types include: " + MEDIA)
        is_dry = self.query.get("dryRun") == "All"
        before = scale_of(obj) if sub == "scale" else obj
        body = json.loads(self.body)
        after = json_patch(before, body) if "json-patch" in kind else merge_patch(before, body)
        if after["metadata"].get("resourceVersion") != before["metadata"]["resourceVersion"]:
            raise Failure(409, "Conflict", f"Operation cannot be fulfilled on {titled(key)}: the object has been modified; please apply "
                                           "your changes to the latest version and try again", **named(key))
        if after["metadata"].get("uid") != before["metadata"]["uid"]:
            why = f'Invalid value: "{after["metadata"].get("uid")}": field is immutable'
            title = before["kind"] + ("." + group if group else "")
            raise Failure(422, "Invalid", f'{title} "{key[3]}" is invalid: metadata.uid: {why}', **{**named(key), "kind": before["kind"]},
                          causes=[{"reason": "FieldValueInvalid", "message": why, "field": "metadata.uid"}])
        self.check_webhook(is_dry)
        new = copy.deepcopy(obj)
        if sub == "scale":
            new.setdefault("spec", {})["replicas"] = get(after, "spec", "replicas") or 0
        else:
            new = cluster.check_fields(key, after, self.query.get("fieldValidation") == "Strict")
        if is_dry:
            return 200, scale_of(new) if sub == "scale" else new
        if new == obj:  # nothing changed: no new version
            return 200, scale_of(new) if sub == "scale" else new
        new["metadata"].setdefault("managedFields", []).append(
            {"manager": self.query.get("fieldManager", "unknown"), "operation": "Update"})
        cluster.store(key, new)
        return 200, scale_of(new) if sub == "scale" else new

    def check_preconditions(self, obj, options):
        texts = {"uid": ("UID", "deleted and then recreated"), "resourceVersion": ("ResourceVersion", "modified")}
        for name, value in (options.get("preconditions") or {}).items():
            there, (title, what) = obj["metadata"].get(name), texts[name]
            if there != value:
                raise Failure(409, "Conflict", f"Operation cannot be fulfilled on {obj['kind']} \"{obj['metadata']['name']}\": the {title} in "
                                               f"the precondition ({value}) does not match the {title} in record ({there}). The object might "
                                               f"have been {what}", name=obj["metadata"]["name"], kind=obj["kind"])

    def delete(self, key, obj):
        # Like the real one: with a body, the query is ignored.
        options = json.loads(self.body) if self.body else {"dryRun": [self.query["dryRun"]] if "dryRun" in self.query else []}
        self.check_preconditions(obj, options)
        self.check_webhook(bool(options.get("dryRun")))
        if not options.get("dryRun"):
            self.end(key, obj)
        return 200, obj if options.get("dryRun") else self.cluster.objects.get(key, obj)

    def end(self, key, obj):
        ending = copy.deepcopy(obj)
        ending["metadata"]["deletionTimestamp"] = "2026-11-21T12:00:00Z"
        self.cluster.store(key, ending)

        def gone():
            time.sleep(self.cluster.flags["delay"])
            with self.cluster.lock:
                if self.cluster.objects.get(key) is ending:
                    self.cluster.remove(key)
        threading.Thread(target=gone, daemon=True).start()

    def evict(self, key, pod):
        options = json.loads(self.body).get("deleteOptions") or {}
        budgets = [o for k, o in self.cluster.objects.items() if k[1] == "poddisruptionbudgets" and k[2] == key[2]
                   and all((get(pod, "metadata", "labels") or {}).get(a) == b
                           for a, b in (get(o, "spec", "selector", "matchLabels") or {}).items())]
        if len(budgets) > 1:
            return status(500, "", "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.")
        if budgets and get(budgets[0], "status", "disruptionsAllowed") == 0:
            code, body = status(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.",
                                causes=[{"reason": "DisruptionBudget", "message": "The disruption budget {} needs {} healthy pods and has {} "
                                         "currently".format(get(budgets[0], "metadata", "name"), get(budgets[0], "status", "desiredHealthy"),
                                                            get(budgets[0], "status", "currentHealthy"))}])
            return code, body
        self.check_preconditions(pod, options)
        is_dry = self.query.get("dryRun") == "All" or bool(options.get("dryRun"))
        self.check_webhook(is_dry)
        if not is_dry:
            self.end(key, pod)
        return 201, {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201}

    def create(self, space, plural):
        cluster = self.cluster
        obj = json.loads(self.body)
        key = ("", plural, space, obj["metadata"]["name"])
        with cluster.lock:
            if key in cluster.objects:
                raise Failure(409, "AlreadyExists", titled(key) + " already exists", **named(key))
            if "resourceVersion" in obj["metadata"]:
                raise Failure(500, "", "resourceVersion should not be set on objects to be created")
            for name in ("uid", "creationTimestamp"):
                obj["metadata"].pop(name, None)
            self.check_webhook(False)
            return 201, cluster.put(obj)

    def list(self, kind, space):
        cluster = self.cluster
        with cluster.lock:
            items = [o for k, o in sorted(cluster.objects.items())
                     if k[0] == kind[0] and k[1] == kind[2] and (not space or k[2] == space)]
            for one in filter(None, (self.query.get("fieldSelector") or "").split(",")):
                field, _, value = one.replace("==", "=").partition("=")
                wants, field = not field.endswith("!"), field.rstrip("!")
                if field not in ("metadata.name", "metadata.namespace", "spec.nodeName", "status.phase"):
                    raise Failure(400, "BadRequest", "field label not supported: " + field)
                items = [o for o in items if ((get(o, *field.split(".")) or "") == value) == wants]
            start, version = 0, cluster.version
            if int(self.query.get("resourceVersion") or 0) > version:
                raise Failure(504, "Timeout", f"Timeout: Too large resource version: {self.query['resourceVersion']}, current: {version}",
                              causes=[{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}])
            if token := self.query.get("continue"):
                version, start = (int(n) for n in token.split("-"))
                if version < cluster.flags["compacted"]:
                    code, body = status(410, "Expired", "The provided continue parameter is too old to display a consistent list result. "
                                                        "You can start a new list without the continue parameter.")
                    body["metadata"]["continue"] = f"{cluster.version}-{start}"
                    return code, body
            limit = int(self.query.get("limit") or 0) or len(items) or 1
            limit = min(limit, cluster.flags["mostItems"] or limit)
            page = items[start:start + limit]
            meta = {"resourceVersion": str(version)}
            if start + limit < len(items):
                meta["continue"] = f"{version}-{start + limit}"
                meta["remainingItemCount"] = len(items) - start - limit
            if kind[0] in BUILT_IN:  # the others set the kind in each item
                page = [{k: v for k, v in o.items() if k not in ("kind", "apiVersion")} for o in page]
            api = (kind[0] + "/" if kind[0] else "") + kind[1][0]
            if "as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" in self.headers.get("Accept", ""):
                return 200, {"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": meta,
                             "items": [{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": o["metadata"]} for o in page]}
            return 200, {"kind": kind[3] + "List", "apiVersion": api, "metadata": meta, "items": page}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--with-stdin", action="store_true")
    for name in ("--cert", "--key", "--client-ca"):
        parser.add_argument(name)
    arguments = parser.parse_args()
    Handler.cluster = Cluster()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if arguments.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(arguments.cert, arguments.key)
        if arguments.client_ca:
            context.load_verify_locations(arguments.client_ca)
            context.verify_mode = ssl.CERT_REQUIRED
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print("port", server.server_address[1], flush=True)
    if arguments.with_stdin:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
    else:
        server.serve_forever()


if __name__ == "__main__":
    main()
