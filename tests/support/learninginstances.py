# SPDX-License-Identifier: GPL-3.0-or-later
"""Compute instances of Azure Machine Learning (2022-10-01) that are stopped and started, beside the virtual machines of resourcemanager.py."""
import json
import re

import resourcemanager
from resourcemanager import A100, PARTS, WORKSPACES, StoppableMachines, compute, compute_of, fault, moment, moments_ago

PLACE = f"(/subscriptions/[^/]+/resourceGroups/[^/]+{WORKSPACES}/[^/]+/computes/[^/]+)"
COMPUTES = WORKSPACES.removeprefix("/providers/") + "/computes"
STOP, START = "stop instance", "start instance"
VERBS = {"stop": (STOP, "Stopping", "Stopped"), "start": (START, "Starting", "Running")}
resourcemanager.VERSIONS.update(dict.fromkeys(("compute", STOP, START), "2022-10-01"))
resourcemanager.RIGHTS["compute"] = COMPUTES + "/read"


def right_to(verb):
    return f"{COMPUTES}/{verb}/action"


def instance(name, power="Running", **more):
    """An instance; `more`: what else its details have."""
    return {**compute(name, "ComputeInstance"), "power": power, "operation": "succeeded", "since": moments_ago(days=2), "created": moments_ago(days=3),
            "size": A100.upper(), "tags": {"team": "vision"}, "location": "eastus", "more": more}


def described(one, place):
    if one["kind"] != "ComputeInstance":
        return compute_of(one, place)
    last = {"operationName": "Start" if one["power"] in ("Starting", "Running") else "Stop", "operationTime": moment(one["since"]),
            "operationStatus": "InProgress" if one["operation"] == "updating" else "Succeeded", "operationTrigger": "User"}
    told = compute_of({**one, "details": {"vmSize": one["size"], "state": one["power"], "lastOperation": last, **one["more"]}}, place)
    told["properties"]["createdOn"] = moment(one["created"])
    return {**told, "tags": one["tags"]}


class StoppableInstances(StoppableMachines):
    def learning_rows(self, kind, place):
        return [described(one, place) for one in place["computes"]] if kind == "computes" else super().learning_rows(kind, place)

    def part_at(self, path):
        found = re.fullmatch(PLACE + "(/.*)?", path, re.IGNORECASE)
        kind = {**PARTS, "": "compute", "/instanceview": None}.get((found[2] or "").lower()) if found else None
        return (found[1], kind) if kind else super().part_at(path)

    def change_at(self, path):
        found = re.fullmatch(PLACE + "/(stop|start)", path, re.IGNORECASE)
        if not found:
            return super().change_at(path)
        verb, during, afterwards = VERBS[found[2].lower()]
        return found[1], verb, right_to(found[2].lower()), during, afterwards

    def answer_to_change(self, handler, method, path, query, body):
        if method == "POST" and path.lower().endswith("/listnodes"):  # a question
            return handler.not_admitted() or self.answer(path, query)
        return super().answer_to_change(handler, method, path, query, body)

    def machine_at(self, path):
        for place in self.workspaces or ():
            for one in place["computes"]:
                one["id"] = f"{place['id']}/computes/{one['name']}"
                if one["id"].lower() == path.lower():
                    return one
        return super().machine_at(path)

    @staticmethod
    def not_found(path):
        return fault(404, "ResourceNotFound", f"{path.split('/')[8]} was not found.")

    def part(self, kind, one, path, query):
        if kind != "compute":
            return super().part(kind, one, path, query)
        place, = (place for place in self.workspaces if one in place["computes"])
        told = described(one, place)
        if one["kind"] == "ComputeInstance":
            self.go_on(one)
        return 200, json.dumps(told).encode(), {}
