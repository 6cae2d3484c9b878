#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One list of calls and required answers, for the fake API server of the tests (tests/support/kubeserver.py) and for the real one
(tests/support/realkube.py). If the real one is not installed, its half is skipped."""
import http.client
import json
import pathlib
import ssl
import subprocess
import sys
import time
import unittest
import urllib.request

SUPPORT = pathlib.Path(__file__).resolve().parents[2] / "support"
JSON_PATCH, MERGE_PATCH, STRATEGIC = (f"application/{kind}+json" for kind in ("json-patch", "merge-patch", "strategic-merge-patch"))
LABELS = {"app": "train"}
NOBODY = "00000000-0000-0000-0000-000000000000"


def thing(version, kind, name, spec=None, **metadata):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": "ml", **metadata}, "spec": spec or {}}


def template():
    return {"metadata": {"labels": LABELS}, "spec": {"containers": [{"name": "main", "image": "registry.example.org/train:1"}]}}


def deployment(name, replicas=3):
    return thing("apps/v1", "Deployment", name, {"replicas": replicas, "selector": {"matchLabels": LABELS}, "template": template()})


def pod(name):
    return thing("v1", "Pod", name, {"nodeName": "node-1", **template()["spec"]}, labels={"app": name})


def get(value, *path):
    for part in path:
        if isinstance(value, list) and isinstance(part, int):
            value = value[part] if part < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.raw = response.status, response.headers, response.read()
        try:
            self.body = json.loads(self.raw)
        except ValueError:
            self.body = None

    def __getitem__(self, path):
        return get(self.body, *path) if isinstance(path, tuple) else get(self.body, path)

    def causes(self):
        return [(one.get("reason"), one.get("message")) for one in self["details", "causes"] or []]


class Contract:
    """The calls. They use `ask` only; objects needed beforehand are created with `put` of the subclass."""
    tokens = {"admin": "admin-canary", "viewer": "viewer-canary"}

    def connect(self):
        raise NotImplementedError

    def ask(self, method, path, body=None, kind="application/json", user="admin", token=None, accept="application/json"):
        connection = self.connect()
        try:
            headers = {"Authorization": "Bearer " + (token or self.tokens[user]), "Accept": accept}
            if body is not None:
                headers["Content-Type"] = kind
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def path(self, made, sub=""):
        group, plural = {"Deployment": ("apis/apps/v1", "deployments"), "Pod": ("api/v1", "pods"), "Job": ("apis/batch/v1", "jobs"),
                         "RayCluster": ("apis/ray.io/v1", "rayclusters"), "TFJob": ("apis/kubeflow.org/v1", "tfjobs"),
                         "LeaderWorkerSet": ("apis/leaderworkerset.x-k8s.io/v1", "leaderworkersets"),
                         "PodDisruptionBudget": ("apis/policy/v1", "poddisruptionbudgets")}[made["kind"]]
        return f"/{group}/namespaces/ml/{plural}/{made['metadata']['name']}{sub}"

    def refuses(self, answer, code, reason, text="", causes=None, details=()):
        self.assertEqual((answer.status, answer["kind"], answer["status"], answer["reason"], answer["code"]),
                         (code, "Status", "Failure", reason, code), answer.raw[:900])
        self.assertIn(text, answer["message"])
        if causes is not None:
            self.assertEqual(answer.causes(), causes)
        for name in details:
            self.assertIn(name, answer["details"] or {})

    # --- identity and discovery

    def test_a_wrong_token_is_a_401(self):
        self.refuses(self.ask("GET", "/api/v1/namespaces/ml/pods", token="wrong"), 401, "Unauthorized", "Unauthorized")

    def test_a_missing_right_is_named(self):
        answer = self.ask("GET", "/api/v1/namespaces/ml/pods", user="viewer")
        self.refuses(answer, 403, "Forbidden", 'pods is forbidden: User "viewer" cannot list resource "pods" in API group "" in the '
                                               'namespace "ml"', details=["kind"])
        made = self.put(deployment("named"))
        answer = self.ask("PATCH", self.path(made, "/scale"), {"spec": {"replicas": 0}}, MERGE_PATCH, user="viewer")
        self.refuses(answer, 403, "Forbidden", 'deployments.apps "named" is forbidden: User "viewer" cannot patch resource '
                                               '"deployments/scale" in API group "apps" in the namespace "ml"')

    def test_an_access_review_answers_201(self):
        for user, allowed in (("admin", True), ("viewer", False)):
            asked = {"namespace": "ml", "verb": "patch", "group": "apps", "resource": "deployments", "subresource": "scale"}
            answer = self.ask("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
                "apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes": asked}}, user=user)
            self.assertEqual((answer.status, answer["kind"], answer["status", "allowed"]), (201, "SelfSubjectAccessReview", allowed))
            self.assertEqual(answer["spec", "resourceAttributes"], asked)

    def test_readiness_and_version(self):
        self.assertEqual(self.ask("GET", "/readyz").raw, b"ok")
        self.assertEqual(self.ask("GET", "/version")["major"], "1")

    def test_discovery(self):
        group = self.ask("GET", "/apis/autoscaling")
        self.assertEqual((group.status, group["kind"], group["name"], group["preferredVersion"]),
                         (200, "APIGroup", "autoscaling", {"groupVersion": "autoscaling/v2", "version": "v2"}))
        self.assertEqual([one["version"] for one in group["versions"]], ["v2", "v1"])
        listed = self.ask("GET", "/apis/apps/v1")
        self.assertEqual((listed["kind"], listed["groupVersion"]), ("APIResourceList", "apps/v1"))
        rows = {one["name"]: one for one in listed["resources"]}
        self.assertEqual((rows["deployments"]["kind"], rows["deployments"]["namespaced"]), ("Deployment", True))
        self.assertEqual((rows["deployments/scale"]["kind"], rows["deployments/scale"]["group"]), ("Scale", "autoscaling"))
        self.assertEqual(sorted(rows["deployments/scale"]["verbs"]), ["get", "patch", "update"])
        core = {one["name"]: one for one in self.ask("GET", "/api/v1")["resources"]}
        self.assertEqual((core["nodes"]["namespaced"], core["pods/eviction"]["kind"], core["pods/eviction"]["verbs"]),
                         (False, "Eviction", ["create"]))

    def test_what_is_not_installed_is_plain_text(self):
        for path in ("/apis/nothing.example.org", "/apis/nothing.example.org/v1", "/apis/nothing.example.org/v1/namespaces/ml/things"):
            answer = self.ask("GET", path)
            self.assertEqual((answer.status, answer.raw.strip()), (404, b"404 page not found"), path)

    def test_an_unknown_resource_of_a_known_group(self):
        for path in ("/apis/apps/v9", "/apis/apps/v1/namespaces/ml/nothings", "/apis/apps/v1/namespaces/ml/nothings/x"):
            self.refuses(self.ask("GET", path), 404, "NotFound", "the server could not find the requested resource")
        made = self.put(pod("without-sub"))
        self.refuses(self.ask("GET", self.path(made, "/nothing")), 404, "NotFound", "the server could not find the requested resource")

    def test_what_is_gone(self):
        answer = self.ask("GET", "/apis/apps/v1/namespaces/ml/deployments/absent")
        self.refuses(answer, 404, "NotFound", 'deployments.apps "absent" not found')
        self.assertEqual(answer["details"], {"name": "absent", "group": "apps", "kind": "deployments"})
        answer = self.ask("GET", "/api/v1/namespaces/ml/pods/absent")
        self.assertEqual((answer["message"], answer["details"]), ('pods "absent" not found', {"name": "absent", "kind": "pods"}))

    def test_every_answer_has_an_audit_id(self):
        self.assertTrue(self.ask("GET", "/version").headers["Audit-Id"])

    # --- patches

    def guarded(self, made, *more):
        meta = made["metadata"]
        return [{"op": "test", "path": "/metadata/uid", "value": meta["uid"]},
                {"op": "test", "path": "/metadata/resourceVersion", "value": meta["resourceVersion"]}, *more]

    def test_a_test_of_a_json_patch_that_fails(self):
        made = self.put(deployment("tested"))
        for sub in ("", "/scale"):
            for path, value in (("/metadata/uid", NOBODY), ("/metadata/resourceVersion", "1"), ("/spec/replicas", 5)):
                answer = self.ask("PATCH", self.path(made, sub), [{"op": "test", "path": path, "value": value},
                                                                  {"op": "add", "path": "/spec/replicas", "value": 0}], JSON_PATCH)
                # It does not say which test failed.
                self.refuses(answer, 422, "Invalid", "the server rejected our request due to an error in our request", [])
        self.assertEqual(self.ask("GET", self.path(made))["spec", "replicas"], 3)

    def test_a_json_patch_without_a_parent(self):
        made = self.put(deployment("parentless"))
        answer = self.ask("PATCH", self.path(made), [{"op": "add", "path": "/metadata/labels/a", "value": "b"}], JSON_PATCH)
        self.refuses(answer, 422, "Invalid", "the server rejected our request due to an error in our request", [])
        answer = self.ask("PATCH", self.path(made), [{"op": "test", "path": "/spec/paused", "value": True}], JSON_PATCH)
        self.refuses(answer, 422, "Invalid", "the server rejected our request due to an error in our request")

    def test_a_guarded_json_patch(self):
        for made in (self.put(deployment("guarded")), self.put(thing("ray.io/v1", "RayCluster", "guarded"))):
            field = "replicas" if made["kind"] == "Deployment" else "suspend"
            value = 0 if field == "replicas" else True
            change = self.guarded(made, {"op": "add", "path": "/metadata/annotations", "value": {}},
                                  {"op": "add", "path": "/metadata/annotations/gpu-ledger.io~1action", "value": "a"},
                                  {"op": "add", "path": "/spec/" + field, "value": value})
            query = "?fieldManager=gpu-ledger&fieldValidation=Strict"
            answer = self.ask("PATCH", self.path(made, query + "&dryRun=All"), change, JSON_PATCH)
            self.assertEqual((answer.status, answer["spec", field]), (200, value), answer.raw)
            self.assertEqual(self.ask("GET", self.path(made)).body, made)
            answer = self.ask("PATCH", self.path(made, query), change, JSON_PATCH)
            self.assertEqual((answer.status, answer["spec", field]), (200, value), answer.raw)
            self.assertEqual(answer["metadata", "uid"], made["metadata"]["uid"])
            self.assertNotEqual(answer["metadata", "resourceVersion"], made["metadata"]["resourceVersion"])
            managers = [(one["manager"], one["operation"]) for one in answer["metadata", "managedFields"]]
            self.assertIn(("gpu-ledger", "Update"), managers)

    def test_a_change_that_changes_nothing_makes_no_version(self):
        made = self.put(deployment("same"))
        answer = self.ask("PATCH", self.path(made), {"spec": {"replicas": 3}}, MERGE_PATCH)
        self.assertEqual((answer.status, answer["metadata", "resourceVersion"]), (200, made["metadata"]["resourceVersion"]))

    def test_an_old_version_in_a_merge_patch(self):
        made = self.put(deployment("old"))
        self.ask("PATCH", self.path(made), {"spec": {"replicas": 4}}, MERGE_PATCH)
        answer = self.ask("PATCH", self.path(made), {"metadata": {"resourceVersion": made["metadata"]["resourceVersion"]}, "spec": {
            "replicas": 0}}, MERGE_PATCH)
        self.refuses(answer, 409, "Conflict", 'Operation cannot be fulfilled on deployments.apps "old": the object has been modified; please '
                                              "apply your changes to the latest version and try again", details=["name", "kind"])
        answer = self.ask("PATCH", self.path(made), {"metadata": {"uid": NOBODY}, "spec": {"replicas": 0}}, MERGE_PATCH)
        self.refuses(answer, 422, "Invalid", f'Deployment.apps "old" is invalid: metadata.uid: Invalid value: "{NOBODY}": field is immutable')
        self.assertEqual((answer["details", "causes", 0, "reason"], answer["details", "causes", 0, "field"]), ("FieldValueInvalid", "metadata.uid"))

    def test_a_strategic_patch_of_a_custom_kind(self):
        made = self.put(thing("ray.io/v1", "RayCluster", "strategic"))
        self.refuses(self.ask("PATCH", self.path(made), {"spec": {"suspend": True}}, STRATEGIC), 415, "UnsupportedMediaType",
                     "the body of the request was in an unknown format - accepted media types include:")

    def test_a_field_that_the_kind_lacks(self):
        made = self.put(thing("kubeflow.org/v1", "TFJob", "lacks", {"runPolicy": {}}))
        change = self.guarded(made, {"op": "add", "path": "/spec/runPolicy/suspend", "value": True})
        self.refuses(self.ask("PATCH", self.path(made, "?fieldValidation=Strict"), change, JSON_PATCH), 422, "Invalid",
                     'strict decoding error: unknown field "spec.runPolicy.suspend"')
        for validation in ("", "?fieldValidation=Ignore"):
            answer = self.ask("PATCH", self.path(made, validation), change, JSON_PATCH)
            self.assertEqual((answer.status, answer["spec", "runPolicy"]), (200, {}))

    # --- scale

    def test_scale(self):
        for made in (self.put(deployment("scaled", 2)), self.put(thing("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "s", {"replicas": 2}))):
            scale = self.ask("GET", self.path(made, "/scale"))
            self.assertEqual((scale["kind"], scale["apiVersion"], scale["spec"]), ("Scale", "autoscaling/v1", {"replicas": 2}))
            for name in ("name", "namespace", "uid", "resourceVersion", "creationTimestamp"):
                self.assertEqual(scale["metadata", name], made["metadata"][name])
            self.assertEqual(scale["status", "replicas"], 0)
            change = self.guarded(scale.body, {"op": "test", "path": "/spec/replicas", "value": 2},
                                  {"op": "add", "path": "/spec/replicas", "value": 0})
            answer = self.ask("PATCH", self.path(made, "/scale?dryRun=All"), change, JSON_PATCH)
            self.assertEqual((answer.status, answer["kind"], answer["spec"]), (200, "Scale", {}), answer.raw)
            self.assertEqual(self.ask("GET", self.path(made))["spec", "replicas"], 2)
            answer = self.ask("PATCH", self.path(made, "/scale"), change, JSON_PATCH)
            self.assertEqual((answer.status, answer["spec"]), (200, {}), answer.raw)
            self.assertEqual(self.ask("GET", self.path(made))["spec", "replicas"], 0)
            change = self.guarded(answer.body, {"op": "add", "path": "/spec/replicas", "value": 2})
            answer = self.ask("PATCH", self.path(made, "/scale"), change, JSON_PATCH)
            self.assertEqual((answer.status, answer["spec"]), (200, {"replicas": 2}), answer.raw)

    # --- deleting and evicting

    def options(self, made, uid=None, version=None, **more):
        meta = made["metadata"]
        return {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background", "preconditions": {
            "uid": uid or meta["uid"], "resourceVersion": version or meta["resourceVersion"]}, **more}

    def is_ending(self, made):
        return self.ask("GET", self.path(made))["metadata", "deletionTimestamp"] is not None

    def test_a_delete_of_another_one(self):
        made = self.put(pod("other"))
        answer = self.ask("DELETE", self.path(made), self.options(made, uid=NOBODY))
        self.refuses(answer, 409, "Conflict", f"the UID in the precondition ({NOBODY}) does not match the UID in record "
                                              f"({made['metadata']['uid']}). The object might have been deleted and then recreated")
        answer = self.ask("DELETE", self.path(made), self.options(made, version="1"))
        self.refuses(answer, 409, "Conflict", "the ResourceVersion in the precondition (1) does not match the ResourceVersion in record "
                                              f"({made['metadata']['resourceVersion']}). The object might have been modified")
        self.assertFalse(self.is_ending(made))

    def test_the_body_of_a_delete_counts_and_its_query_does_not(self):
        made = self.put(pod("query"))
        answer = self.ask("DELETE", self.path(made), self.options(made, dryRun=["All"]))
        self.assertEqual((answer.status, answer["kind"]), (200, "Pod"), answer.raw)
        self.assertFalse(self.is_ending(made))
        answer = self.ask("DELETE", self.path(made, "?dryRun=All"))
        self.assertEqual(answer.status, 200)
        self.assertFalse(self.is_ending(made))
        answer = self.ask("DELETE", self.path(made, "?dryRun=All"), self.options(made))
        self.assertEqual((answer.status, answer["metadata", "uid"]), (200, made["metadata"]["uid"]))
        self.assertTrue(answer["metadata", "deletionTimestamp"])
        self.assertTrue(self.is_ending(made))

    def evict(self, made, query="", **options):
        return self.ask("POST", self.path(made, "/eviction" + query), {
            "apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": made["metadata"]["name"], "namespace": "ml"},
            "deleteOptions": options})

    def test_an_eviction(self):
        made = self.put(pod("evicted"))
        self.refuses(self.evict(made, preconditions={"uid": NOBODY}), 409, "Conflict", "the UID in the precondition")
        self.refuses(self.evict(made, preconditions={"uid": made["metadata"]["uid"], "resourceVersion": "1"}), 409, "Conflict",
                     "the ResourceVersion in the precondition (1)")
        for query, options in (("?dryRun=All", {}), ("", {"dryRun": ["All"]})):
            answer = self.evict(made, query, **options)
            self.assertEqual((answer.status, answer["kind"], answer["status"]), (201, "Status", "Success"), answer.raw)
            self.assertFalse(self.is_ending(made))
        answer = self.evict(made, preconditions={"uid": made["metadata"]["uid"], "resourceVersion": made["metadata"]["resourceVersion"]})
        self.assertEqual((answer.status, answer["status"], answer["code"]), (201, "Success", 201))
        self.assertTrue(self.is_ending(made))

    def budget(self, name, app):
        one = thing("policy/v1", "PodDisruptionBudget", name, {"minAvailable": 1, "selector": {"matchLabels": {"app": app}}})
        one["status"] = {"observedGeneration": 1, "disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1}
        return self.put(one)

    def test_a_budget_holds_an_eviction_back(self):
        wanted = pod("budgeted")
        wanted["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
        made = self.put(wanted)
        self.budget("one", "budgeted")
        self.refuses(self.evict(made), 429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.",
                     [("DisruptionBudget", "The disruption budget one needs 1 healthy pods and has 1 currently")])
        self.budget("two", "budgeted")
        answer = self.evict(made)
        self.refuses(answer, 500, None, "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.")
        self.assertFalse(self.is_ending(made))

    def test_creating_what_is_there(self):
        self.put(pod("twice"))
        self.refuses(self.ask("POST", "/api/v1/namespaces/ml/pods", pod("twice")), 409, "AlreadyExists", 'pods "twice" already exists',
                     details=["name", "kind"])
        stale = pod("stale")
        stale["metadata"]["resourceVersion"] = "5"
        answer = self.ask("POST", "/api/v1/namespaces/ml/pods", stale)
        self.refuses(answer, 500, None, "resourceVersion should not be set on objects to be created")
        answer = self.ask("POST", "/api/v1/namespaces/ml/pods", pod("new"))
        self.assertEqual((answer.status, answer["kind"], answer["metadata", "name"]), (201, "Pod", "new"))

    # --- lists

    def test_pages(self):
        for i in range(5):
            self.put(thing("batch/v1", "Job", f"page-{i}", {"template": {**template(), "spec": {
                **template()["spec"], "restartPolicy": "Never"}}}))
        first = self.ask("GET", "/apis/batch/v1/namespaces/ml/jobs?limit=2")
        self.assertEqual((first["kind"], first["apiVersion"], len(first["items"])), ("JobList", "batch/v1", 2))
        self.assertNotIn("kind", first["items"][0])
        self.assertTrue(first["metadata", "continue"])
        self.assertEqual(first["metadata", "remainingItemCount"], 3)
        names, page = [], first
        while page["metadata", "continue"]:
            names += [one["metadata"]["name"] for one in page["items"]]
            page = self.ask("GET", "/apis/batch/v1/namespaces/ml/jobs?limit=2&continue=" + page["metadata", "continue"])
            self.assertEqual(page["metadata", "resourceVersion"], first["metadata", "resourceVersion"])
        names += [one["metadata"]["name"] for one in page["items"]]
        self.assertEqual(names, [f"page-{i}" for i in range(5)])
        empty = self.ask("GET", "/apis/batch/v1/namespaces/nowhere/jobs")
        self.assertEqual((empty.status, empty["items"]), (200, []))

    def test_a_list_of_a_custom_kind_names_its_items(self):
        self.put(thing("ray.io/v1", "RayCluster", "listed"))
        answer = self.ask("GET", "/apis/ray.io/v1/namespaces/ml/rayclusters")
        self.assertEqual((answer["kind"], answer["items", 0, "kind"], answer["items", 0, "apiVersion"]),
                         ("RayClusterList", "RayCluster", "ray.io/v1"))

    def test_a_list_of_metadata_alone(self):
        made = self.put(thing("ray.io/v1", "RayCluster", "brief", {"suspend": False}, labels={"team": "vision"}))
        answer = self.ask("GET", "/apis/ray.io/v1/namespaces/ml/rayclusters?limit=250",
                          accept="application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json")
        self.assertEqual((answer.status, answer["kind"], answer["apiVersion"]), (200, "PartialObjectMetadataList", "meta.k8s.io/v1"))
        self.assertTrue(answer["metadata", "resourceVersion"])
        item = next(one for one in answer["items"] if one["metadata"]["name"] == "brief")
        self.assertEqual((item["kind"], item["apiVersion"]), ("PartialObjectMetadata", "meta.k8s.io/v1"))
        self.assertEqual((item["metadata"]["uid"], item["metadata"]["labels"]["team"]), (made["metadata"]["uid"], "vision"))
        self.assertNotIn("spec", item)

    def test_a_version_that_is_not_reached_yet(self):
        answer = self.ask("GET", "/api/v1/namespaces/ml/pods?resourceVersion=999999999")
        self.refuses(answer, 504, "Timeout", "Too large resource version: 999999999, current: ",
                     [("ResourceVersionTooLarge", "Too large resource version")])

    def test_what_no_list_takes(self):
        answer = self.ask("GET", "/api/v1/namespaces/ml/pods?fieldSelector=spec.nothing%3D1")
        self.refuses(answer, 400, "BadRequest", "field label not supported: spec.nothing")

    def test_a_list_by_phase(self):
        self.put(pod("phased"))

        def names(selector):
            answer = self.ask("GET", "/api/v1/namespaces/ml/pods?fieldSelector=" + selector)
            self.assertEqual(answer.status, 200)
            return [one["metadata"]["name"] for one in answer["items"]]
        self.assertIn("phased", names("status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed"))
        self.assertIn("phased", names("status.phase%3DPending"))
        self.assertNotIn("phased", names("status.phase%21%3DPending"))

    def test_the_rest_of_a_list_that_is_forgotten(self):
        answer = self.ask("GET", self.forgotten_rest())
        self.refuses(answer, 410, "Expired", "The provided continue parameter is too old to display a consistent list result.")
        self.assertTrue(answer["metadata", "continue"])


class Servers(unittest.TestCase):
    @classmethod
    def begin(cls, *command):
        cls.process = subprocess.Popen([sys.executable, *map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return cls.process.stdout.readline().strip()

    @classmethod
    def tearDownClass(cls):
        cls.process.stdin.close()
        cls.process.wait(20)
        cls.process.stdout.close()


class FakeServer(Contract, Servers):
    @classmethod
    def setUpClass(cls):
        cls.port = int(cls.begin(SUPPORT / "kubeserver.py", "--with-stdin").split()[-1])

    def setUp(self):
        self.steer("reset", {})
        self.steer("flags", {"tokens": list(self.tokens.values()), "powerless": [self.tokens["viewer"]], "keepPods": True, "delay": 600,
                             "drops": {"TFJob": "/spec/runPolicy/suspend"}})
        self.put({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ml"}})

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def steer(self, what, body):
        return self.ask("POST", "/_test/" + what, body).body

    def put(self, wanted):
        return self.steer("put", wanted)

    def forgotten_rest(self):
        for i in range(3):
            self.put(pod(f"rest-{i}"))
        rest = self.ask("GET", "/api/v1/namespaces/ml/pods?limit=1")["metadata", "continue"]
        self.steer("flags", {"compacted": 1_000_000})
        return "/api/v1/namespaces/ml/pods?limit=1&continue=" + rest



def definition(group, version, plural, kind, spec, scale=False):
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    subresources = {"status": {}}
    if scale:
        subresources["scale"] = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{plural}.{group}"}, "spec": {
        "group": group, "scope": "Namespaced", "names": {"plural": plural, "singular": kind.lower(), "kind": kind}, "versions": [{
            "name": version, "served": True, "storage": True, "subresources": subresources, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"spec": {"type": "object", "properties": spec}, "status": free}}}}]}}


CUSTOM = [definition("ray.io", "v1", "rayclusters", "RayCluster", {"suspend": {"type": "boolean"}}),
          definition("kubeflow.org", "v1", "tfjobs", "TFJob", {"runPolicy": {"type": "object", "properties": {}}}),
          definition("leaderworkerset.x-k8s.io", "v1", "leaderworkersets", "LeaderWorkerSet", {"replicas": {"type": "integer"}}, True)]
CUSTOM_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
LISTS = ["/apis/apps/v1/namespaces/ml/deployments", "/api/v1/namespaces/ml/pods", "/apis/batch/v1/namespaces/ml/jobs",
         "/apis/policy/v1/namespaces/ml/poddisruptionbudgets", "/api/v1/namespaces/ml/configmaps",
         *(f"/apis/{c['spec']['group']}/{c['spec']['versions'][0]['name']}/namespaces/ml/{c['spec']['names']['plural']}" for c in CUSTOM)]


class RealServer(Contract, Servers):
    @classmethod
    def setUpClass(cls):
        line = cls.begin(SUPPORT / "realkube.py")
        cls.missing = line if line.startswith("no ") else ""
        if cls.missing:
            return
        if not line.startswith("{"):
            cls.tearDownClass()
            raise RuntimeError("the servers did not start")
        told = json.loads(line)
        cls.port, cls.etcd = told["port"], told["etcd"]
        cls.context = ssl.create_default_context(cafile=pathlib.Path(told["folder"], "ca.pem"))
        self = cls()
        self.ask("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ml"}})
        for one in CUSTOM:
            self.ask("POST", CUSTOM_PATH, one)
        until = time.monotonic() + 60
        while time.monotonic() < until and any(self.ask("GET", path).status != 200 for path in LISTS):
            time.sleep(0.2)

    def runTest(self):
        pass

    def setUp(self):
        if self.missing:
            self.skipTest(self.missing)
        for path in LISTS:
            answer = self.ask("DELETE", path, {"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0})
            self.assertEqual(answer.status, 200, answer.raw)

    def connect(self):
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=self.context)

    def put(self, wanted):
        path = self.path(wanted)
        made = self.ask("POST", path.rpartition("/")[0], wanted)
        self.assertEqual(made.status, 201, made.raw)
        if "status" not in wanted:
            return made.body
        made = self.ask("PUT", path + "/status", {**made.body, "status": wanted["status"]})
        self.assertEqual(made.status, 200, made.raw)
        return made.body

    def compact(self):
        def post(what, body):
            request = urllib.request.Request(f"{self.etcd}/v3/kv/{what}", json.dumps(body).encode(), {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        post("compaction", {"revision": post("range", {"key": "AA=="})["header"]["revision"], "physical": True})

    def config_map(self, name):
        made = self.ask("POST", "/api/v1/namespaces/ml/configmaps", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}})
        self.assertEqual(made.status, 201, made.raw)
        return made["metadata", "resourceVersion"]

    # The server does not cache config maps (realkube.py): etcd is queried each time.
    def forgotten_rest(self):
        for i in range(3):
            self.config_map(f"rest-{i}")
        rest = self.ask("GET", "/api/v1/namespaces/ml/configmaps?limit=1")["metadata", "continue"]
        self.config_map("newer")
        self.compact()
        return "/api/v1/namespaces/ml/configmaps?limit=1&continue=" + rest


if __name__ == "__main__":
    unittest.main()
