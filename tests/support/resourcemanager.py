# SPDX-License-Identifier: GPL-3.0-or-later
"""Resource Manager's lists of virtual machines, scale sets and sizes (Microsoft.Compute, 2024-07-01 and for sizes 2021-07-01) on a loopback port, with the login service
of azurecosts. There is no public peer: the fake follows the contract and refuses requests that the service would refuse. Resource groups change their case from list to
list, states come in another order than machines, the second page of a list is empty, and sizes are listed among other things. `faults` are given out one per question of
a kind of list, in place of an answer."""
import json
import re
import urllib.parse
import uuid

import azurecosts
from azurecosts import SCOPE, TENANT, Refused, fault

TOKEN = "canary-arm-token"
LOGIN = f"/{TENANT}/oauth2/v2.0/token"
COMPUTE = f"{SCOPE}/providers/Microsoft.Compute"
LISTS = {f"{COMPUTE}/{name}".lower(): kind for name, kind in (("virtualMachines", "machines"), ("virtualMachineScaleSets", "sets"), ("skus", "skus"))}
RIGHTS = {kind: f"Microsoft.Compute/{name}/read" for kind, name in (
    ("machines", "virtualMachines"), ("status", "virtualMachines"), ("sets", "virtualMachineScaleSets"), ("instances", "virtualMachineScaleSets/virtualMachines"),
    ("skus", "skus"))}
A100 = "Standard_NC24ads_A100_v4"


def arm_id(group, name, kind="virtualMachines"):
    return f"{SCOPE}/resourceGroups/{group}/providers/Microsoft.Compute/{kind}/{name}"


def run(since, power="running", operation="succeeded", created="2026-11-01T00:00:00"):
    """The state of a machine, whose last operation was at `since`; without power and operation, the list of states does not have it."""
    return {"since": since, "power": power, "operation": operation, "created": created}


def machine(name, since, size=A100, group="Lab", tags=None, scale_set="", location="eastus", priority="Regular", **state):
    return {"id": arm_id(group, name), "name": name, "size": size, "group": group, "tags": {"team": "vision"} if tags is None else tags, "scale_set": scale_set,
            "location": location, "priority": priority, **run(since, **state)}


def scale_set(name, *instances, size="Standard_ND96isr_H100_v5", group="Lab", tags=None, mode="Uniform", location="eastus"):
    """A scale set; each instance is a run()."""
    return {"id": arm_id(group, name, "virtualMachineScaleSets"), "name": name, "size": size, "group": group, "tags": tags or {}, "mode": mode, "location": location,
            "instances": list(instances)}


def sku(name, gpus="", kind="virtualMachines", location="eastus"):
    capabilities = [{"name": "vCPUs", "value": "12"}, {"name": "MemoryGB", "value": "110"}] + ([{"name": "GPUs", "value": gpus}] if gpus else [])
    return {"resourceType": kind, "name": name, "tier": "Standard", "family": "family", "locations": [location], "capabilities": capabilities, "restrictions": []}


def moment(text):
    return text + ".1234567+00:00"


def named(one, kind, **more):
    """What all lists say of a resource; there is no empty `tags`."""
    tags = {"tags": one["tags"]} if one["tags"] else {}
    return {"name": one["name"], "id": one["id"], "type": "Microsoft.Compute/" + kind, "location": one["location"], **tags, **more}


def vm_id(one):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, one["id"].lower()))


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
            "timeCreated": moment(one["created"]), "osProfile": {"computerName": one["name"]}}
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
    version, wanted = query.get("api-version"), "2021-07-01" if kind == "skus" else "2024-07-01"
    if not version:
        raise Refused(400, "MissingApiVersionParameter", "The api-version query parameter (?api-version=) is required for all requests.")
    if version != wanted:
        raise Refused(400, "NoRegisteredProviderFound", f"No registered resource provider found for API version '{version}'.")
    if "$expand" in query and (kind, query["$expand"]) != ("instances", "instanceView"):
        raise Refused(400, "BadRequest", "$expand is not supported on this request.")
    if "$filter" in query and (kind != "skus" or not re.fullmatch("location eq '[a-z0-9]+'", query["$filter"])):
        raise Refused(400, "BadRequest", "The filter is not valid.")


class ResourceManager(azurecosts.AzureCosts):
    """Its login service gives out tokens; TOKEN is valid until one is asked for there."""

    def __init__(self):
        super().__init__()
        self.RequestHandlerClass = Handler
        self.machines, self.sets = [], []
        self.skus = [sku("Premium_LRS", kind="disks"), sku("Standard_D4s_v5"), sku("Standard_NC99_RTXPRO9_v9", "2"), sku("Standard_NP10s"),
                     sku("Standard_NC99_RTXPRO9_v9", "4", location="westus3")]
        self.faults, self.denied, self.requests, self.is_endless = {}, set(), [], False  # {kind: [answers]}; rights; (method, path)
        self.page_rows, self.valid, self.left = 2, TOKEN, 10**9

    def count(self, kind):
        return len([one for one, _ in self.asked if one == kind])

    def set_at(self, path):
        """The scale set whose instances are at this path."""
        return next((one for one in self.sets if path.lower() == one["id"].lower() + "/virtualmachines"), None)

    def rows(self, kind, path, query):
        if kind == "machines":
            return [model_of(one) for one in self.machines]
        if kind == "status":
            return [status_of(one) for one in reversed(self.machines) if one["power"] or one["operation"]]
        if kind == "sets":
            return [set_of(one) for one in self.sets]
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
        kind = LISTS.get(path.lower()) or ("instances" if self.set_at(path) else "")
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
                return fault(403, "AuthorizationFailed",
                             f"The client '{uuid.UUID(int=1)}' with object id '{uuid.UUID(int=2)}' does not have authorization to perform action '{RIGHTS[kind]}' over "
                             f"scope '{SCOPE}' or the scope is invalid. If access was recently granted, please refresh your credentials.")
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
        out = {"value": some}
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
        if self.path_of() == LOGIN:
            return self.server.login(dict(urllib.parse.parse_qsl(text)))
        return fault(405, "MethodNotAllowed")

    def looked_up(self):
        server, path = self.server, self.path_of()
        given = self.headers.get("Authorization")
        if not given:
            return fault(401, "AuthenticationFailed", "Authentication failed. The 'Authorization' header is missing.")
        if given != f"Bearer {server.valid}" or server.left <= 0:
            return fault(401, "ExpiredAuthenticationToken", "The access token expiry UTC time is earlier than current UTC time.")
        server.left -= 1
        return server.answer(path, dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query)))
