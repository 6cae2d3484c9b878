# SPDX-License-Identifier: GPL-3.0-or-later
"""What EC2 tells about instances and their types, on a loopback port, with launch times and reasons at will, which moto does not have. Follows the
contract (botocore's models): lists have pages, of which the second one is empty and has a token; types are filtered, and one that EC2 does not know is not in
the answer. `faults` are given out one per action, in place of an answer. Signatures are not checked: tst_sigv4 does that."""
import http.server
import json
import threading
import urllib.parse
import xml.sax.saxutils

import awsprices

# type: (name, maker, count, MiB of one); a part of a GPU counts 0.
TYPES = {"p5.48xlarge": ("H100", "NVIDIA", 8, 81920), "g6f.large": ("L4", "NVIDIA", 0, 2861), "p9.new": ("X900", "NVIDIA", 4, 200000), "m5.large": None}
NOTHING = json.dumps({"NotebookInstances": [], "Endpoints": [], "TrainingJobSummaries": [], "Apps": []}).encode()
CODES = {"pending": 0, "running": 16, "shutting-down": 32, "terminated": 48, "stopping": 64, "stopped": 80, "dreaming": 96}


def machine(number, launched, state="running", kind="p5.48xlarge", reason="", tags=None, lifecycle=""):
    return {"id": f"i-{number:017x}", "launched": launched, "state": state, "kind": kind, "reason": reason, "tags": {"team": "vision"} if tags is None else tags,
            "lifecycle": lifecycle}


class Ec2Machines(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.machines, self.page, self.is_endless = [], 2, False
        self.denied, self.asked, self.faults = set(), [], {}  # actions; (action, form); {action: [answers]}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that was killed is no failure."""

    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()

    def count(self, action):
        return len([one for one, _ in self.asked if one == action])

    def instances(self, form):
        if "InstanceId.1" in form:
            return awsprices.ec2_fault(400, "InvalidInstanceID.NotFound")
        if not 5 <= int(form["MaxResults"]) <= 1000:
            return awsprices.ec2_fault(400, "InvalidParameterValue")
        token = form.get("NextToken", "")
        if self.is_endless:
            return answer("DescribeInstances", "", str(int(token or 0) % 3 + 1))
        first = int(token.strip("e") or 0)
        if first == self.page and not token.endswith("e"):
            return answer("DescribeInstances", "<reservationSet/>", token + "e")  # an empty page with a token
        rows = "".join(self.row(one) for one in self.machines[first:first + self.page])
        return answer("DescribeInstances", f"<reservationSet>{rows}</reservationSet>", str(first + self.page) if first + self.page < len(self.machines) else "")

    @staticmethod
    def row(one):
        escape = xml.sax.saxutils.escape
        tags = "".join(f"<item><key>{escape(key)}</key><value>{escape(value)}</value></item>" for key, value in one["tags"].items())
        return ("<item><ownerId>123456789012</ownerId><instancesSet><item>"
                f"<instanceId>{one['id']}</instanceId><instanceType>{one['kind']}</instanceType><launchTime>{one['launched']}</launchTime>"
                f"<instanceState><code>{CODES[one['state']] + 256}</code><name>{one['state']}</name></instanceState><reason>{escape(one['reason'])}</reason>"
                f"<privateDnsName>ip-{one['id'][-4:]}.ec2.internal</privateDnsName><placement><availabilityZone>us-east-1a</availabilityZone></placement>"
                + (f"<instanceLifecycle>{one['lifecycle']}</instanceLifecycle>" if one["lifecycle"] else "") +
                f"<tagSet>{tags}</tagSet></item></instancesSet></item>")

    @staticmethod
    def types(form):
        wanted = [value for name, value in sorted(form.items()) if name.startswith("Filter.1.Value.")]
        if form.get("Filter.1.Name") != "instance-type" or not 0 < len(wanted) <= 200:
            return awsprices.ec2_fault(400, "InvalidParameterValue")
        rows = ""
        for kind in wanted:
            if kind not in TYPES:
                continue
            gpu = TYPES[kind]
            told = (f"<gpuInfo><gpus><item><name>{gpu[0]}</name><manufacturer>{gpu[1]}</manufacturer><count>{gpu[2]}</count><memoryInfo><sizeInMiB>{gpu[3]}"
                    "</sizeInMiB></memoryInfo></item></gpus></gpuInfo>") if gpu else ""
            rows += f"<item><instanceType>{kind}</instanceType>{told}</item>"
        return answer("DescribeInstanceTypes", f"<instanceTypeSet>{rows}</instanceTypeSet>", "")


def answer(action, rows, token):
    body = (f'<?xml version="1.0" encoding="UTF-8"?><{action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>req-1</requestId>{rows}'
            f"<nextToken>{token}</nextToken></{action}Response>")
    return 200, body.encode(), {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):  # noqa: N802
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.headers.get("X-Amz-Target", "").startswith("SageMaker.List"):  # it has nothing; moto has: tst_sagemaker
            status, body, headers = 200, NOTHING, {}
        else:
            status, body, headers = self.reply(dict(urllib.parse.parse_qsl(asked, keep_blank_values=True)))
        self.send_response(status)
        for name, value in {"Content-Type": "text/xml", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def reply(self, form):
        server, action = self.server, form["Action"]
        server.asked.append((action, form))
        if "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/" not in self.headers.get("Authorization", ""):
            return awsprices.ec2_fault(403, "MissingAuthenticationToken")
        if server.faults.get(action):
            return server.faults[action].pop(0)
        if action in server.denied:
            return awsprices.ec2_fault(403, "UnauthorizedOperation", f"User: x is not authorized to perform: ec2:{action}")
        if action == "DescribeInstances":
            return server.instances(form)
        if action == "DescribeInstanceTypes":
            return server.types(form)
        return awsprices.ec2_fault(400, "InvalidAction")
