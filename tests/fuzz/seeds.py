# SPDX-License-Identifier: GPL-3.0-or-later
"""The starting point of each fuzz target: inputs that its parser accepts, generated here, and the words of its format.

SEEDS and WORDS are keyed by the name of the target. If an input has several parts, the byte 1e ends each of them (fuzz.h, pieces()); a
first byte may select what is done with the others (choice()).
"""
import gzip
import json
import struct

END = b"\x1e"


def text(value):
    return json.dumps(value, separators=(",", ":")).encode()


def zstd(content):
    """A frame that states its length, with one uncompressed block."""
    size = bytes([0x20, len(content)]) if len(content) < 256 else b"\x60" + struct.pack("<H", len(content) - 256)
    return b"\x28\xb5\x2f\xfd" + size + struct.pack("<I", len(content) << 3 | 1)[:3] + content


def series(*each, kind="matrix"):
    return text({"status": "success", "data": {"resultType": kind, "result": list(each)}})


GPU = {"__name__": "DCGM_FI_DEV_GPU_UTIL", "UUID": "GPU-1", "gpu": "0", "Hostname": "node-1", "modelName": "NVIDIA A100", "namespace": "ml", "pod": "train-0",
       "exported_pod": "train-0", "GPU_I_PROFILE": "1g.10gb", "GPU_I_ID": "3", "instance": "10.0.0.1:9400"}

FOCUS = {
    "BilledCost": "1.5", "BillingAccountId": "123456789012", "BillingAccountName": "prod", "BillingCurrency": "USD", "BillingPeriodStart": "2024-09-01T00:00:00Z",
    "BillingPeriodEnd": "2024-10-01T00:00:00Z", "ChargeCategory": "Usage", "ChargeClass": "", "ChargeDescription": "p4d.24xlarge", "ChargeFrequency": "Usage-Based",
    "ChargePeriodStart": "2024-09-01T00:00:00Z", "ChargePeriodEnd": "2024-09-01T01:00:00Z", "CommitmentDiscountId": "", "CommitmentDiscountStatus": "Used",
    "ConsumedQuantity": "1", "ConsumedUnit": "Hours", "ContractedCost": "1.5", "EffectiveCost": "1.25", "InvoiceIssuerName": "AWS", "ListCost": "2",
    "ListUnitPrice": "2.0", "PricingCategory": "Standard", "PricingQuantity": "1", "PricingUnit": "Hours", "ProviderName": "AWS", "PublisherName": "AWS",
    "RegionId": "eu-central-1", "ResourceId": "i-0123456789abcdef0", "ResourceType": "Instance", "ServiceCategory": "Compute", "ServiceName": "EC2",
    "SkuId": "SKU", "SkuPriceId": "SKU.1", "SubAccountId": "1", "Tags": '{"team": "vision", "user:env": null}', "x_Credits": '[{"Amount": -0.5}]'}


def table(rows, end="\r\n"):
    cell = lambda value: '"' + value.replace('"', '""') + '"' if set(value) & set(',"\n') else value
    return end.join(",".join(cell(v) for v in row) for row in rows).encode() + end.encode()


def bill(**changes):
    row = {**FOCUS, **changes}
    return table([row.keys(), row.values(), {**row, "BilledCost": "-2E-3", "ChargeCategory": "Credit"}.values()])


NEEDED = [k for k in FOCUS if k in ("BilledCost", "BillingAccountId", "BillingCurrency", "BillingPeriodStart", "BillingPeriodEnd", "ChargeCategory",
                                    "ChargePeriodStart", "ChargePeriodEnd", "EffectiveCost", "ProviderName", "Tags")]
SMALL_BILL = table([NEEDED, [FOCUS[k] for k in NEEDED], ["1e3"] + [FOCUS[k] for k in NEEDED[1:]], ["x"] * 3], "\n")

REPORT = {
    "line_item_line_item_type": "Usage", "line_item_unblended_cost": "32.7726", "line_item_currency_code": "USD", "bill_payer_account_id": "999999999999",
    "bill_billing_period_start_date": "2026-10-01T00:00:00.000Z", "bill_billing_period_end_date": "2026-11-01T00:00:00.000Z",
    "line_item_usage_start_date": "2026-10-05T07:00:00.000Z", "line_item_usage_end_date": "2026-10-05T08:00:00.000Z", "line_item_usage_account_id": "111111111111",
    "line_item_product_code": "AmazonEC2", "line_item_usage_type": "USE2-BoxUsage:p4d.24xlarge", "line_item_usage_amount": "1", "pricing_unit": "Hrs",
    "product": '{"product_name": "Amazon Elastic Compute Cloud", "region": "us-east-2"}', "resource_tags": '{"user_team": "vision"}', "cost_category": "{}",
    "reservation_effective_cost": "1.5", "reservation_reservation_a_r_n": "arn:r", "reservation_unused_amortized_upfront_fee_for_billing_period": "0.25",
    "reservation_unused_recurring_fee": "", "savings_plan_savings_plan_a_r_n": "arn:p", "savings_plan_savings_plan_effective_cost": "20",
    "savings_plan_used_commitment": "1", "savings_plan_total_commitment_to_date": "2E0", "split_line_item_parent_resource_id": ""}
LINE_TYPES = ["Usage", "DiscountedUsage", "SavingsPlanCoveredUsage", "SavingsPlanNegation", "SavingsPlanRecurringFee", "SavingsPlanUpfrontFee", "RIFee", "Fee", "Tax", "Credit",
              "Refund", "EdpDiscount", "New"]
# A Cost and Usage Report, and the older one with some of its columns.
CUR = table([REPORT.keys(), *({**REPORT, "line_item_line_item_type": kind, "line_item_unblended_cost": "-2.5" if kind == "SavingsPlanNegation" else "3"}.values() for kind in LINE_TYPES)])
OLD_NAMES = {"lineItem/LineItemType": "RIFee", "lineItem/UnblendedCost": "1E-3", "lineItem/CurrencyCode": "USD", "bill/PayerAccountId": "9", "bill/BillingPeriodStartDate": "2026-10-01",
             "bill/BillingPeriodEndDate": "2026-11-01", "lineItem/UsageStartDate": "2026-10-01", "lineItem/UsageEndDate": "2026-10-02", "lineItem/UsageAccountId": "1",
             "lineItem/ProductCode": "AmazonS3", "lineItem/UsageType": "Requests", "resourceTags/user:Team": "a", "costCategory/Unit": "b",
             "reservation/UnusedRecurringFee": "1", "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod": "2"}
OLD_CUR = table([OLD_NAMES.keys(), OLD_NAMES.values()], "\n")

WINDOW = {"start": "2025-10-09T00:00:00Z", "end": "2025-10-10T00:00:00Z"}
ASSET = {"type": "Node", "properties": {"category": "Compute", "cluster": "c", "name": "n", "providerID": "i-1", "provider": "AWS"}, "nodeType": "p4d.24xlarge",
         "minutes": 1440, "gpuCount": 8, "GPUHours": 192, "cpuCost": 1.5, "ramCost": 0.5, "gpuCost": 30.25, "adjustment": 0, "totalCost": 32.25, "preemptible": 0,
         "window": WINDOW}
ALLOCATION = {"name": "c/n/ml/train", "properties": {"cluster": "c", "node": "n", "namespace": "ml", "pod": "train"}, "window": WINDOW, "minutes": 60, "gpuHours": 8,
              "gpuCount": 8, "gpuCost": 3.5, "cpuCost": 0.25, "ramCost": 0.125, "totalCost": 4, "gpuAllocation": {"gpuUsageAverage": 0.5}}


def records(record, as_list):
    data = {"a": record, "__idle__": {**record, "name": "__idle__"}}
    return text({"code": 200, "status": "success", "message": "", "data": [data] if as_list else data})


POD = {"apiVersion": "v1", "kind": "Pod",
       "metadata": {"name": "train-0", "namespace": "ml", "uid": "u1", "resourceVersion": "7", "creationTimestamp": "2025-10-01T00:00:00Z",
                    "labels": {"team": "vision"}, "annotations": {"gpu-ledger.io/stopped-by": "a", "gpu-ledger.io/stopped-at": "2025-10-01T00:00:00Z"},
                    "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "train", "uid": "u2", "controller": True}]},
       "spec": {"nodeName": "n", "priority": 0, "nodeSelector": {"a": "b"}, "overhead": {"cpu": "10m"}, "volumes": [{"name": "v", "emptyDir": {}}],
                "containers": [{"name": "c", "resources": {"requests": {"cpu": "1500m", "memory": "2Gi"}, "limits": {"nvidia.com/gpu": "2"}}}],
                "initContainers": [{"name": "i", "restartPolicy": "Always", "resources": {"limits": {"nvidia.com/gpu": 1}}}]},
       "status": {"phase": "Pending", "allocatable": {"cpu": "96", "memory": "1e12", "nvidia.com/gpu": "8"},
                  "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3 nodes"}]}}
DEPLOYMENT = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "namespace": "ml", "uid": "u3", "resourceVersion": "9"},
              "spec": {"replicas": 2, "selector": {"matchLabels": {"team": "a"}, "matchExpressions": [{"key": "team", "operator": "In", "values": ["a"]}]},
                       "template": {"spec": POD["spec"]}, "suspend": False, "minReplicas": 1, "paused": False}, "status": {"replicas": 2}}
WORKLOAD = {"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "Workload",
            "metadata": {"name": "w", "namespace": "ml", "uid": "u4", "creationTimestamp": "2025-10-01T00:00:00Z"},
            "spec": {"active": True, "queueName": "q", "podSets": [{"name": "main", "count": 4, "template": {"spec": POD["spec"]}}], "clusterQueue": "cq"},
            "status": {"conditions": [{"type": "QuotaReserved", "status": "False", "message": "no quota"}]}}
STATUS = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "too old", "reason": "Expired", "code": 410}


def listed(*items, more=""):
    return text({"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "10", "continue": more}, "items": list(items)})


LOGIN = {"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
         "status": {"token": "secret", "expirationTimestamp": "2025-10-09T12:00:00Z", "clientCertificateData": "", "clientKeyData": ""}}

INSTANCES = b"""<?xml version="1.0" encoding="UTF-8"?>
<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId><reservationSet><item><ownerId>123456789012</ownerId>
<instancesSet><item><instanceId>i-0123456789abcdef0</instanceId><instanceState><code>16</code><name>running</name></instanceState>
<privateDnsName>ip-10-0-0-1.ec2.internal</privateDnsName><reason/><instanceType>p4d.24xlarge</instanceType><launchTime>2025-10-01T00:00:00.000Z</launchTime>
<placement><availabilityZone>eu-central-1a</availabilityZone></placement><rootDeviceType>ebs</rootDeviceType><instanceLifecycle>spot</instanceLifecycle>
<blockDeviceMapping><item><deviceName>/dev/xvda</deviceName><ebs><attachTime>2025-10-01T00:00:00.000Z</attachTime></ebs></item></blockDeviceMapping>
<tagSet><item><key>gpu-ledger.io/stopped-by</key><value>a &amp; b</value></item><item><key>gpu-ledger.io/stopped-at</key><value>2025-10-01T00:00:00Z</value></item>
</tagSet><operator><managed>false</managed></operator></item></instancesSet></item></reservationSet></DescribeInstancesResponse>"""
EC2_ERROR = b"<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>no</Message></Error></Errors><RequestID>r</RequestID></Response>"
STS_KEYS = (b"<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIA1</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>"
            b"<Expiration>2025-10-09T12:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>")
HOST_KEYS = text({"Code": "Success", "AccessKeyId": "ASIA1", "SecretAccessKey": "s", "Token": "t", "Expiration": "2025-10-09T12:00:00Z"})
SSO_LOGIN = text({"startUrl": "https://sso.example.org/start", "region": "eu-central-1", "accessToken": "t", "expiresAt": "2025-10-10T00:00:00Z"})
SSO_KEYS = text({"roleCredentials": {"accessKeyId": "ASIA1", "secretAccessKey": "s", "sessionToken": "t", "expiration": 1760010000000}})
KEYS_FILE = b"[default]\naws_access_key_id = AKIA1\naws_secret_access_key = s\n[work]\naws_access_key_id=AKIA2\naws_secret_access_key=s2\naws_session_token=t\n"
ROLE_FILE = b"[profile work]\nrole_arn = arn:aws:iam::123456789012:role/a\nsource_profile = default\n# note\n[default]\nregion = eu-central-1\n  nested = 1\n"
SSO_FILE = (b"[profile work]\nsso_session = my-sso\nsso_account_id = 123456789012\nsso_role_name = Reader\n"
            b"[sso-session my-sso]\nsso_region = eu-central-1\nsso_start_url = https://sso.example.org/start\n")

KUBECONFIG = b"""apiVersion: v1
kind: Config
current-context: work
clusters:
- name: home
  cluster: { server: "https://127.0.0.1:6443/", certificate-authority-data: QUJD, tls-server-name: api, proxy-url: "socks5://127.0.0.1:1" }
contexts:
- name: work
  context: { cluster: home, user: me, namespace: ml }
users:
- name: me
  user:
    token: secret
    act-as: someone
    act-as-groups: [a, b]
    act-as-user-extra: { reason: [x] }
"""
KUBECONFIG_EXEC = b"""current-context: work
clusters: [{ name: home, cluster: { server: https://127.0.0.1:6443, extensions: [{ name: client.authentication.k8s.io/exec, extension: { a: [1, true] } }] } }]
contexts: [{ name: work, context: { cluster: home, user: me } }]
users:
- name: me
  user:
    exec: { apiVersion: client.authentication.k8s.io/v1, command: login, args: [--now], env: [{ name: A, value: b }], interactiveMode: IfAvailable, provideClusterInfo: true }
"""

CONFIG = b"""# Ours.
version: 1
currency: EUR
time_zone: UTC
sources:
  - name: prod   # the one
    kind: prometheus
    url: http://127.0.0.1:9090
    auth: { type: bearer, token: env:TOKEN }
    first_sync: 90d
    rights: [read]
  - { name: bill, kind: focus, path: bills }
owners:
  - { label: team }
  - { namespace: "^ml-(?P<team>[a-z]+)-.*", regex: true }
  - { default: unowned }
idle:
  threshold: 0.05
"""

MONTH = ["month", {"form": 5, "month": "2025-09", "closed_at": "2025-10-02T00:00:00Z", "closed_by": "a", "reason": "", "figures": 11, "currency": "USD",
                   "covered_from": "2025-09-01T00:00:00Z", "covered_to": "2025-10-01T00:00:00Z", "reviewed_at": None, "reviewed_by": None, "objections": [],
                   "doubts": True, "possible": True, "past": True, "knows_before": True, "sharing": {"idle": "even", "shared": "even", "weights": {"vision": 0.5}},
                   "closed_before": "known", "currency_before": "EUR"}]
FIGURES = ["USD", 1500000000, 1250000000, 9072000, True, True, 0, 0, None]
ROWS = [MONTH, ["bill", "USD", 1, 2, 3, 4, 5, 6], ["sum", "vision", "gpu", "active", "bill", "NVIDIA A100", *FIGURES],
        ["before", "vision", "gpu", "idle", "bill", "", *FIGURES], ["adjustment", "2025-08", "2025-09-02T00:00:00Z", "USD", "vision", "gpu", "active", 1, -1, 0],
        ["past", "2025-07", "USD", "vision", "gpu", "active", 1, -1, 0], ["past-others", "2025-07", "USD", "", "storage", "", 1, 1, 0],
        ["workload", "vision", "ml", "train", "active", *FIGURES], ["doubt", "vision", "gpu", "active", "bill", "A100", "c", "", "", *FIGURES],
        ["possible", "vision", "gpu", "idle", "billed", *FIGURES], ["rules", "id", "version: 1\n"]]
STATEMENT = {"status": {"state": "closed", "over": True, "at": "2025-10-02T00:00:00Z", "by": "a", "reason": "", "hash": "h", "outdated": None,
                        "review": {"at": "2025-10-01T00:00:00Z", "by": "b"}, "teams": [{"team": "vision", "review": None, "outdated": None}]},
             "rows": [json.dumps(row) for row in ROWS]}


def report():
    settings, statement, cache = b"version: 1\n", b"{}", b"SQLite format 3\0" * 4
    header = text({"month": "2025-09", "made": "2025-10-02T00:00:00Z", "program": "0.1.0", "actor": "a", "state": "closed", "settings_bytes": len(settings),
                   "statement_bytes": len(statement), "cache_bytes": len(cache)})
    return b"\x89GPUREP\n" + struct.pack("<II", 1, len(header)) + bytes(32) + header + zstd(settings + statement + cache) + bytes(64)


def choices(count, *inputs):
    """Each input with each possible first byte."""
    return [bytes([i]) + one for i in range(count) for one in inputs]


def wire(**fields):
    """A protobuf message; the fields are called f1, f2, and so on."""
    out = b""
    for name, value in fields.items():
        key = int(name[1:]) << 3
        out += varint(key) + varint(value) if isinstance(value, int) else varint(key | 2) + varint(len(value)) + value
    return out


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


DATA_EXPORT = {"columns": [{"name": "BilledCost"}], "dataFiles": ["s3://bills/a/focus/data/BILLING_PERIOD=2026-10/a.csv.gz", {"key": "a/focus/data/BILLING_PERIOD=2026-10/b.csv"}]}
COST_EXPORT = {"exportConfig": {"exportName": "company", "type": "FocusCost"}, "blobs": [{"blobName": "a/focus/20261001-20261031/run/part_0_0001.csv.gz", "byteCount": 5}]}

OBJECT_LIST = (b"<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>1x</NextContinuationToken>"
               b"<Contents><Key>a/b%2Bc+d</Key><LastModified>2026-10-02T03:04:05.000Z</LastModified><ETag>&quot;5d41&quot;</ETag><Size>12</Size></Contents></ListBucketResult>")
BLOB_LIST = (b"<EnumerationResults><Blobs><Blob><Name>a/b c</Name><Properties><Last-Modified>Fri, 02 Oct 2026 03:04:05 GMT</Last-Modified><Etag>0x8D1</Etag>"
             b"<Content-Length>12</Content-Length></Properties></Blob></Blobs><NextMarker>2!8!t=</NextMarker></EnumerationResults>")

NEBIUS_INSTANCE = wire(
    f1=wire(f1=b"computeinstance-e00a", f2=b"project-e00lab", f3=b"train-1", f4=3, f5=wire(f1=1793491200), f7=wire(f1=b"team", f2=b"vision")),
    f2=wire(f2=wire(f1=b"gpu-h100-sxm", f2=b"8gpu-128vcpu-1600gb"), f3=b"", f13=0, f19=wire(f1=1), f20=b"train", f21=b"group", f24=b""),
    f3=wire(f1=4, f5=1, f12=b"capacityblockgroup-e00r"))

SEEDS = {
    "nebius": [b"\0\0\0\0\0\2ab", b"\0\1\0\0\0\1a", b"\x017" + END + b"Permission%20denied%3A%20x" + END, b"\x010" + END,
               b"\2" + wire(f1=NEBIUS_INSTANCE, f2=b"token"), b"\3ne1token",
               b"\3" + text({"subject-credentials": {"type": "JWT", "alg": "RS256", "private-key": "-----BEGIN", "kid": "k", "iss": "a", "sub": "a"}})],
    "series": [series({"metric": GPU, "values": [[1700000000, "0.5"], [1700000060.123, "NaN"], [1700000120, "+Inf"], [1.7e9, "1e-3"]]}),
               series({"metric": {"UUID": "GPU-1"}, "value": [1700000000.781, "97"]}, kind="vector"), series({"metric": GPU, "histograms": [[1700000000, {}]]}),
               text({"status": "error", "errorType": "bad_data", "error": "no", "warnings": ["w"]}),
               text({"status": "success", "warnings": ["partial"], "infos": ["i"], "data": {"resultType": "matrix", "result": []}}),
               b'[[1700000000,"0.5"],[1700000060.5,"-1.25e-7"],[1700000120,"NaN"]]', b'[]', b'[[1,"1"]]'],
    "prometheus": choices(3, b"\0" + text({"status": "success", "data": {"version": "2.42.0", "revision": "x", "application": "Grafana Mimir"}}),
                          b"\0" + text({"status": "success", "data": ["up", "DCGM_FI_DEV_GPU_UTIL"], "warnings": ["w"]}),
                          b"\x0a" + text({"status": "error", "errorType": "timeout", "error": "query timed out"}) + END + b"\0" + series({"metric": {}, "values": []})),
    "exporter": [text({"name": "own", "title": "Own", "vendor": "acme", "prefix_from": "acme_total", "uuid_prefix": "GPU-", "node_from_instance": True,
                       "labels": {"uuid": ["serial"], "pod": ["k8s_pod"], "namespace": ["ns"], "node": ["host"], "index": ["gpu"]},
                       "metrics": [{"name": "acme_busy_percent", "quantity": "gpu_utilization", "factor": 0.01}, {"name": "acme_b", "quantity": "memory_used",
                                                                                                             "divisor": 1048576},
                                   {"name": "acme_r", "quantity": "sm_active", "percent_above": 1.5}]}),
                 text({"name": "kube", "gpu_resources": "nvidia_com_gpu", "not_gpus": "x", "shared_resources": ["nvidia_com_gpu_shared"]})],
    "csv": [table([["a", "b"], ["1", 'x "y"'], ["", "line\nend"]]), b"\xef\xbb\xbfa;b\n", b'a,b\r\n"1"x,2\r\n"open', gzip.compress(b"a,b\n1,2\n" * 20, mtime=0),
            gzip.compress(bytes(50_000), mtime=0), zstd(b"a,b\n1,2\n" * 20), zstd(b"a,b\n") + zstd(b"1,2\n"),
            gzip.compress(b"a,b\n", mtime=0) + gzip.compress(b"1,2\n", mtime=0)],
    "focus": [bill(), bill(BillingCurrency="EUR", Tags='"a": "b", "c": "d"', ProviderName="Microsoft", EffectiveCost="0"),
              bill(ProviderName="Google Cloud", BilledCost="NULL", ChargePeriodStart="2024-09-01"), SMALL_BILL, gzip.compress(SMALL_BILL, mtime=0),
              zstd(SMALL_BILL), b"lineItem/UsageAccountId,lineItem/UnblendedCost\n1,2\n", CUR, OLD_CUR],
    "opencost": [bytes([kind]) + records(ASSET if kind == 0 else ALLOCATION, as_list) for kind in (0, 1) for as_list in (False, True)]
    + [b"\x02\0" + records(ASSET, True), b"\x02\0" + text({"code": 400, "message": "bad window", "data": None}), b"\x02\x03Error: not found"],
    "kubeobject": [text(POD), text([POD, DEPLOYMENT, WORKLOAD]), text(DEPLOYMENT), text(WORKLOAD), text({"spec": {"replicas": 3}, "status": {"replicas": 3}}),
                   b'"1500m"', b'"2Gi"', b"1e3", text({**POD, "kind": "Node", "spec": {"unschedulable": True, "taints": [{"key": "a", "effect": "NoSchedule"}]}})],
    "kubelist": choices(1, b"\0" + listed(POD, more="next") + END + b"\0" + listed(POD) + END + b"\x06" + text(STATUS),
                        b"\x03" + text({**STATUS, "code": 401}) + END + b"\0" + text(POD)) + [b"\x01" + text(LOGIN)],
    "awsxml": [INSTANCES, b"\x02" + EC2_ERROR, b"\x02" + text({"__type": "com.amazon#ValidationException:x", "message": "RecordNotFound"}), b"\0" + INSTANCES],
    "exports": [b"a/focus/metadata/BILLING_PERIOD=2026-10/focus-Manifest.json", b"a/focus/20261001-20261031/run/manifest.json", text(DATA_EXPORT),
                text({**DATA_EXPORT, "columns": ["line_item_usage_type"]}), text(COST_EXPORT), b"\xef\xbb\xbf" + text(COST_EXPORT),
                text({**COST_EXPORT, "exportConfig": {"type": "ActualCost"}}), OBJECT_LIST, b"\xef\xbb\xbf" + BLOB_LIST],
    "awskeys": choices(4, END.join([ROLE_FILE, KEYS_FILE, b"token", b"\0" + STS_KEYS]), END.join([SSO_FILE, b"", SSO_LOGIN, b"\0" + SSO_KEYS]),
                       END.join([b"", b"", b"token", b"\0" + HOST_KEYS, b"\0role", b"\0" + HOST_KEYS])),
    "kubeconfig": [KUBECONFIG, KUBECONFIG_EXEC, KUBECONFIG + END + KUBECONFIG_EXEC, b"a: &a [1]\nb: *a\n"],
    "config": [CONFIG, CONFIG.replace(b"\n", b"\r\n"), b"version: 1\nsources: []\n", b"sources: [{ name: a, kind: demo }]\n", b"{version: 1, sources: [{name: a, kind: demo}]}",
               b"https://grafana.example.org/d/gpu?var-node={node}&from={from}"],
    "report": [report(), report()[:40], report().replace(b"\x01\0\0\0", b"\x02\0\0\0", 1)],
    "closedmonth": [b"\n".join(text(row) for row in ROWS), text(MONTH), text(STATEMENT)],
    "link": [b"gpuledger://idle?span=week&team=vision&not.cluster=dev&at.row=1", b"gpuledger://overview?span=custom&from=2025-10-01T00:00:00Z&to=2025-10-02T00:00:00Z",
             b"gpuledger://device?label:a%2Fb=c%26d&at.gpu=GPU-1", b"http://127.0.0.1:9090/path?q=1#f", b"https://[::1]:8443/", b"http://user:word@example.org/"],
    "values": [b"-12.34", b"1.5E-7", b"99999999999999999999.999999999999999999", b"USD", b"2026-11-01T00:00:00Z", b"2025-10-26T02:59:60.5+01:30", b"2026-11-01",
               b"2024-09-01 00:00:00 UTC", b"1h30m", b"90d", b"2026-11", b'{"a":"b","c":null}', b'[{"Key":"a","Value":"b"}]', b"10.0.0.1:9400", b"[::1]:9400",
               b"1g.10gb", b"+Inf", b"1Ki", b"=cmd|' /C calc'!A0", b'a "b", c\n', "camelCase/x-y \u202e\u00e4".encode(), b"\xff\xfe\xc0\xaf"],
}

JSON_WORDS = ["null", "true", "1e999", "-1", "9223372036854775807", "18446744073709551615", "0.1", "\\\"", "\\u0000", "\\ud800", "{}", "[]", "\"\""]


def names_in(value):
    """Every key and short text of a tree."""
    if isinstance(value, dict):
        return {name for k, v in value.items() for name in {k, *names_in(v)}}
    if isinstance(value, list):
        return {name for v in value for name in names_in(v)}
    return {value} if isinstance(value, str) and len(value) < 40 else set()


WORDS = {
    "nebius": JSON_WORDS + ["\x1e", "subject-credentials", "type", "JWT", "alg", "RS256", "private-key", "kid", "iss", "sub", "gpu-h100-sxm", "8gpu-128vcpu-1600gb",
                            "mk8s-cluster-id"],
    "series": JSON_WORDS + ["status", "success", "error", "data", "resultType", "matrix", "vector", "result", "metric", "values", "value", "histograms", "warnings",
                            "__name__", "NaN", "+Inf", "-Inf", *GPU],
    "prometheus": JSON_WORDS + ["\x1e", "status", "success", "error", "errorType", "data", "version", "revision", "application", "timeout", "bad_data", "execution"],
    "exporter": JSON_WORDS + sorted(names_in([json.loads(s) for s in SEEDS["exporter"]])),
    "csv": ['"', '""', "\r\n", ",", "\xef\xbb\xbf"],
    "focus": [*FOCUS, *FOCUS.values(), "NULL", "Tax", "Purchase", "Adjustment", "Correction", "1e400", "-0", "Google", "Oracle", "x_Labels", "x_SkuDetails", *REPORT,
              *LINE_TYPES, *OLD_NAMES],
    "opencost": JSON_WORDS + ["\x1e"] + sorted(names_in([ASSET, ALLOCATION])) + ["code", "message", "warning", "data", "__idle__", "__unmounted__", "NaN"],
    "kubeobject": JSON_WORDS + sorted(names_in([POD, DEPLOYMENT, WORKLOAD])) + ["suspend", "replicas", "volumeClaimTemplates", "hostPath", "resourceClaims", "Ki", "m"],
    "kubelist": JSON_WORDS + ["\x1e"] + sorted(names_in([POD, STATUS, LOGIN])) + ["items", "continue"],
    "awsxml": ["<item>", "</item>", "<![CDATA[", "]]>", "&amp;", "&#0;", "<!DOCTYPE a [", "<!ENTITY", "xmlns:a=", "<?xml", "instanceId", "reservationSet", "tagSet",
               "Errors", "Error", "Code", "Message", "__type"],
    "exports": JSON_WORDS + sorted(names_in([DATA_EXPORT, COST_EXPORT])) + ["BILLING_PERIOD=", "metadata/", "-Manifest.json", "manifest.json", "20261001-20261031", "2026-10",
                                                                             "/../", "s3://", "data/", "<Contents>", "<Key>", "<Blob>", "<Name>", "<Etag>", "%2F"],
    "awskeys": ["\x1e", "[default]", "[profile work]", "role_arn", "source_profile", "credential_source", "Ec2InstanceMetadata", "EcsContainer", "Environment",
                "web_identity_token_file", "external_id", "duration_seconds", "mfa_serial", "sso_session", "sso_start_url", "credential_process",
                *sorted(names_in([json.loads(HOST_KEYS), json.loads(SSO_LOGIN), json.loads(SSO_KEYS)]))],
    "kubeconfig": ["\x1e", "&a", "*a", "<<: ", "!!binary", "clusters:", "users:", "contexts:", "server", "token", "tokenFile", "client-certificate-data", "client-key-data",
                   "certificate-authority-data", "insecure-skip-tls-verify", "username", "password", "exec", "auth-provider", "args", "env", "====", "|\n", "? "],
    "config": ["&a", "*a", "<<: ", "sources", "owners", "idle", "prices", "budgets", "actions", "chargeback", "links", "workloads", "exporters", "savings", "shared_costs", "auth",
               "tls", "headers", "options", "rights", "regex: true", "prefix: true", "from", "until", "keychain:", "env:", "file:", "command:", "{node}", "? ", "|\n", ">-\n"],
    "report": ["month", "made", "settings_bytes", "statement_bytes", "cache_bytes", "\x28\xb5\x2f\xfd", "\x89GPUREP\n", "18446744073709551615"],
    "closedmonth": JSON_WORDS + sorted(names_in(ROWS) | names_in(STATEMENT)) + ["now", "old-rules"],
    "link": ["gpuledger://", "span=", "custom", "from=", "to=", "not.", "at.", "label:", "%00", "%25", "%2B", "+", "#", "://", "[::1]", "xn--", "user@"],
    "values": ["Z", "+01:00", "T", "E-", "NaN", "Inf", "Ki", "Ei", "\u202e", "\u200b", "\ufeff", "{\"", "\":", ".5", "2026-02-29", "9223372036854775807"],
}


def dictionary(words):
    """The words as a dictionary of libFuzzer."""
    quoted = lambda word: "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}"
                                  for b in word.encode("latin-1" if all(ord(c) < 256 for c in word) else "utf-8"))
    return "".join(f'"{quoted(word)}"\n' for word in dict.fromkeys(words) if word)
