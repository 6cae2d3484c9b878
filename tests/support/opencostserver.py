# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenCost or Kubecost on a loopback port: days of assets and allocations set by a test, in the format of their API."""
import http.server
import json
import threading
import urllib.parse

DAY = 86400


def asset(name, total, gpu_cost, cluster="cluster-one", provider_id="", gpus=8, minutes=1440, **changes):
    """An asset of type Node; `changes` replaces members, None is written as null."""
    row = {"type": "Node", "nodeType": "p4d.24xlarge", "minutes": minutes, "cpuCores": 96, "ramBytes": 1236950581248.0,
           "GPUHours": gpus * minutes / 60, "gpuCount": gpus, "cpuCost": 0.0, "ramCost": 0.0, "gpuCost": gpu_cost, "discount": 0.0,
           "preemptible": 0, "adjustment": 0.0, "totalCost": total,
           "properties": {"category": "Compute", "provider": "AWS", "service": "Kubernetes", "cluster": cluster, "name": name,
                          "providerID": provider_id}}
    return {**row, **changes}


def allocation(node, gpu_hours, gpu_cost, cluster="cluster-one", **changes):
    row = {"properties": {"cluster": cluster, "node": node, "namespace": "ml", "pod": "p"}, "gpuHours": gpu_hours, "gpuCost": gpu_cost,
           "gpuCostAdjustment": 0.0, "totalCost": gpu_cost, "minutes": 1440}
    return {**row, **changes}


class Server:
    """`days` maps the Unix second of a day's start to (assets, allocations), dicts by name. All other days are empty."""

    def __init__(self, product="opencost", prefix="", token=None, header="Authorization"):
        self.product, self.prefix, self.token, self.header = product, prefix, token, header
        self.credential = f"Bearer {token}" if header == "Authorization" else token
        self.days, self.asked, self.broken = {}, [], {}
        self.most_at_once = self._now = 0
        self._lock = threading.Lock()

    def start(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                with outer._lock:
                    outer._now += 1
                    outer.most_at_once = max(outer.most_at_once, outer._now)
                try:
                    self.answer()
                except ConnectionError:
                    pass  # the client was killed
                finally:
                    with outer._lock:
                        outer._now -= 1

            def say(self, status, body, kind="application/json"):
                body = body if isinstance(body, bytes) else body.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def answer(self):
                url = urllib.parse.urlsplit(self.path)
                query = dict(urllib.parse.parse_qsl(url.query))
                if outer.token and self.headers.get(outer.header) != outer.credential:
                    return self.say(401, "no", "text/plain")
                base = outer.prefix + ("/model" if outer.product == "kubecost" else "")
                path = url.path[len(base):] if url.path.startswith(base + "/") else None
                if path == "/clusterInfo":
                    return self.say(200, json.dumps({"code": 200, "data": {"id": "cluster-one"}}))
                if path not in ("/assets", "/allocation"):
                    return self.say(404, "404 page not found\n", "text/plain")
                with outer._lock:
                    outer.asked.append((path, query))
                if path in outer.broken:
                    return self.say(*outer.broken[path])
                try:
                    start, end = map(int, query["window"].split(","))
                    if end - start != DAY or start % DAY:
                        raise ValueError
                except ValueError:
                    return self.say(400, "Invalid 'window' parameter\n{\"code\":400,\"data\":null}", "text/plain")
                return self.say(200, json.dumps({"code": 200, "status": "success", "data": outer.data(path, start)}))

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}{self.prefix}"

    def data(self, path, start):
        assets, allocations = self.days.get(start, ({}, {}))
        if path == "/allocation":
            return [dict(allocations)]
        return [dict(assets)] if self.product == "kubecost" else dict(assets)

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
