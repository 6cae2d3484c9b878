# SPDX-License-Identifier: GPL-3.0-or-later
"""Resource Manager's lists of virtual machines, scale sets and sizes (Microsoft.Compute, 2024-07-01 and for sizes 2021-07-01) on a loopback port, with the login service
of azurecosts, and the activity log (Microsoft.Insights, 2015-04-01). There is no public peer: the fake follows the contract and refuses requests that the service would refuse. Resource groups change their case from list to
list, states come in another order than machines, the second page of a list is empty, and sizes are listed among other things. `faults` are given out one per question of
a kind of list, in place of an answer. With `workspaces`, the subscription has Azure Machine Learning (2022-10-01), and Azure Monitor the metrics of its GPUs
(Microsoft.Insights/metrics, 2018-01-01). StoppableMachines also tells about single machines, their locks and permissions (Microsoft.Authorization, 2016-09-01 and 2022-04-01),
deallocates and starts them."""
import collections
import datetime
import json
import re
import socket
import struct
import urllib.parse
import uuid

import azurecosts
from azurecosts import SCOPE, SUBSCRIPTION, TENANT, Refused, fault

TOKEN = "canary-arm-token"
LOGIN = f"/{TENANT}/oauth2/v2.0/token"
OTHER = "99999999-8888-7777-6666-555555555555"  # another subscription
COMPUTE = f"{SCOPE}/providers/Microsoft.Compute"
WORKSPACES = "/providers/Microsoft.MachineLearningServices/workspaces"
LISTS = {f"/subscriptions/{subscription}/providers/Microsoft.Compute/{name}".lower(): kind for subscription in (SUBSCRIPTION, OTHER)
         for name, kind in (("virtualMachines", "machines"), ("virtualMachineScaleSets", "sets"), ("skus", "skus"))}
LISTS |= {f"/subscriptions/{subscription}/providers/Microsoft.Insights/eventtypes/management/values".lower(): "activity" for subscription in (SUBSCRIPTION, OTHER)}
RIGHTS = {kind: f"Microsoft.Compute/{name}/read" for kind, name in (
    ("machines", "virtualMachines"), ("status", "virtualMachines"), ("sets", "virtualMachineScaleSets"), ("instances", "virtualMachineScaleSets/virtualMachines"),
    ("skus", "skus"), ("machine", "virtualMachines"), ("view", "virtualMachines/instanceView"))} | {
        kind: f"Microsoft.Authorization/{kind}/read" for kind in ("locks", "permissions")} | {
            "activity": "Microsoft.Insights/eventtypes/values/read", "workspaces": WORKSPACES.removeprefix("/providers/") + "/read",
            "computes": WORKSPACES.removeprefix("/providers/") + "/computes/read", "nodes": WORKSPACES.removeprefix("/providers/") + "/computes/listNodes/action",
            "metrics": "Microsoft.Insights/metrics/read"}
VERSIONS = {"skus": "2021-07-01", "activity": "2015-04-01", "locks": "2016-09-01", "permissions": "2022-04-01",
            "workspaces": "2022-10-01", "computes": "2022-10-01", "nodes": "2022-10-01", "metrics": "2018-01-01"}  # of all else: 2024-07-01
A100 = "Standard_NC24ads_A100_v4"


def arm_id(group, name, kind="virtualMachines", subscription=SUBSCRIPTION):
    return f"/subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.Compute/{kind}/{name}"


def run(since, power="running", operation="succeeded", created="2026-11-01T00:00:00"):
    """The state of a machine, whose last operation was at `since`; without power and operation, the list of states does not have it."""
    return {"since": since, "power": power, "operation": operation, "created": created}


def machine(name, since, size=A100, group="Lab", tags=None, scale_set="", location="eastus", priority="Regular", computer="", subscription=SUBSCRIPTION, made="", **state):
    """`made` tells a machine from another one of the same name."""
    return {"id": arm_id(group, name, subscription=subscription), "name": name, "size": size, "group": group, "tags": {"team": "vision"} if tags is None else tags,
            "scale_set": scale_set, "location": location, "priority": priority, "computer": computer or name, "made": made, **run(since, **state)}


def scale_set(name, *instances, size="Standard_ND96isr_H100_v5", group="Lab", tags=None, mode="Uniform", location="eastus"):
    """A scale set; each instance is a run()."""
    return {"id": arm_id(group, name, "virtualMachineScaleSets"), "name": name, "size": size, "group": group, "tags": tags or {}, "mode": mode, "location": location,
            "instances": list(instances)}


def sku(name, gpus="", kind="virtualMachines", location="eastus"):
    capabilities = [{"name": "vCPUs", "value": "12"}, {"name": "MemoryGB", "value": "110"}] + ([{"name": "GPUs", "value": gpus}] if gpus else [])
    return {"resourceType": kind, "name": name, "tier": "Standard", "family": "family", "locations": [location], "capabilities": capabilities, "restrictions": []}


def workspace(name, *computes, group="Lab"):
    return {"id": f"{SCOPE}/resourceGroups/{group}{WORKSPACES}/{name}", "name": name, "location": "eastus", "computes": list(computes)}


def compute(name, kind, *nodes, **details):
    """A compute of Azure Machine Learning; the nodes of a cluster are (id, state)."""
    return {"name": name, "kind": kind, "nodes": list(nodes), "details": {**details, "currentNodeCount": len(nodes)} if kind == "AmlCompute" else details}


def gauge(name, instance, device, begin, end, percent, mib=1000):
    """A GPU that reports each minute from `begin` on: an element of the "gauges" of a workspace."""
    return {"compute": name, "instance": instance, "device": device, "begin": begin, "end": end, "GpuUtilizationPercentage": percent, "GpuMemoryUtilizationMegabytes": mib}


def compute_of(one, place):
    return {"id": f"{place['id']}/computes/{one['name']}", "name": one["name"], "type": "Microsoft.MachineLearningServices/workspaces/computes", "location": "eastus",
            "tags": {"team": "vision"}, "properties": {"computeType": one["kind"], "computeLocation": "eastus", "provisioningState": "Succeeded",
                                                       "createdOn": moment("2026-11-01T00:00:00"), "properties": one["details"]}}


def node_of(node, state):
    return {"nodeId": node, "nodeState": state, "privateIpAddress": "10.0.0.4", "port": 50000}


def event(one, operation, time, status="Succeeded", provider="Microsoft.Compute"):
    """An event of the activity log about a resource or its id, as {name: value} with what the service calls it; `operation` without its provider."""
    words = {"value": f"{provider}/{operation}", "localizedValue": operation}
    return {"resourceId": one if isinstance(one, str) else one["id"], "operationName": words, "status": {"value": status, "localizedValue": status},
            "eventTimestamp": time + ".7654321Z", "submissionTimestamp": time + ".9Z", "resourceProviderName": {"value": provider, "localizedValue": provider},
            "correlationId": str(uuid.uuid5(uuid.NAMESPACE_URL, operation + time)), "level": "Informational", "caller": "somebody@contoso.example"}


ACTIVITY = re.compile("eventTimestamp ge '([0-9TZ:-]+)' and eventTimestamp le '([0-9TZ:-]+)' and resourceProvider eq '([A-Za-z.]+)'")


def chosen(events, query):
    """What the log has for a filter, newest first, with the names that $select leaves."""
    begin, end, provider = ACTIVITY.fullmatch(query["$filter"]).groups()
    some = sorted((one for one in events if begin <= one["eventTimestamp"] <= end and one["resourceProviderName"]["value"] == provider),
                  key=lambda one: one["eventTimestamp"], reverse=True)
    return [{key: value for key, value in one.items() if key in query["$select"].split(",")} for one in some]


def check_activity(query):
    found = ACTIVITY.fullmatch(query.get("$filter", ""))
    if not found:
        raise Refused(400, "BadRequest", "The filter is not valid.")
    begin, end = (datetime.datetime.fromisoformat(one.replace("Z", "+00:00")) for one in found.groups()[:2])
    if not datetime.timedelta(0) <= end - begin < datetime.timedelta(days=90):
        raise Refused(400, "BadRequest", "The start time cannot be more than 90 days in the past.")


EACH_GPU = "ComputeName eq '*' and InstanceId eq '*' and DeviceId eq '*'"
GRAINS = {"PT1M": 1, "PT5M": 5}


def instants(text):
    return [datetime.datetime.fromisoformat(one.replace("Z", "+00:00")) for one in text.split("/")]


def check_metrics(query):
    if query.get("metricnames") not in ("GpuUtilizationPercentage", "GpuMemoryUtilizationMegabytes") or query.get("interval") not in GRAINS:
        raise Refused(400, "BadRequest", "Failed to find metric configuration.")
    if query.get("$filter") != EACH_GPU or query.get("top") != "5000" or not set(query.get("aggregation", "").split(",")) <= {"Average", "Maximum"}:
        raise Refused(400, "BadRequest", "The filter, the aggregation or the number of series is not valid.")
    if not re.fullmatch("[0-9TZ:-]+/[0-9TZ:-]+", query.get("timespan", "")) or len(set(instants(query["timespan"]))) != 2:
        raise Refused(400, "BadRequest", "The timespan is not valid.")


def metrics_of(gauges, query):
    """The answer of Azure Monitor: a series of each GPU that reported in the timespan, with all of its intervals; only those in which it reported have a value."""
    (start, end), minutes = instants(query["timespan"]), GRAINS[query["interval"]]
    series = []
    for one in gauges:
        begin, until = (datetime.datetime.fromisoformat(one[key] + "+00:00") for key in ("begin", "end"))
        if until <= start or begin >= end:
            continue
        points = []
        for number in range(int((end - start).total_seconds()) // 60 // minutes):
            at = start + datetime.timedelta(minutes=number * minutes)
            values = {key.lower(): one[query["metricnames"]] for key in query["aggregation"].split(",")} if begin <= at < until else {}
            points.append({"timeStamp": at.strftime("%Y-%m-%dT%H:%M:%SZ"), **values})
        place = (("computename", one["compute"]), ("instanceid", one["instance"]), ("deviceid", one["device"]))
        series.append({"metadatavalues": [{"name": {"value": name, "localizedValue": name}, "value": value} for name, value in place], "data": points})
    return {"cost": 0, "timespan": query["timespan"], "interval": query["interval"], "namespace": "Microsoft.MachineLearningServices/workspaces",
            "value": [{"name": {"value": query["metricnames"], "localizedValue": query["metricnames"]}, "unit": "Count", "timeseries": series, "errorCode": "Success"}]}


def moment(text):
    return text + ".1234567+00:00"


def named(one, kind, **more):
    """What all lists say of a resource; there is no empty `tags`."""
    tags = {"tags": one["tags"]} if one["tags"] else {}
    return {"name": one["name"], "id": one["id"], "type": "Microsoft.Compute/" + kind, "location": one["location"], **tags, **more}


def vm_id(one):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, one["id"].lower() + one.get("made", "")))


def shouted(one):
    """The same resource with its group in upper case."""
    return {**one, "id": one["id"].replace(f"/{one['group']}/", f"/{one['group'].upper()}/")}


def state_of(one):
    return one["operation"].split("/")[0].capitalize() or "Succeeded"


def view_of(one):
    codes = []
    if one["operation"]:
        codes.append({"code": "ProvisioningState/" + one["operation"], "level": "Info", "displayStatus": "Provisioning " + one["operation"], "time": moment(one["since"])})
    if one["power"]:
        codes.append({"code": "PowerState/" + one["power"], "level": "Info", "displayStatus": "VM " + one["power"]})
    return {"statuses": codes}


def model_of(one):
    told = {"vmId": vm_id(one), "hardwareProfile": {"vmSize": one["size"]}, "priority": one["priority"], "provisioningState": state_of(one),
            "timeCreated": moment(one["created"]), "osProfile": {"computerName": one["computer"]}}
    if one["priority"] == "Spot":
        told["evictionPolicy"] = "Deallocate"
    if one["scale_set"]:
        told["virtualMachineScaleSet"] = {"id": arm_id(one["group"].upper(), one["scale_set"], "virtualMachineScaleSets")}
    return named(one, "virtualMachines", zones=["1"], properties=told)


def status_of(one):
    return named(shouted({**one, "tags": {}}), "virtualMachines", properties={"vmId": vm_id(one), "instanceView": view_of(one)})


def set_of(one):
    return named(one, "virtualMachineScaleSets", zones=["1"], sku={"name": one["size"], "tier": "Standard", "capacity": len(one["instances"])},
                 properties={"orchestrationMode": one["mode"], "provisioningState": "Succeeded"})


def instance_of(one, number, is_expanded):
    """An instance of a uniform scale set; every other one says its size only as its sku."""
    state = one["instances"][number]
    whole = shouted({**one, "id": f"{one['id']}/virtualMachines/{number}", "name": f"{one['name']}_{number}"})
    told = {"vmId": vm_id(whole), "timeCreated": moment(state["created"]), "osProfile": {"computerName": f"{one['name']}{number:06}"}, "provisioningState": state_of(state)}
    if number % 2:
        told["hardwareProfile"] = {"vmSize": one["size"]}
    if is_expanded:
        told["instanceView"] = view_of(state)
    return named(whole, "virtualMachineScaleSets/virtualMachines", instanceId=str(number), zones=["1"], sku={"name": one["size"], "tier": "Standard"}, properties=told)


def check(kind, query):
    version, wanted = query.get("api-version"), VERSIONS.get(kind, "2024-07-01")
    if not version:
        raise Refused(400, "MissingApiVersionParameter", "The api-version query parameter (?api-version=) is required for all requests.")
    if version != wanted:
        raise Refused(400, "NoRegisteredProviderFound", f"No registered resource provider found for API version '{version}'.")
    if "$expand" in query and (kind, query["$expand"]) != ("instances", "instanceView"):
        raise Refused(400, "BadRequest", "$expand is not supported on this request.")
    if kind == "activity":
        check_activity(query)
    elif kind == "metrics":
        check_metrics(query)
    elif "$filter" in query and (kind != "skus" or not re.fullmatch("location eq '[a-z0-9]+'", query["$filter"])):
        raise Refused(400, "BadRequest", "The filter is not valid.")


def unauthorized(action, scope=SCOPE):
    return fault(403, "AuthorizationFailed",
                 f"The client '{uuid.UUID(int=1)}' with object id '{uuid.UUID(int=2)}' does not have authorization to perform action '{action}' over scope '{scope}' "
                 "or the scope is invalid. If access was recently granted, please refresh your credentials.")


class ResourceManager(azurecosts.AzureCosts):
    """Its login service gives out tokens; TOKEN is valid until one is asked for there."""

    def __init__(self):
        super().__init__()
        self.RequestHandlerClass = Handler
        self.machines, self.sets, self.activity = [], [], []
        self.skus = [sku("Premium_LRS", kind="disks"), sku("Standard_D4s_v5"), sku("Standard_NC99_RTXPRO9_v9", "2"), sku("Standard_NP10s"),
                     sku("Standard_NC99_RTXPRO9_v9", "4", location="westus3")]
        self.faults, self.denied, self.requests, self.is_endless = {}, set(), [], False  # {kind: [answers]}; rights; (method, path)
        self.page_rows, self.valid, self.left = 2, TOKEN, 10**9
        self.workspaces = None  # of Azure Machine Learning; None: the subscription does not have the service

    def count(self, kind):
        return len([one for one, _ in self.asked if one == kind])

    def set_at(self, path):
        """The scale set whose instances are at this path."""
        return next((one for one in self.sets if path.lower() == one["id"].lower() + "/virtualmachines"), None)

    def learning_at(self, path):
        """The kind of a list of Azure Machine Learning, and what has it."""
        if self.workspaces is not None and path.lower() == (SCOPE + WORKSPACES).lower():
            return "workspaces", None
        for one in self.workspaces or []:
            if path.lower() == one["id"].lower() + "/computes":
                return "computes", one
            if path.lower() == one["id"].lower() + "/providers/microsoft.insights/metrics":
                return "metrics", one
            for some in one["computes"]:
                if path.lower() == f"{one['id']}/computes/{some['name']}/listNodes".lower():
                    return "nodes", some
        return "", None

    def learning_rows(self, kind, place):
        if kind == "workspaces":
            return [{key: one[key] for key in ("id", "name", "location")} for one in self.workspaces]
        return [compute_of(one, place) for one in place["computes"]] if kind == "computes" else [node_of(*one) for one in place["nodes"]]

    def rows(self, kind, path, query):
        if self.learning_at(path)[0]:
            return self.learning_rows(*self.learning_at(path))
        of_subscription = path.lower().split("/providers/")[0] + "/"
        machines = [one for one in self.machines if one["id"].lower().startswith(of_subscription)]
        if kind == "machines":
            return [model_of(one) for one in machines]
        if kind == "status":
            return [status_of(one) for one in reversed(machines) if one["power"] or one["operation"]]
        if kind == "activity":
            return chosen([one for one in self.activity if one["resourceId"].lower().startswith(of_subscription)], query)
        if kind == "sets":
            return [set_of(one) for one in self.sets if one["id"].lower().startswith(of_subscription)]
        if kind == "skus":
            return [one for one in self.skus if "$filter" not in query or f"'{one['locations'][0]}'" in query["$filter"]]
        one = self.set_at(path)
        if one["mode"] != "Uniform":
            raise Refused(400, "OperationNotAllowed", "Virtual machines of a flexible scale set are not listed here.")
        return [instance_of(one, number, "$expand" in query) for number in range(len(one["instances"]))]

    def first_page(self, kind):
        """The body of the first page of a list of the subscription."""
        path = next(path for path, one in LISTS.items() if one == kind)
        return self.page(path, {}, self.rows(kind, path, {}))[1]

    def answer(self, path, query):
        kind = LISTS.get(path.lower()) or ("instances" if self.set_at(path) else self.learning_at(path)[0])
        if kind == "machines" and query.get("statusOnly") == "true":
            kind = "status"
        if not kind:
            return fault(404, "ResourceNotFound", "The resource was not found.")
        try:
            check(kind, query)
            self.asked.append((kind, query))
            one = self.faults[kind].pop(0) if self.faults.get(kind) else None
            if one:
                return one
            if RIGHTS[kind] in self.denied:
                return unauthorized(RIGHTS[kind])
            if kind == "metrics":
                return 200, json.dumps(metrics_of(self.learning_at(path)[1].get("gauges", []), query)).encode(), {}
            return self.page(path, query, self.rows(kind, path, query))
        except Refused as refused:
            return fault(*refused.args)

    def page(self, path, query, rows):
        question = {key: value for key, value in query.items() if key != "$skiptoken"}
        link = query.get("$skiptoken", "")
        if self.is_endless:
            return self.told([], path, question, str(int(link or 0) % 3 + 1))
        same = (path.lower(), *sorted(question.items()))
        if link and self.links.get(link, (0, None))[1] != same:
            raise Refused(400, "InvalidSkipToken", "The skip token is not of this list.")
        first = self.links[link][0] if link else 0
        is_gap = bool(link) and first == self.page_rows and not link.endswith("gap")
        following = first if is_gap else first + self.page_rows
        token = f"a+b/{len(self.links)}=" + ("gap" if is_gap else "") if following < len(rows) else ""
        if token:
            self.links[token] = following, same
        return self.told([] if is_gap else rows[first:following], path, question, token)

    def told(self, some, path, question, token):
        out = {"nodes" if path.lower().endswith("/listnodes") else "value": some}
        if token:
            out["nextLink"] = f"{self.url()}{path}?{urllib.parse.urlencode({**question, '$skiptoken': token})}"
        return 200, json.dumps(out).encode(), {"x-ms-ratelimit-remaining-subscription-reads": "249"}


class Handler(azurecosts.Handler):
    def path_of(self):
        """The path, after the request was noted."""
        path = urllib.parse.urlsplit(self.path).path
        self.server.requests.append((self.command, path))
        return path

    def do_GET(self):  # noqa: N802
        with self.server.lock:
            status, body, headers = self.looked_up()
        self.send(status, body, headers)

    def do_PUT(self):  # noqa: N802
        self.path_of()
        self.send(405, b"", {"Content-Length": "0"})

    do_PATCH = do_DELETE = do_HEAD = do_PUT

    def reply(self, text):
        path = self.path_of()
        if path == LOGIN:
            return self.server.login(dict(urllib.parse.parse_qsl(text)))
        if path.lower().endswith("/listnodes"):  # the one question that is asked by POST
            return self.not_admitted() or self.server.answer(path, self.query())
        return fault(405, "MethodNotAllowed")

    def looked_up(self):
        path = self.path_of()
        if path.lower().endswith("/listnodes") and "$skiptoken" not in self.query():
            return fault(405, "MethodNotAllowed")
        return self.not_admitted() or self.server.answer(path, self.query())

    def query(self):
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))

    def not_admitted(self):
        """Why the token is refused."""
        server, given = self.server, self.headers.get("Authorization")
        if not given:
            return fault(401, "AuthenticationFailed", "Authentication failed. The 'Authorization' header is missing.")
        if given != f"Bearer {server.valid}" or server.left <= 0:
            return fault(401, "ExpiredAuthenticationToken", "The access token expiry UTC time is earlier than current UTC time.")
        server.left -= 1
        return None


ECHO = b"THE-TOKEN-THAT-WAS-SENT"
RESET = None  # in place of an answer to a change: the connection is reset
MACHINE = "(/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft.Compute/virtualMachines/[^/]+)"
PARTS = {"": "machine", "/instanceview": "view", "/providers/microsoft.authorization/locks": "locks", "/providers/microsoft.authorization/permissions": "permissions"}
VERBS = {"deallocate": ("deallocating", "deallocated"), "start": ("starting", "running")}
ALL_ACTIONS = [{"actions": ["*"], "notActions": []}]


def moments_ago(**time):
    return (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(**time)).strftime("%Y-%m-%dT%H:%M:%S")


def action_of(verb):
    return f"Microsoft.Compute/virtualMachines/{verb}/action"


def lock(scope, level, name="keep"):
    return {"scope": scope, "level": level, "name": name}


def allows(permissions, action):
    def names(wildcards):
        return any(re.fullmatch(re.escape(one).replace(r"\*", ".*"), action, re.IGNORECASE) for one in wildcards)
    return any(names(one["actions"]) and not names(one["notActions"]) for one in permissions)


class StoppableMachines(ResourceManager):
    """A machine is told with its group in upper case, its state with what its agent told a moment ago. Changes that the service would refuse are refused."""

    def __init__(self):
        super().__init__()
        self.RequestHandlerClass = StopHandler
        self.changes, self.executed = [], []  # (method, path, query, body) of all that doesn't only read, but logins; (verb, name of the machine) of what was done
        self.locks, self.permissions = [], {}  # {name of the machine: what it may}; without: all
        self.closed = set()  # subscriptions whose lists are refused
        self.seen, self.events = collections.Counter(), {}  # questions about single machines; {(kind, number): called before it, and may return an answer}
        # In place of what follows a change, one each: (whether it is done, the answer, or that of the service if it is True).
        self.change_faults = []
        self.before_change, self.after_change = None, None  # called when a change arrives, and before its answer
        self.takes, self.start_ends = 1, None  # states told until a change is over; what a start leads to, if not to a machine that runs
        self.pending = {}  # lower-case id: [states left, what the machine will be]

    def machine_at(self, path):
        return next((one for one in self.machines if one["id"].lower() == path.lower()), None)

    def part_at(self, path):
        """The id of a machine, and what is asked about it."""
        found = re.fullmatch(MACHINE + "(/.*)?", path, re.IGNORECASE)
        return (found[1], PARTS.get((found[2] or "").lower())) if found else (None, None)

    def change_at(self, path):
        """The id of a machine, what is done to it, the right for it, and its states meanwhile and afterwards; None: nothing is."""
        found = re.fullmatch(MACHINE + "/(deallocate|start)", path, re.IGNORECASE)
        return (found[1], found[2].lower(), action_of(found[2].lower()), *VERBS[found[2].lower()]) if found else None

    def from_now(self, events):
        self.seen.clear()
        self.events = events

    def answer(self, path, query):
        if path.split("/")[2:3] and path.split("/")[2].lower() in self.closed:
            return unauthorized(RIGHTS["machines"], "/".join(path.split("/")[:3]))
        place, kind = self.part_at(path)
        if not kind:
            return super().answer(path, query)
        try:
            check(kind, query)
        except Refused as refused:
            return fault(*refused.args)
        self.asked.append((kind, query))
        self.seen[kind] += 1
        instead = self.events.get((kind, self.seen[kind]), lambda: None)()
        if isinstance(instead, tuple):
            return instead
        if RIGHTS[kind] in self.denied:
            return unauthorized(RIGHTS[kind], place)
        one = self.machine_at(place)
        return self.part(kind, one, path, query) if one else self.not_found(path)

    @staticmethod
    def not_found(path):
        return fault(404, "ResourceNotFound", f"The Resource 'Microsoft.Compute/virtualMachines/{path.split('/')[8]}' under resource group '{path.split('/')[4]}' was not found.")

    def part(self, kind, one, path, query):
        if kind == "machine":
            return 200, json.dumps(model_of(shouted(one))).encode(), {}
        if kind == "permissions":
            return self.page(path, query, [{**some, "dataActions": [], "notDataActions": []} for some in self.permissions.get(one["name"], ALL_ACTIONS)])
        if kind == "locks":
            return self.page(path, query, [
                {"id": f"{some['scope']}/providers/Microsoft.Authorization/locks/{some['name']}", "name": some["name"], "type": "Microsoft.Authorization/locks",
                 "properties": {"level": some["level"], "notes": "so that nothing happens"}} for some in self.locks_of(one)])
        told = view_of(one)
        if one["power"] == "running":
            told.update(computerName=one["computer"], vmAgent={"vmAgentVersion": "2.11.1.4", "statuses": [
                {"code": "ProvisioningState/succeeded", "level": "Info", "displayStatus": "Ready", "message": "Guest Agent is running", "time": moment(moments_ago())}]})
        self.go_on(one)
        return 200, json.dumps(told).encode(), {}

    def locks_of(self, one):
        """Those of what contains it, too."""
        return [some for some in self.locks if (one["id"].lower() + "/").startswith(some["scope"].lower() + "/")]

    def go_on(self, one):
        pending = self.pending.get(one["id"].lower())
        if pending:
            pending[0] -= 1
            if pending[0] <= 0:
                one.update(since=moments_ago(), **pending[1])
                del self.pending[one["id"].lower()]

    def answer_to_change(self, handler, method, path, query, body):
        self.changes.append((method, path, query, body))
        if self.before_change:
            self.before_change()
        refused = handler.not_admitted()
        if refused:
            return refused
        if handler.headers.get("Content-Length") is None:
            return fault(411, "LengthRequired", "A length is required.")
        does, told = self.change_faults.pop(0) if self.change_faults else (True, True)
        answer = self.change(method, path, query) if does else None
        if self.after_change:
            self.after_change()
        return answer if told is True else told

    def change(self, method, path, query):
        found = self.change_at(path)
        if method != "POST" or not found:
            return fault(405, "MethodNotAllowed")
        place, verb, right, during, afterwards = found
        one = self.machine_at(place)
        self.asked.append((verb, query))
        try:
            check(verb, query)
        except Refused as refused:
            return fault(*refused.args)
        if not one:
            return self.not_found(path)
        if not allows(self.permissions.get(one["name"], ALL_ACTIONS), right):
            return unauthorized(right, one["id"])
        if any(some["level"] == "ReadOnly" for some in self.locks_of(one)):
            return fault(409, "ScopeLocked", f"The scope '{one['id']}' cannot perform write operation because following scope(s) are locked.")
        if one["id"].lower() in self.pending or one["operation"] in ("updating", "creating", "deleting"):
            return fault(409, "OperationNotAllowed", "The operation is not allowed while another one is in progress.")
        self.executed.append((verb, one["name"]))
        if one["power"] == afterwards:
            return 200, b"", {}
        ends = {"power": afterwards, "operation": "succeeded"}
        if verb == "start" and self.start_ends:
            ends = self.start_ends
        one.update(power=during, operation="updating", since=moments_ago())
        self.pending[one["id"].lower()] = [self.takes, ends]
        if not self.takes:
            self.go_on(one)
        place = f"{self.url()}{'/'.join(one['id'].split('/')[:3])}/providers/Microsoft.Compute/locations/{one['location']}/operations/{uuid.uuid4()}?api-version=2024-07-01"
        return 202, b"", {"Azure-AsyncOperation": place, "Location": place + "&monitor=true", "Retry-After": "10"}


class StopHandler(Handler):
    def send(self, status, body, headers):
        """Where an answer has ECHO, it repeats the token, as a careless service would."""
        super().send(status, body.replace(ECHO, self.headers.get("Authorization", "").removeprefix("Bearer ").encode()), headers)

    def do_change(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        with self.server.lock:
            path = self.path_of()
            if self.command == "POST" and path == LOGIN:
                answer = self.server.login(dict(urllib.parse.parse_qsl(body)))
            else:
                answer = self.server.answer_to_change(self, self.command, path, self.query(), body)
        if answer is not RESET:
            self.send(*answer)
            return
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.rfile.close()
        self.connection.close()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_change  # noqa: N815
