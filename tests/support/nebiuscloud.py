# SPDX-License-Identifier: GPL-3.0-or-later
"""Nebius AI Cloud on a loopback port: a real gRPC server (grpcio) with the calls that the kind `nebius` makes. There is no public peer: what it answers follows the published
messages (nebius/api), whose fields and numbers are typed here once more, so that a wrong number in the product's own description is found. It refuses what the service would refuse.
Pages are small, and one of them is empty but for its token. `faults` are given out one per call of a method, in place of an answer.

grpcio comes from PyPI into build/python-test (`./dev deps test`): under_grpc() runs a test there, or tells that it is skipped."""
import base64
import collections
import concurrent.futures
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import types

HERE = os.path.dirname(os.path.abspath(__file__))
OWN = os.path.join(HERE, "..", "..", "build", "python-test", "bin", "python")
SKIPPED = 77


def under_grpc():
    """Goes on under a Python that has grpcio; ends the test as skipped if there is none."""
    for python in (sys.executable, OWN, "python3", "/usr/bin/python3"):
        try:
            found = subprocess.run([python, "-c", "import grpc, google.protobuf"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=60)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if found.returncode == 0 and python == sys.executable:
            return
        if found.returncode == 0 and os.environ.get("GPULEDGER_GRPC_TRIED") != "1":
            os.environ["GPULEDGER_GRPC_TRIED"] = "1"
            os.execvp(python, [python, *sys.argv])
    print("grpcio is not installed (./dev deps test)", flush=True)
    sys.exit(SKIPPED)


under_grpc()

import grpc  # noqa: E402
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory  # noqa: E402
from google.protobuf.message import DecodeError  # noqa: E402

TOKEN, PROJECT, REGION = "ne1canary-token", "project-e00lab", "eu-north1"
ACCOUNT, KEY_ID = "serviceaccount-e00robot", "publickey-e00k1"
ALL, NOTHING = object(), object()
STATES = ("UNSPECIFIED", "CREATING", "UPDATING", "STARTING", "RUNNING", "STOPPING", "STOPPED", "DELETING", "ERROR")
CODE = grpc.StatusCode
# Messages by name: {field: (number, type)}; a type in a list is repeated. A map is the list of its entries on the wire.
TEXT, WHOLE, SMALL, YES = "string", "int64", "int32", "bool"
MESSAGES = {
    "Timestamp": {"seconds": (1, WHOLE), "nanos": (2, SMALL)},
    "Label": {"key": (1, TEXT), "value": (2, TEXT)},
    "ResourceMetadata": {"id": (1, TEXT), "parent_id": (2, TEXT), "name": (3, TEXT), "resource_version": (4, WHOLE), "created_at": (5, "Timestamp"),
                         "updated_at": (6, "Timestamp"), "labels": (7, ["Label"])},
    "ResourcesSpec": {"platform": (1, TEXT), "preset": (2, TEXT)},
    "InstanceGpuClusterSpec": {"id": (1, TEXT)},
    "ExistingDisk": {"id": (1, TEXT)},
    "AttachedDiskSpec": {"attach_mode": (1, SMALL), "existing_disk": (2, "ExistingDisk"), "device_id": (3, TEXT)},
    "PreemptibleSpec": {"on_preemption": (1, SMALL), "priority": (2, SMALL)},
    "ReservationPolicy": {"policy": (1, SMALL), "reservation_ids": (2, [TEXT])},
    "PassthroughGroupRequest": {"requested": (1, YES)},
    "LocalDisksSpec": {"passthrough_group": (1, "PassthroughGroupRequest")},
    "InstanceSpec": {"service_account_id": (1, TEXT), "resources": (2, "ResourcesSpec"), "gpu_cluster": (3, "InstanceGpuClusterSpec"),
                     "boot_disk": (5, "AttachedDiskSpec"), "cloud_init_user_data": (8, TEXT), "stopped": (13, YES), "recovery_policy": (15, SMALL),
                     "preemptible": (19, "PreemptibleSpec"), "hostname": (20, TEXT), "nvl_instance_group_id": (21, TEXT),
                     "reservation_policy": (23, "ReservationPolicy"), "local_disks": (24, "LocalDisksSpec")},
    "InstanceStatus": {"state": (1, SMALL), "reconciling": (5, YES), "maintenance_event_id": (7, TEXT), "reservation_id": (12, TEXT)},
    "Instance": {"metadata": (1, "ResourceMetadata"), "spec": (2, "InstanceSpec"), "status": (3, "InstanceStatus")},
    "ListInstancesRequest": {"parent_id": (1, TEXT), "page_size": (2, WHOLE), "page_token": (3, TEXT)},
    "ListInstancesResponse": {"items": (1, ["Instance"]), "next_page_token": (2, TEXT)},
    "ById": {"id": (1, TEXT)},
    "PresetResources": {"vcpu_count": (1, SMALL), "memory_gibibytes": (3, SMALL), "gpu_count": (4, SMALL)},
    "Preset": {"name": (1, TEXT), "resources": (2, "PresetResources"), "allow_gpu_clustering": (3, YES)},
    "PlatformSpec": {"presets": (1, ["Preset"]), "human_readable_name": (4, TEXT), "gpu_memory_gigabytes": (12, SMALL)},
    "PlatformStatus": {"allowed_for_preemptibles": (3, YES)},
    "Platform": {"metadata": (1, "ResourceMetadata"), "spec": (2, "PlatformSpec"), "status": (3, "PlatformStatus")},
    "ListPlatformsRequest": {"page_size": (1, WHOLE), "page_token": (2, TEXT), "parent_id": (3, TEXT)},
    "ListPlatformsResponse": {"items": (1, ["Platform"]), "next_page_token": (2, TEXT)},
    "ProjectSpec": {"region": (1, TEXT)},
    "Project": {"metadata": (1, "ResourceMetadata"), "spec": (2, "ProjectSpec")},
    "Status": {"code": (1, SMALL), "message": (2, TEXT)},
    "Operation": {"id": (1, TEXT), "description": (2, TEXT), "created_at": (3, "Timestamp"), "created_by": (4, TEXT), "resource_id": (7, TEXT),
                  "status": (10, "Status")},
    "ExchangeTokenRequest": {"grant_type": (1, TEXT), "requested_token_type": (2, TEXT), "subject_token": (3, TEXT), "subject_token_type": (4, TEXT)},
    "CreateTokenResponse": {"access_token": (1, TEXT), "issued_token_type": (2, TEXT), "token_type": (3, TEXT), "expires_in": (4, WHOLE)},
    "CreateInstanceRequest": {"metadata": (1, "ResourceMetadata"), "spec": (2, "InstanceSpec")},
    "Any": {"type_url": (1, TEXT), "value": (2, "bytes")},
    "ResourceSpec": {"spec": (1, "Any")},
    "FilterAggregationUnit": {"filter_aggregation_unit_values": (1, [SMALL])},
    "EstimateBatchRequest": {"resource_specs": (1, ["ResourceSpec"]), "offer_types": (10, [SMALL]), "currency": (11, TEXT),
                             "filter_aggregation_unit": (20, "FilterAggregationUnit")},
    "AggregationUnit": {"unit": (1, TEXT), "unit_type": (2, SMALL)},
    "CostBreakdown": {"cost": (2, TEXT), "cost_rounded": (3, TEXT)},
    "GeneralResourceCost": {"total": (1, "CostBreakdown")},
    "TotalCost": {"aggregation_unit": (1, "AggregationUnit"), "general": (20, "GeneralResourceCost")},
    "EstimateBatchResponse": {"total_costs": (10, ["TotalCost"]), "currency": (20, TEXT)},
}
COMPUTE, BILLING = "/nebius.compute.v1.", "/nebius.billing.v1."
LIST, GET, STOP, START = (COMPUTE + "InstanceService/" + name for name in ("List", "Get", "Stop", "Start"))
PLATFORMS, PROJECTS = COMPUTE + "PlatformService/List", "/nebius.iam.v2.ProjectService/Get"
ESTIMATE, EXCHANGE = BILLING + "CalculatorService/EstimateBatch", "/nebius.iam.v1.TokenExchangeService/Exchange"
REQUESTS = {LIST: "ListInstancesRequest", GET: "ById", STOP: "ById", START: "ById", PLATFORMS: "ListPlatformsRequest", PROJECTS: "ById",
            ESTIMATE: "EstimateBatchRequest", EXCHANGE: "ExchangeTokenRequest"}
CHANGES = {STOP: ("RUNNING", "STOPPING", "STOPPED"), START: ("STOPPED", "STARTING", "RUNNING")}
IDEMPOTENCY = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def factory():
    file = descriptor_pb2.FileDescriptorProto(name="nebiuscloud.proto", package="cloud", syntax="proto3")
    kinds = descriptor_pb2.FieldDescriptorProto
    plain = {TEXT: kinds.TYPE_STRING, WHOLE: kinds.TYPE_INT64, SMALL: kinds.TYPE_INT32, YES: kinds.TYPE_BOOL, "bytes": kinds.TYPE_BYTES}
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, (number, kind) in fields.items():
            one = kind[0] if isinstance(kind, list) else kind
            made = message.field.add(name=field, number=number, label=kinds.LABEL_REPEATED if isinstance(kind, list) else kinds.LABEL_OPTIONAL,
                                     type=plain.get(one, kinds.TYPE_MESSAGE))
            if one not in plain:
                made.type_name = ".cloud." + one
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName("cloud." + name)) for name in MESSAGES}


MADE = factory()


def made(name, /, **fields):
    """A message; dictionaries and lists of them become messages."""
    message = MADE[name]()
    for field, value in fields.items():
        kind = MESSAGES[name][field][1]
        if isinstance(kind, list) and kind[0] in MESSAGES:
            getattr(message, field).extend(made(kind[0], **one) if isinstance(one, dict) else one for one in value)
        elif isinstance(kind, list):
            getattr(message, field).extend(value)
        elif kind in MESSAGES:
            getattr(message, field).CopyFrom(made(kind, **value) if isinstance(value, dict) else value)
            getattr(message, field).SetInParent()
        else:
            setattr(message, field, value)
    return message


def instance(identity, platform="gpu-h100-sxm", preset="8gpu-128vcpu-1600gb", state="RUNNING", labels=None, name="", project=PROJECT, created=1793491200, spec=None,
             status=None):
    """An instance, as a message."""
    return made("Instance", metadata={"id": identity, "parent_id": project, "name": name or "vm-" + identity[-2:], "resource_version": 3,
                                      "created_at": {"seconds": created}, "updated_at": {"seconds": created, "nanos": 5},
                                      "labels": [{"key": k, "value": v} for k, v in ({"team": "vision"} if labels is None else labels).items()]},
                spec={"resources": {"platform": platform, "preset": preset}, "boot_disk": {"attach_mode": 2, "existing_disk": {"id": "computedisk-e00a"}},
                      "gpu_cluster": {}, "cloud_init_user_data": "canary-user-data", "stopped": state == "STOPPED", **(spec or {})},
                status={"state": STATES.index(state), **(status or {})})


def platform(name, *presets, preemptible=True):
    """`presets` are pairs of a name and a number of GPUs."""
    return made("Platform", metadata={"id": "computeplatform-" + name, "name": name}, spec={
        "presets": [{"name": preset, "resources": {"vcpu_count": 16, "memory_gibibytes": 200, "gpu_count": gpus}} for preset, gpus in presets],
        "human_readable_name": name.upper()}, status={"allowed_for_preemptibles": preemptible})


def told_state(one):
    return STATES[one.status.state]


class Fault(Exception):
    """In place of an answer: a status, after headers if `late`."""

    def __init__(self, code, words="said so", late=False):
        super().__init__(words)
        self.code, self.words, self.late = code, words, late


class Lost(Exception):
    """In place of an answer: the stream is reset."""


class NebiusCloud(grpc.GenericRpcHandler):
    def __init__(self, certificate=None):
        """`certificate`: the files of a key and its certificate, for TLS."""
        self.lock = threading.RLock()
        self.instances, self.platforms, self.region = [], [], REGION
        self.prices = {}  # {(platform, preset, preemptible): text}
        self.page, self.is_endless = 2, False
        self.faults = collections.defaultdict(list)  # {method: what is raised or returned (bytes) in place of answers}
        self.asked, self.metadata = [], []  # (method, message) of all calls, and what came with them
        self.tokens, self.logins = {TOKEN}, []  # those that let in; the claims of assertions
        self.lasts = 43200  # seconds of a token
        self.closed = set()  # methods that the account may not call
        self.seen, self.events = collections.Counter(), {}  # calls of a method; {(method, number): called before its answer}
        self.changes, self.executed = [], []  # changes as they were asked for (namespaces); (method, id) of what was done
        self.before_change = self.after_change = None
        self.takes, self.start_ends = 1, "RUNNING"  # looks until a change is over; what a start leads to
        self.pending, self.done = {}, {}  # {id: states to come}; {idempotency key: operation}
        self.folder = tempfile.TemporaryDirectory(prefix="gpuledgernebius")
        self.private = os.path.join(self.folder.name, "key.pem")
        self.server = grpc.server(concurrent.futures.ThreadPoolExecutor(16), handlers=(self,), options=(("grpc.so_reuseport", 0),))
        if certificate:
            key, chain = (open(path, "rb").read() for path in certificate)
            self.port = self.server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([(key, chain)]))
        else:
            self.port = self.server.add_insecure_port("127.0.0.1:0")
        self.server.start()

    def url(self, scheme="http", host="127.0.0.1"):
        return f"{scheme}://{host}:{self.port}"

    def close(self):
        self.server.stop(0).wait()
        self.folder.cleanup()

    def from_now(self, events):
        self.seen.clear()
        self.events = events

    def credentials(self, **more):
        """The text of a credentials file, whose key is new each time."""
        subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", self.private], check=True, capture_output=True)
        subprocess.run(["openssl", "pkey", "-in", self.private, "-pubout", "-out", self.private + ".pub"], check=True, capture_output=True)
        with open(self.private, encoding="ascii") as file:
            subject = {"type": "JWT", "alg": "RS256", "private-key": file.read(), "kid": KEY_ID, "iss": ACCOUNT, "sub": ACCOUNT, **more}
        return json.dumps({"subject-credentials": subject})

    # As grpc calls it.
    def service(self, handler_call_details):
        method = handler_call_details.method
        if method not in REQUESTS:
            return None
        return grpc.unary_unary_rpc_method_handler(lambda request, context: self.answer(method, request, context))

    def answer(self, method, request, context):
        try:
            with self.lock:
                message = MADE[REQUESTS[method]].FromString(request)
                reply = self.reply(method, message, dict(context.invocation_metadata()))
            return reply if isinstance(reply, bytes) else reply.SerializeToString()
        except DecodeError as error:
            context.abort(CODE.INTERNAL, str(error))
        except Lost:
            context.cancel()
            raise
        except Fault as fault:
            if fault.late:
                context.send_initial_metadata((("x-request-id", "1"),))
            context.abort(fault.code, fault.words)

    def reply(self, method, message, metadata):
        self.asked.append((method, message))
        self.metadata.append(metadata)
        if method == EXCHANGE:
            return self.login(message)
        change = None
        if method in CHANGES:
            change = types.SimpleNamespace(method=method, id=message.id, key=metadata.get("x-idempotency-key", ""), is_in=None)
            self.changes.append(change)
            if self.before_change:
                self.before_change()
        token = metadata.get("authorization", "").removeprefix("Bearer ")
        is_in = token in self.tokens
        if change:
            change.is_in = is_in
        if not is_in:
            raise Fault(CODE.UNAUTHENTICATED, f"Token {token} is not valid")
        self.seen[method] += 1
        self.events.get((method, self.seen[method]), lambda: None)()
        if method in self.closed:
            raise Fault(CODE.PERMISSION_DENIED, "Permission denied on " + method)
        does, instead = self.faults[method].pop(0) if self.faults[method] else (True, None)
        done = None
        if does:
            done = {LIST: self.listed, GET: self.told, PLATFORMS: self.listed_platforms, PROJECTS: self.project, ESTIMATE: self.estimated}.get(
                method, lambda one: self.change(change))(message)
        if change and self.after_change:
            self.after_change()
        if isinstance(instead, Exception):
            raise instead
        return done if instead is None else instead

    def instead(self, method, *answers):
        """These in place of the next answers, and nothing is done for them."""
        self.faults[method] += [(False, one) for one in answers]

    def login(self, message):
        if self.faults[EXCHANGE]:
            raise self.faults[EXCHANGE].pop(0)[1]
        urn = "urn:ietf:params:oauth:"
        if (message.grant_type, message.requested_token_type, message.subject_token_type) != (
                urn + "grant-type:token-exchange", urn + "token-type:access_token", urn + "token-type:jwt"):
            raise Fault(CODE.INVALID_ARGUMENT, "not an exchange")
        head, _, rest = message.subject_token.partition(".")
        claims, _, signature = rest.partition(".")
        def decoded(part):
            return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
        path = os.path.join(self.folder.name, "signature")
        with open(path, "wb") as file:
            file.write(decoded(signature))
        good = subprocess.run(["openssl", "dgst", "-sha256", "-verify", self.private + ".pub", "-signature", path], input=f"{head}.{claims}".encode(),
                              capture_output=True, check=False)
        header, told = json.loads(decoded(head)), json.loads(decoded(claims))
        now = datetime.datetime.now(datetime.timezone.utc).timestamp()
        if good.returncode or (header["alg"], header["kid"], told["iss"], told["sub"]) != ("RS256", KEY_ID, ACCOUNT, ACCOUNT) or not (
                now - 60 < told["iat"] <= now + 60 < told["exp"] <= now + 660):
            raise Fault(CODE.UNAUTHENTICATED, "JWT is not valid")
        self.logins.append(told)
        token = f"ne1canary-login-{len(self.logins)}"
        self.tokens.add(token)
        return made("CreateTokenResponse", access_token=token, issued_token_type=urn + "token-type:access_token", token_type="Bearer", expires_in=self.lasts)

    def paged(self, items, message, kind):
        """As many as fit; the page after the first one is empty, and not the last one."""
        if self.is_endless:
            return made(kind, next_page_token=str(int(message.page_token or 0) % 3 + 1))
        if not 1 <= message.page_size <= 1000:
            raise Fault(CODE.INVALID_ARGUMENT, "page_size")
        size = min(self.page, message.page_size)
        first = int(message.page_token.strip("e") or 0)
        if first == size and not message.page_token.endswith("e"):
            return made(kind, next_page_token=message.page_token + "e")
        return made(kind, items=items[first:first + size], next_page_token=str(first + size) if first + size < len(items) else "")

    def listed(self, message):
        return self.paged([one for one in self.instances if one.metadata.parent_id == message.parent_id], message, "ListInstancesResponse")

    def listed_platforms(self, message):
        if not message.parent_id:
            raise Fault(CODE.INVALID_ARGUMENT, "parent_id is required")
        return self.paged(self.platforms, message, "ListPlatformsResponse")

    def project(self, message):
        return made("Project", metadata={"id": message.id, "name": "lab"}, spec={"region": self.region})

    def found(self, identity):
        one = next((one for one in self.instances if one.metadata.id == identity), None)
        if not one:
            raise Fault(CODE.NOT_FOUND, f"Instance {identity} is not found")
        return one

    def told(self, message):
        one = self.found(message.id)
        told = made("Instance")
        told.CopyFrom(one)
        self.go_on(one)
        return told

    def go_on(self, one):
        to_come = self.pending.get(one.metadata.id)
        if to_come:
            self.into(one, to_come.pop(0))
        if to_come == []:
            del self.pending[one.metadata.id]

    @staticmethod
    def into(one, state):
        one.status.state = STATES.index(state)
        one.status.reconciling = state in ("STARTING", "STOPPING")

    def change(self, change):
        if not IDEMPOTENCY.fullmatch(change.key):
            raise Fault(CODE.INVALID_ARGUMENT, "X-Idempotency-Key")
        if change.key in self.done:
            return self.done[change.key]
        one = self.found(change.id)
        before, way, after = CHANGES[change.method]
        if told_state(one) != before or one.metadata.id in self.pending:
            raise Fault(CODE.FAILED_PRECONDITION, f"instance is {told_state(one)}")
        self.executed.append((change.method, change.id))
        one.spec.stopped = change.method == STOP
        one.metadata.resource_version += 1
        self.pending[change.id] = [way] * self.takes + [self.start_ends if change.method == START else after]
        self.go_on(one)
        self.done[change.key] = operation(change.id)
        return self.done[change.key]

    def estimated(self, message):
        if len(message.resource_specs) != 1 or message.currency != "usd" or list(message.filter_aggregation_unit.filter_aggregation_unit_values) != [2]:
            raise Fault(CODE.INVALID_ARGUMENT, "what is asked here")
        spec = message.resource_specs[0].spec
        if spec.type_url != "type.googleapis.com/nebius.compute.v1.CreateInstanceRequest":
            raise Fault(CODE.INVALID_ARGUMENT, spec.type_url)
        planned = MADE["CreateInstanceRequest"].FromString(spec.value)
        if planned.spec.HasField("preemptible") and planned.spec.preemptible.on_preemption != 1:
            raise Fault(CODE.INVALID_ARGUMENT, "on_preemption")
        wanted = (planned.spec.resources.platform, planned.spec.resources.preset, planned.spec.HasField("preemptible"))
        if planned.metadata.parent_id != PROJECT or wanted not in self.prices:
            raise Fault(CODE.INVALID_ARGUMENT, "no price")
        return priced(self.prices[wanted])


def priced(cost, unit="hour", currency="usd"):
    return made("EstimateBatchResponse", total_costs=[{"aggregation_unit": {"unit": unit, "unit_type": 1}, "general": {"total": {"cost": cost, "cost_rounded": "9.99"}}}],
                currency=currency)


def operation(identity, **more):
    return made("Operation", id="computeoperation-e00op", description="said so", created_by=ACCOUNT, resource_id=identity, **more)
