# SPDX-License-Identifier: GPL-3.0-or-later
"""Months of bills, claims about them, and what `claims` must say: sums over the rows of the bills that use nothing of the product."""
import csv
import datetime
import decimal
import io
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unit", "cli"))

from bills import line  # noqa: E402

Decimal = decimal.Decimal
ONE_DAY = datetime.timedelta(1)
FIRST, LAST = datetime.date(2026, 8, 1), datetime.date(2026, 11, 18)  # of the bill
UNSETTLED = 2  # its newest days, which may still change
COLUMNS = ("tool", "what", "scope", "from", "to", "saved", "currency")
GPUS = {"p4d.24xlarge": ("A100 40GB", 8), "g5.12xlarge": ("A10G", 4), "Standard_NC24ads_A100_v4": ("A100 80GB", 1)}
CLOUDS = {"AWS": "aws", "Microsoft": "azure"}
NOT_BILLED, MISSING = "not-billed", "missing-days"


def on(month, day):
    return datetime.date(2026, month, day)


def usage(day, account, cost, effective=None, machine=None, hours="24", team=None, **more):
    """A line of a bill for a day."""
    month = day.replace(day=1)
    values = {"BillingAccountId": account, "BillingPeriodStart": f"{month}T00:00:00Z", "BillingPeriodEnd": f"{(month + 31 * ONE_DAY).replace(day=1)}T00:00:00Z",
              "ChargePeriodStart": f"{day}T00:00:00Z", "ChargePeriodEnd": f"{day + ONE_DAY}T00:00:00Z", "RegionId": "us-east-1", "ResourceId": f"{account}-{machine or 'disk'}",
              "BilledCost": str(cost), "EffectiveCost": str(cost if effective is None else effective)}
    if machine:
        values |= {"SkuPriceDetails": json.dumps({"InstanceType": machine}), "ConsumedQuantity": hours, "ConsumedUnit": "Hours" if hours else ""}
    else:
        values |= {"ServiceCategory": "Storage", "ServiceName": "Amazon Simple Storage Service"}
    if team:
        values["Tags"] = json.dumps({"team": team})
    return line(**{**values, **more})


def days(first, last):
    return [first + number * ONE_DAY for number in range((last - first).days + 1)]


def months_of_bills():
    """Every day has another cost; some teams, regions and clouds are not there on all days."""
    azure = {"ProviderName": "Microsoft", "ServiceName": "Virtual Machines", "RegionId": "eastus"}
    rows = []
    for number, day in enumerate(days(FIRST, LAST)):
        cost = Decimal(number * 37 % 101 + 200) + Decimal(number * 104_729_131 % 10**9) / 10**9
        rows += [usage(day, "train", cost, cost - Decimal("13.123456789"), "p4d.24xlarge", str(24 - number % 7), "vision"),
                 usage(day, "train", cost / 2 if number % 2 else cost * 3, 50 + number, "g5.12xlarge", "12.5", "speech", RegionId="eu-west-1"),
                 usage(day, "web", "2.000000001", "1.999999999", "m5.large"),
                 usage(day, "files", 7 + number, team="vision")]
        if number % 3:
            rows.append(usage(day, "azure", number, cost, "Standard_NC24ads_A100_v4", team="speech", **azure))
        if number % 5 == 0:
            rows.append(usage(day, "train", "-31.5", "-30.25", ChargeCategory="Credit", ServiceCategory="Other", ServiceName="Credits"))
        if day.day == 1:
            rows.append(usage(day, "train", "99.99", "90", ChargeCategory="Tax", ServiceCategory="Other", ServiceName="Tax"))
    return [{**row, **{key: f"{Decimal(row[key]):.9f}" for key in ("BilledCost", "EffectiveCost")}} for row in rows]


class Claim:
    def __init__(self, first, last=None, saved="100", scope="", tool="Trimmer", what="", currency="USD"):
        """Days, or (year, month)."""
        self.first, self.last = self.span(first)
        self.last = self.span(last)[1] if last else self.last
        self.saved, self.tool, self.what, self.currency = saved, tool, what, currency
        self.scope = sorted(tuple(half.strip() for half in part.split("=", 1)) for part in scope.split(";") if part)
        text = lambda time: str(time) if isinstance(time, datetime.date) else f"{time[0]}-{time[1]:02}"  # noqa: E731
        self.cells = {"tool": tool, "what": what, "scope": scope, "from": text(first), "to": text(last) if last else "", "saved": saved, "currency": currency}
        self.length = (self.last - self.first).days + 1

    @staticmethod
    def span(time):
        if isinstance(time, datetime.date):
            return time, time
        first = datetime.date(*time, 1)
        return first, (first + 31 * ONE_DAY).replace(day=1) - ONE_DAY


def changed(**cells):
    claim = Claim((2026, 10))
    claim.cells |= cells
    return claim


def write_claims(path, *claims):
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows([claim.cells[column] for column in COLUMNS] for claim in claims)
    path.write_bytes(out.getvalue().encode())


def money(amount, currency="USD"):
    return {"amount": f"{amount:.9f}", "currency": currency}


def interval(first, last):
    return {"from": f"{first}T00:00:00Z", "to": f"{last + ONE_DAY}T00:00:00Z"}


class Oracle:
    """What the bills have, from their rows; a rate is what a unit of that currency is worth in USD."""

    def __init__(self, rates=(), **rows):
        self.rates = {"USD": Decimal(1), **dict(rates)}
        self.rows = [(self.facts(source, row), row) for source, some in rows.items() for row in some]

    @staticmethod
    def facts(source, row):
        machine = json.loads(row["SkuPriceDetails"] or "{}").get("InstanceType")
        kinds = {"Tax": "tax", "Credit": "credit"}
        category = kinds.get(row["ChargeCategory"]) or ("gpu" if machine in GPUS else "compute" if machine else "storage")
        return {"source": source, "account": row["BillingAccountId"], "service": row["ServiceName"], "region": row["RegionId"], "cloud": CLOUDS[row["ProviderName"]],
                "team": json.loads(row["Tags"] or "{}").get("team", "unowned"), "category": category, "gpu-model": GPUS.get(machine, ("",))[0]}

    @staticmethod
    def day(row):
        return datetime.date.fromisoformat(row["ChargePeriodStart"][:10])

    def within(self, scope, first, last):
        wanted = {}
        for name, value in scope:
            wanted.setdefault(name, set()).add(value)
        return [(facts, row) for facts, row in self.rows if first <= self.day(row) <= last and all(facts[name] in values for name, values in wanted.items())]

    def part(self, claim, first, last, view):
        column = "BilledCost" if view == "billed" else "EffectiveCost"
        rows = [row for _, row in self.within(claim.scope, first, last)]
        cost = sum((Decimal(row[column]) * self.rates[row["BillingCurrency"]] / self.rates[claim.currency] for row in rows), Decimal(0))
        hours = Decimal(0)
        for row in rows:
            machine = json.loads(row["SkuPriceDetails"] or "{}").get("InstanceType")
            hours += Decimal(row["ConsumedQuantity"]) * GPUS[machine][1] if machine in GPUS else 0
        return {**interval(first, last), "cost": money(cost, claim.currency), "gpu_hours": float(hours)}, cost

    def gap(self, claim, first):
        """`first`: of the days before."""
        periods = days(first, first + (claim.length - 1) * ONE_DAY) + days(claim.first, claim.last)
        inside = [facts["source"] for part in (periods[:claim.length], periods[claim.length:]) for facts, _ in self.within(claim.scope, part[0], part[-1])]
        if not inside:
            return NOT_BILLED
        for source in set(inside):
            known = {self.day(row) for facts, row in self.rows if facts["source"] == source}
            if not known.issuperset(periods) or claim.last > max(known) - UNSETTLED * ONE_DAY:
                return MISSING
        return None

    def answer(self, claims, view="effective", source="claims"):
        """The rows of `claims --json`, of all claims of a source."""
        rows = []
        for claim in sorted(claims, key=lambda one: (one.tool, one.scope, one.first, one.last, one.what)):
            begin = min(one.first for one in claims if (one.tool, one.scope) == (claim.tool, claim.scope))
            before, gap = begin - claim.length * ONE_DAY, self.gap(claim, begin - claim.length * ONE_DAY)
            told = {"before": None, "since": None, "fell": None}
            if not gap:
                told["before"], earlier = self.part(claim, before, begin - ONE_DAY, view)
                told["since"], later = self.part(claim, claim.first, claim.last, view)
                told["fell"] = money(earlier - later, claim.currency)
            scope = {}
            for name, value in claim.scope:
                scope.setdefault(name, []).append(value)
            rows.append({"source": source, "tool": claim.tool or None, "what": claim.what or None, "scope": scope, **interval(claim.first, claim.last),
                         "claimed": money(Decimal(claim.saved), claim.currency), **told, "not_compared": gap})
        return rows
