# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts of RunPod and Vast.ai with machines that are stopped and started, beside their bills (runpod.py, vastai.py). There is no public peer
of these services: the fakes follow what is published (API v2 of RunPod; vast-ai/docs and vast-cli), refuse every request that it does not allow,
and keep all requests. Their errors repeat the key, as a careless service would."""
import copy
import datetime
import json
import re
import socket
import struct
import urllib.parse

import keyedserver
import runpod
import vastai

RESET = None  # in place of an answer: the connection is reset


def ago(**time):
    return datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(**time)


class Handler(keyedserver.Handler):
    def do_GET(self):  # noqa: N802
        self.server.requests.append((self.command, self.path, ""))
        super().do_GET()

    def do_change(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        with self.server.lock:
            self.server.requests.append((self.command, self.path, body))
            answer = self.server.answer_to_change(self.command, self.path, body, self.headers.get("Authorization"))
        if answer is not RESET:
            self.send(*answer)
            return
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.rfile.close()
        self.connection.close()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_change  # noqa: N815


class Machines:
    """What both services have in common. `machines`: id: what the service tells about it."""

    def hold(self, *machines):
        self.RequestHandlerClass = Handler
        self.machines = {str(one["id"]): one for one in machines}
        self.requests = []  # (method, path with its query, body) of all
        self.reads_only = False  # whether the key may change nothing
        # In place of what follows a change, one each: (whether it is done, the answer, or that of the service if it is True).
        self.change_faults = []
        self.looks, self.at_look = 0, {}  # at machines; number of a look: called before it, and may return an answer
        self.takes = 1  # looks until a change is seen
        self.pending = {}  # id: [looks left, what the machine will be]
        self.after_change = None  # called before the answer to a change
        self.brings = None  # GPUs after a start; None: all

    @property
    def changes(self):
        """All requests that don't only read, with their bodies as JSON."""
        return [(method, path, json.loads(body or "null")) for method, path, body in self.requests if method != "GET"]

    def look(self, identity):
        """What the service tells about a machine; an answer, if it is a fault; None: there is no such machine."""
        self.looks += 1
        answer = self.at_look.get(self.looks, lambda: None)()
        if answer:
            return answer
        if identity in self.pending:
            self.pending[identity][0] -= 1
            if self.pending[identity][0] < 0:
                self.machines[identity] = self.pending.pop(identity)[1]
        return self.machines.get(identity)

    def answer_to_change(self, method, path, body, authorization):
        if authorization != f"Bearer {self.key}":
            return self.refusal(401, f"not a key: {authorization}")
        if self.reads_only:
            return self.refusal(403, f"{self.key} may not do this")
        does, told = self.change_faults.pop(0) if self.change_faults else (True, True)
        answer = self.change(method, urllib.parse.urlsplit(path), body) if does else None
        if self.after_change:
            self.after_change()
        return answer if told is True else told

    def turn(self, identity, **facts):
        """The machine will be so after some looks."""
        self.pending[identity] = [self.takes, {**copy.deepcopy(self.machines[identity]), **facts}]


def pod(identity, count=2, **more):
    """One that runs."""
    gpus = {"uptime": 900, "gpus": [{"util": 0, "memoryUtil": 5}] * count}
    return {**runpod.pod(identity, "training", count=count), "createdAt": ago(days=3).strftime("%FT%TZ"),
            "startedAt": ago(days=2).strftime("%FT%TZ"), "runtime": gpus, "mounts": {"persistent": {"size": 40}, "network": []}, "cluster": None, **more}


class RunpodMachines(Machines, runpod.Runpod):
    def __init__(self, *pods):
        super().__init__()
        self.hold(*pods)

    def answer(self, path, query):
        named = re.fullmatch("/v2/pods/([^/]+)", path)
        if path == "/v2/pods":
            return 200, json.dumps({"pods": list(self.machines.values())}).encode(), {}
        if not named or query:
            return super().answer(path, query)
        told = self.look(named[1])
        return told if isinstance(told, tuple) else runpod.fault(404, "Not Found", "pod not found") if told is None else self.told(told)

    @staticmethod
    def told(machine):
        return 200, json.dumps(machine).encode(), {}

    def change(self, method, url, body):
        named = re.fullmatch("/v2/pods/([^/]+)(/action)?", url.path)
        old = self.machines.get(named[1]) if named else None
        if old is None:
            return runpod.fault(404, "Not Found", "pod not found")
        action = {"POST": json.loads(body)["action"] if named[2] else None, "DELETE": None if named[2] else "terminate"}.get(method)
        if action == "terminate":
            del self.machines[named[1]]
            return 204, b"", {}
        if action not in old["actions"]:
            return runpod.fault(409, "Conflict", "action is not allowed now")
        if action == "stop":
            self.turn(old["id"], status="EXITED", actions=["start", "terminate"], runtime=None, cost=0)
        else:
            count = old["gpu"]["count"] if self.brings is None else self.brings
            runs = pod(old["id"], count=count)
            self.machines[old["id"]] = {**old, "status": "RUNNING", "actions": runs["actions"], "startedAt": ago().strftime("%FT%TZ")}  # no runtime yet
            self.turn(old["id"], runtime=runs["runtime"])
        return self.told(self.machines[old["id"]])


def instance(number, count=2, **more):
    """One that runs, on demand."""
    return {**vastai.instance(number, "training", count=count), "actual_status": "running", "cur_state": "running", "next_state": "running",
            "intended_status": "running", "is_bid": False, "start_date": ago(days=3).timestamp(), "end_date": ago(days=-90).timestamp(), **more}


class VastaiMachines(Machines, vastai.Vastai):
    def __init__(self, *instances):
        super().__init__()
        self.hold(*instances)

    def answer(self, path, query):
        self.instances = list(self.machines.values())
        named = re.fullmatch(r"/api/v0/instances/(\d+)/", path)
        if not named:
            return super().answer(path, query)
        if query not in ({}, {"owner": "me"}):
            return vastai.fault(400, "invalid_args", "unknown parameter")
        told = self.look(named[1])  # a destroyed one is null
        return told if isinstance(told, tuple) else (200, json.dumps({"instances": told}).encode(), {})

    def change(self, method, url, body):
        named = re.fullmatch(r"/api/v0/instances/(\d+)/", url.path)
        old = self.machines.get(named[1]) if named else None
        if old is None:
            return vastai.fault(404, "no_such_instance", "no such instance")
        if method == "DELETE":
            del self.machines[named[1]]
            return 200, b'{"success":true}', {}
        state = json.loads(body)
        if method != "PUT" or set(state) != {"state"} or state["state"] not in ("stopped", "running"):
            return vastai.fault(400, "invalid_args", "state")
        runs = state["state"] == "running"
        self.machines[named[1]] = {**old, "intended_status": state["state"], "next_state": state["state"]}
        count = old["num_gpus"] if self.brings is None else self.brings
        if count:  # without GPUs it waits for them
            self.turn(named[1], actual_status="running" if runs else "exited", cur_state=state["state"], num_gpus=count if runs else old["num_gpus"])
        return 200, b'{"success":true}', {}
