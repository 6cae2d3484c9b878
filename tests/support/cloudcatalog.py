# SPDX-License-Identifier: GPL-3.0-or-later
"""The price list of Compute Engine as the Cloud Billing API tells it (cloudbilling/v1 services.skus.list), beside what gives out tokens (googleaccess.py). There is no
public peer: the fake follows the contract. Pages end anywhere, the second one is empty but has a token. SKUs are made from prices by region; others of similar names,
which are no parts of the machines, are between them. `price` is the oracle: it knows of each machine type what it has, and shares no code with the program."""
import decimal
import json
import urllib.parse
import zlib

from computeengine import fault
from googleaccess import CLOUD, GoogleAccess

SKUS = "/v1/services/6F81-5844-456A/skus"
SCOPES = (CLOUD, "https://www.googleapis.com/auth/cloud-billing.readonly", "https://www.googleapis.com/auth/cloud-billing")
FIELDS = "nextPageToken,skus(description,serviceRegions,category/usageType,pricingInfo/pricingExpression(usageUnit,tieredRates))"
# What each type has: (vCPUs, GiB, GPUs, GiB of local SSD that is always there), by Google's tables of machine types and of local SSDs.
HAS = {"a2-highgpu-1g": (12, 85, 1, 0), "a2-highgpu-8g": (96, 680, 8, 0), "a2-megagpu-16g": (96, 1360, 16, 0), "a2-ultragpu-1g": (12, 170, 1, 375),
       "a2-ultragpu-8g": (96, 1360, 8, 3000), "a3-highgpu-1g": (26, 234, 1, 750), "a3-highgpu-4g": (104, 936, 4, 3000), "a3-highgpu-8g": (208, 1872, 8, 6000),
       "a3-megagpu-8g": (208, 1872, 8, 6000), "a3-ultragpu-8g": (224, 2952, 8, 12000), "g2-standard-4": (4, 16, 1, 0), "g2-standard-48": (48, 192, 4, 0),
       "a4-highgpu-8g": (0, 0, 8, 0)}
# The names of the parts of a machine of a family: host, GPU. A3 Mega has had more than one name.
FAMILIES = {"a2-highgpu": ("A2", "Nvidia Tesla A100 GPU"), "a2-megagpu": ("A2", "Nvidia Tesla A100 GPU"), "a2-ultragpu": ("A2", "Nvidia Tesla A100 80GB GPU"),
            "a3-highgpu": ("A3", "Nvidia H100 80GB GPU"), "a3-megagpu": ("A3Plus", "Nvidia H100 80GB Mega GPU"), "a3-ultragpu": ("A3Ultra", "H200 141GB GPU"),
            "g2-standard": ("G2", "Nvidia L4 GPU"), "a4-highgpu": (None, "A4 Nvidia B200 (1 gpu slice)")}
HOW = {"on-demand": ("{}", "OnDemand"), "spot": ("{}", "Preemptible"), "1-year": ("Commitment v1: {} for 1 Year", "Commit1Yr"),
       "3-years": ("Commitment v1: {} for 3 Years", "Commit3Yr")}


def named(what, name, how, place):
    """The description of a SKU: `what` is host, gpu or disk."""
    form, _ = HOW[how]
    if how == "spot":
        spot = f"Spot Preemptible {name}" if what in ("host", "slice") else f"{name} attached to Spot Preemptible VMs"
        return spot + (f" running in {place}" if what != "disk" else f" in {place}")
    return form.format(f"{name} {'in' if what == 'disk' or (what == 'host' and how != 'on-demand') else 'running in'} {place}")


def sku(description, usage, regions, price, unit="h", **more):
    units, nanos = divmod(int(decimal.Decimal(price).scaleb(9)), 10**9)
    money = {"currencyCode": "USD", "units": str(units), "nanos": nanos}
    return {"name": f"services/6F81-5844-456A/skus/{zlib.crc32(description.encode()):X}", "skuId": "0000-0000-0000", "description": description,
            "category": {"serviceDisplayName": "Compute Engine", "resourceFamily": "Compute", "resourceGroup": "GPU", "usageType": usage}, "serviceRegions": regions,
            "pricingInfo": [{"summary": "", "effectiveTime": "2026-11-19T00:00:00Z", "currencyConversionRate": 1,
                             "pricingExpression": {"usageUnit": unit, "displayQuantity": 1, "baseUnit": "s", "tieredRates": [{"startUsageAmount": 0, "unitPrice": money}]}}],
            "serviceProviderName": "Google", "geoTaxonomy": {"type": "REGIONAL", "regions": regions}, **more}


class CloudCatalog(GoogleAccess):
    def __init__(self):
        super().__init__()
        self.rates = {}  # {(how, name of the part, region): decimal text}
        self.more, self.missing = [], set()  # SKUs beside them; descriptions that are not there
        self.sku_page, self.sku_faults, self.asked_skus, self.is_disabled = 7, [], [], False
        self.tokens["canary-owner"] = ("owner", CLOUD)

    def charge(self, how, region, **rates):
        """Prices of a region: cores, memory and GPUs of families by name, `disk` for a GiB and month."""
        for name, rate in rates.items():
            self.rates[how, name, region] = rate

    def parts(self, kind, how):
        """(name in `rates`, what, name of the SKU, amount, unit) of a machine type."""
        vcpus, gib, gpus, disk = HAS[kind]
        host, gpu = FAMILIES[kind.rsplit("-", 1)[0]]
        out = [(gpu, "gpu" if host else "slice", gpu, gpus, "h")]
        if host:
            core, ram = (("Instance Core", "Instance Ram") if how in ("on-demand", "spot") else ("Cpu", "Ram"))
            out += [(host + " core", "host", f"{host} {core}", vcpus, "h"), (host + " ram", "host", f"{host} {ram}", gib, "GiBy.h")]
        if disk:
            out.append(("disk", "disk", "SSD backed Local Storage" if how in ("on-demand", "spot") else "Local SSD", disk, "GiBy.mo"))
        return out

    def price(self, kind, how, region):
        """Of an hour of a machine, rounded half up to 1e-9; None: a part has no price."""
        total = decimal.Decimal(0)
        with decimal.localcontext() as context:
            context.prec = 60
            for name, _, _, amount, unit in self.parts(kind, how):
                if (how, name, region) not in self.rates:
                    return None
                total += decimal.Decimal(self.rates[how, name, region]) * amount / (730 if unit == "GiBy.mo" else 1)
            return total.quantize(decimal.Decimal("1e-9"), decimal.ROUND_HALF_UP)

    def all_prices(self):
        found = {(kind, region, "", how): self.price(kind, how, region) for kind in HAS for how in HOW for region in {one[2] for one in self.rates}}
        return {key: value for key, value in found.items() if value is not None}

    def skus(self):
        by_name = {}
        for kind in HAS:
            for how in HOW:
                for name, what, text, _, unit in self.parts(kind, how):
                    for (its_how, its_name, region), rate in self.rates.items():
                        if (its_how, its_name) == (how, name):
                            place = region.replace("-", " ").title()
                            by_name[named(what, text, how, place)] = sku(named(what, text, how, place), HOW[how][1], [region], rate, unit)
        decoys = [sku(text, "OnDemand", ["us-central1", "europe-west4"], "77") for text in (
            "Reserved Nvidia L4 GPU in Americas", "Nvidia L4 GPU attached to Sole Tenancy VMs running in Americas", "G2 Custom Instance Core running in Americas",
            "Nvidia L4 GPU attached to DWS Defined Duration VMs running in Americas", "E2 Instance Core running in Americas", "Network Egress from us-central1",
            "DWS Calendar Mode A4 Nvidia B200 (1 gpu slice) running in Americas")]
        return [one for one in [*decoys, *by_name.values(), *self.more] if one["description"] not in self.missing]

    def service(self, handler, url):
        if url.path != SKUS:
            return super().service(handler, url)
        asked = dict(urllib.parse.parse_qsl(url.query))
        self.asked_skus.append(asked)
        whose, scope = self.tokens.get(handler.headers.get("Authorization", "").removeprefix("Bearer "), (None, ""))
        if not whose:
            return fault(401, "authError", "Request had invalid authentication credentials.")
        if self.is_disabled:
            return disabled()
        if scope not in SCOPES:
            return fault(403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "Request had insufficient authentication scopes.")
        if self.sku_faults:
            return self.sku_faults.pop(0)
        if asked.get("currencyCode") != "USD" or not 1 <= int(asked.get("pageSize", 5000)) <= 5000 or set(asked) - {"currencyCode", "pageSize", "pageToken", "fields"}:
            return fault(400, "INVALID_ARGUMENT")
        if asked.get("fields", FIELDS) != FIELDS:
            return fault(400, "INVALID_ARGUMENT", "Request contains an invalid argument: fields")
        return self.sku_answer(asked)

    def sku_answer(self, asked):
        token, most = asked.get("pageToken", ""), min(self.sku_page, int(asked.get("pageSize", 5000)))
        first, rows = int(token.strip("e") or 0), self.skus()
        if first == most and not token.endswith("e"):
            return 200, json.dumps({"skus": [], "nextPageToken": token + "e"}).encode(), {}
        some = [{"description": one["description"], "serviceRegions": one["serviceRegions"], "category": {"usageType": one["category"]["usageType"]},
                 "pricingInfo": [{"pricingExpression": {key: info["pricingExpression"][key] for key in ("usageUnit", "tieredRates")}} for info in one["pricingInfo"]]}
                for one in rows[first:first + most]]
        return 200, json.dumps({"skus": some, "nextPageToken": str(first + most) if first + most < len(rows) else ""}).encode(), {}


def disabled():
    return 403, json.dumps({"error": {"code": 403, "message": "Cloud Billing API has not been used in project 4711 before or it is disabled.", "status": "PERMISSION_DENIED",
                                      "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SERVICE_DISABLED", "domain": "googleapis.com"}]}}).encode(), {}
