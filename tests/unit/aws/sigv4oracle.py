#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sigv4oracle.py: signs random requests with botocore. Prints a JSON list of requests with their signatures, or "no botocore".

The clock of botocore is set to the time of each request. Arguments: COUNT SEED.
"""
import datetime
import json
import os
import random
import subprocess
import sys
import unittest.mock
import urllib.parse

OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "build", "python-test", "bin", "python")

try:
    import botocore.auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials
except ImportError:
    for python in (OWN, "python3"):
        if "GPULEDGER_ORACLE_TRIED" in os.environ:
            break
        try:
            found = subprocess.run([python, "-c", "import botocore.auth"], stderr=subprocess.DEVNULL, check=False)
        except OSError:
            continue
        if found.returncode == 0:
            os.environ["GPULEDGER_ORACLE_TRIED"] = "1"
            os.execvp(python, [python, os.path.abspath(__file__), *sys.argv[1:]])
    print("no botocore")
    sys.exit(0)

WORDS = ["a", "Zz", "0-9_.~", "ä", "e\u0301", "日本", "a b", "x+y", "50%", "k=v", "a&b", "/", "#", "'\"", "*", ":;@", "(!)"]


def text(rnd, most=4):
    return "".join(rnd.choice(WORDS) for _ in range(rnd.randint(1, most)))


def request(rnd):
    quote = urllib.parse.quote
    path = "/" + "/".join(quote(text(rnd), safe="-_.~") for _ in range(rnd.randint(0, 3)))
    query = "&".join(quote(text(rnd, 2), safe="-_.~") + "=" + quote(text(rnd, 2), safe="-_.~") for _ in range(rnd.randint(0, 5)))
    host = rnd.choice(["ec2.us-east-1.amazonaws.com", "api.sagemaker.eu-west-1.amazonaws.com", "127.0.0.1:5000", "[::1]:8443", "h:443", "h:8443"])
    headers = [["X-Custom-%d" % i, rnd.choice(["  lead", "trail  ", "two  spaces", "plain", "a,b", "ä"])] for i in range(rnd.randint(0, 3))]
    when = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=rnd.randint(0, 2_000_000_000))
    return {"method": rnd.choice(["GET", "POST"]), "url": "https://" + host + path + ("?" + query if query else ""), "headers": headers,
            "body": text(rnd, 9) if rnd.random() < 0.7 else "", "type": "application/x-www-form-urlencoded; charset=utf-8", "key": "AKID" + str(rnd.randint(0, 9999)),
            "secret": text(rnd, 6), "token": text(rnd, 3) if rnd.random() < 0.5 else "", "region": rnd.choice(["us-east-1", "eu-central-1", "cn-north-1"]),
            "service": rnd.choice(["ec2", "sagemaker", "sts"]), "at": int(when.timestamp())}


def sign(one):
    when = datetime.datetime.fromtimestamp(one["at"], datetime.timezone.utc)
    headers = dict((k, v) for k, v in one["headers"])
    if one["method"] == "POST":
        headers["Content-Type"] = one["type"]
    made = AWSRequest(method=one["method"], url=one["url"], data=one["body"].encode(), headers=headers)

    class Frozen(datetime.datetime):
        @classmethod
        def utcnow(cls):
            return when.replace(tzinfo=None)

        @classmethod
        def now(cls, tz=None):
            return when

    with unittest.mock.patch.object(botocore.auth, "get_current_datetime", lambda remove_tzinfo=True: when.replace(tzinfo=None), create=True), \
            unittest.mock.patch.object(botocore.auth.datetime, "datetime", Frozen) if hasattr(botocore.auth, "datetime") else unittest.mock.MagicMock():
        botocore.auth.SigV4Auth(Credentials(one["key"], one["secret"], one["token"] or None), one["service"], one["region"]).add_auth(made)
    assert made.headers["X-Amz-Date"] == when.strftime("%Y%m%dT%H%M%SZ"), made.headers["X-Amz-Date"]
    return made.headers["Authorization"]


def main(count, seed):
    rnd = random.Random(seed)
    requests = [request(rnd) for _ in range(count)]
    for one in requests:
        one["authorization"] = sign(one)
    print(json.dumps(requests))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
