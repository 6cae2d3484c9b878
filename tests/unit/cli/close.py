# SPDX-License-Identifier: GPL-3.0-or-later
"""Months that are reviewed and closed: a closed one never changes, later data are reported once, damage is found, kills leave all or
nothing."""
import collections
import hashlib
import itertools
import json
import os
import pty
import sqlite3
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))
sys.path.insert(0, HERE)

from bills import DEMO, amount, line, write_bill  # noqa: E402
from product import CLI, SEED, Program, ProductTest, configuration, edited, sample  # noqa: E402

LATER = "2025-06-10T09:00:00Z"  # January to May are over
RULES = "owners: [{ label: team }, { cloud_tag: team }]\n"
FORMATS = ("csv", "html", "json", "xlsx")
WINDOW = os.environ.get("GPULEDGER_WINDOW", "")  # draws the pages of a PDF; empty if it was not built
ACCOUNTS = "chargeback: { clearing_account: '1590', default_account: '6999', accounts: { vision: { account: '6200', cost_center: CC-17 } } }\n"


def charge(month, billed, team="vision", effective=None, **more):
    """A line of a bill for one month of 2025."""
    return line(BilledCost=str(billed), EffectiveCost=str(billed if effective is None else effective), ServiceCategory="Storage",
                BillingPeriodStart=f"2025-{month:02d}-01T00:00:00Z", BillingPeriodEnd=f"2025-{month + 1:02d}-01T00:00:00Z",
                ChargePeriodStart=f"2025-{month:02d}-07T00:00:00Z", ChargePeriodEnd=f"2025-{month:02d}-08T00:00:00Z",
                Tags=json.dumps({"team": team}), **more)


class MonthTest(ProductTest):
    def billed(self, *sources, name="p"):
        program = self.program(name=name)
        self.folder_of_bills = os.path.join(self.folder, name + "-bills")
        os.makedirs(self.folder_of_bills, exist_ok=True)
        self.sources = (*sources, f"  - {{ name: bill, kind: focus, path: {self.folder_of_bills} }}\n")
        program.configure(configuration(*self.sources) + RULES)
        return program

    def bring(self, program, rows, name="a.csv", now=LATER):
        write_bill(os.path.join(self.folder_of_bills, name), rows)
        program.healthy("sync", "--source", "bill", now=now)

    def ask(self, program, month, *arguments, now=LATER):
        done = program.run("showback", "--month", month, "--json", *arguments, now=now)
        self.assertIn(done.returncode, (0, 1), done.text)
        return json.loads(done.stdout)

    def close(self, program, month, *arguments, now=LATER):
        return program.run("showback", "--month", month, "--close", "--yes", "--quiet", "--json", *arguments, now=now)

    def closed(self, program, month, *arguments, now=LATER):
        done = self.close(program, month, *arguments, now=now)
        self.assertEqual(done.returncode, 0, done.text)
        statement = json.loads(done.stdout)
        self.assertEqual(statement["status"]["state"], "closed")
        return statement

    def refused(self, program, month, *arguments, words=(), now=LATER):
        done = self.close(program, month, *arguments, now=now)
        self.assertEqual(done.returncode, 5, done.text)
        for word in words:
            self.assertIn(word, done.text)
        self.assertNotEqual(self.ask(program, month, now=now)["status"]["state"], "closed")

    def state(self, program, month):
        return self.ask(program, month)["status"]["state"]

    def log(self, program):
        return json.loads(program.healthy("showback", "--history", "--json", now=LATER).stdout)["entries"]

    def documents(self, program, month, now=LATER):
        """Every document of the month: bytes by format, view and team."""
        out = {}
        path = os.path.join(self.folder, "document")
        for form, view, team in itertools.product(FORMATS, ("billed", "effective"), ((), ("--team", "vision"))):
            done = program.run("showback", "--month", month, "--format", form, "--cost", view, "--out", path, *team, now=now)
            self.assertIn(done.returncode, (0, 1), done.text)
            with open(path, "rb") as file:
                out[form, view, team] = file.read()
        for view in ("billed", "effective"):
            out["terminal", view] = program.run("showback", "--month", month, "--cost", view, now=now).stdout
        return out


    def prints(self, program, month, *arguments, now=LATER):
        """Hashes of all documents about the month, each from a process of its own with a different order of hash tables.

        Pages of a PDF are drawn twice, the second time in the order that QT_HASH_SEED=0 gives. Hashes, not lengths: a text of the same
        length with other bytes is a different document."""
        path = os.path.join(self.folder, "print")
        out = collections.defaultdict(set)
        forms = itertools.product((*FORMATS, "journal", *(["pdf"] if WINDOW else [])), ("billed", "effective"), ((), ("--team", "vision")))
        prints = [(print_, seed) for print_ in forms for seed in (("0", "") if print_[0] == "pdf" else ("",))]
        for (form, view, team), seed in prints:
            program.environment["QT_HASH_SEED"] = seed
            done = program.run(*arguments, "showback", "--month", month, "--format", form, "--cost", view, "--out", path, *team, now=now)
            self.assertIn(done.returncode, (0, 1), done.text)
            with open(path, "rb") as file:
                out[form, view, team].add(hashlib.sha256(file.read()).hexdigest())
        del program.environment["QT_HASH_SEED"]
        self.assertEqual([key for key, hashes in out.items() if len(hashes) != 1], [], "every process prints the same")
        return {key: hashes.pop() for key, hashes in out.items()}


class Close(MonthTest):
    def standings(self, program):
        """For each team: the sign-off state of its statement, in the statement of all teams and in its own."""
        whole = self.ask(program, "2025-01")
        out = {}
        for team in whole["currencies"][0]["teams"]:
            alone = self.ask(program, "2025-01", "--team", team["team"])["status"]
            self.assertEqual(alone, team["status"])
            out[team["team"]] = alone["state"] + (", changed" if alone["changed_since_review"] else "")
        return whole["status"]["state"], out

    def test_each_team_is_reviewed_by_itself(self):
        program = self.billed()
        rows = [charge(1, 10), charge(1, 5, "speech")]
        self.bring(program, rows)
        status = self.ask(program, "2025-01", "--review", "--team", "vision")["status"]
        self.assertEqual((status["state"], status["reviewed_at"]), ("reviewed", LATER))
        self.assertEqual(self.standings(program), ("draft", {"vision": "reviewed", "speech": "draft"}))
        text = program.healthy("showback", "--month", "2025-01", "--team", "vision", now=LATER).stdout.decode()
        self.assertIn("reviewed", text)
        # Changed figures of another team do not require another review; changed figures of its own do.
        self.bring(program, [*rows, charge(1, 7, "speech")])
        self.assertEqual(self.standings(program), ("draft", {"vision": "reviewed", "speech": "draft"}))
        self.bring(program, [*rows, charge(1, 1)])
        self.assertEqual(self.standings(program), ("draft", {"vision": "draft, changed", "speech": "draft"}))
        # Unless costs of others are shared out.
        self.ask(program, "2025-01", "--review", "--team", "vision")
        program.configure(configuration(*self.sources) + RULES + "shared_costs: { shared: proportional }\n")
        self.assertEqual(self.standings(program)[1]["vision"], "draft, changed")
        done = program.run("showback", "--month", "2025-01", "--review", "--team", "nobody", now=LATER)
        self.assertEqual(done.returncode, 2, done.text)
        self.assertIn('no team "nobody"', done.text)
        self.ask(program, "2025-01", "--review")
        self.assertEqual(self.standings(program), ("reviewed", {"vision": "reviewed", "speech": "reviewed"}))
        self.assertEqual([(e["action"], e["details"].get("team")) for e in self.log(program)],
                         [("review-team", "vision"), ("review-team", "vision"), ("review-month", None)])
        program.verify(now=LATER)
        self.closed(program, "2025-01")
        self.assertEqual(self.standings(program), ("closed", {"vision": "closed", "speech": "closed"}))
        done = program.run("showback", "--month", "2025-01", "--review", "--team", "vision", now=LATER)
        self.assertEqual(done.returncode, 5, done.text)

    def test_draft_reviewed_closed(self):
        program = self.billed()
        self.bring(program, [charge(1, 10)])
        self.assertEqual(self.state(program, "2025-01"), "draft")
        status = self.ask(program, "2025-01", "--review")["status"]
        self.assertEqual((status["state"], status["reviewed_at"]), ("reviewed", LATER))
        self.assertIsNotNone(status["reviewed_by"])
        self.bring(program, [charge(1, 10), charge(1, 5, "speech")])
        status = self.ask(program, "2025-01")["status"]
        self.assertEqual((status["state"], status["changed_since_review"]["reviewed_at"]), ("draft", LATER))
        self.assertIn("its figures changed since it was reviewed", program.healthy("showback", "--month", "2025-01", now=LATER).stdout.decode())
        self.bring(program, [charge(1, 10, ResourceId="the same figures")])
        self.assertEqual(self.state(program, "2025-01"), "reviewed")
        statement = self.closed(program, "2025-01")
        self.assertEqual(statement["made"], LATER)
        self.assertRegex(statement["status"]["hash"], "^[0-9a-f]{64}$")
        entries = self.log(program)
        self.assertEqual([e["action"] for e in entries], ["review-month", "close-month"])
        self.assertEqual(entries[1]["details"]["hash"], statement["status"]["hash"])
        self.assertEqual(entries[1]["previous"], entries[0]["hash"])
        done = self.close(program, "2025-01", "--reason", "another one", now="2025-07-01T00:00:00Z")
        self.assertEqual(done.returncode, 5)
        self.assertIn(f"2025-01 is already closed, since {LATER}", done.text)
        self.assertEqual(self.ask(program, "2025-01", now="2025-07-01T00:00:00Z"), statement)
        self.assertEqual(self.log(program), entries)
        self.assertEqual(json.loads(program.healthy("verify", "--json", now=LATER).stdout)["audit"], {"entries": 2, "head": entries[1]["hash"]})
        self.assertEqual((statement["status"]["reviewed_at"], statement["status"]["reviewed_by"]), (LATER, entries[0]["actor"]))
        done = program.run("showback", "--month", "2025-01", "--review", now=LATER)
        self.assertEqual(done.returncode, 5, done.text)
        program.verify()

    def test_months_are_listed(self):
        program = self.billed()
        self.bring(program, [charge(1, 10), charge(2, 20), charge(6, 1)])
        self.closed(program, "2025-01", "--reason", "for\nthe list")
        months = json.loads(program.healthy("showback", "--months", "--json", now=LATER).stdout)["months"]
        self.assertEqual([(m["month"], m["state"], m["over"], m["reason"]) for m in months],
                         [("2025-01", "closed", True, "for the list"), ("2025-02", "draft", True, None), ("2025-06", "draft", False, None)])
        for what in (("--months",), ("--history",), ("--months", "--csv"), ("--history", "--csv")):
            self.assertIn(b"2025-01", program.healthy("showback", *what, now=LATER).stdout)

    def test_what_can_not_be_closed(self):
        program = self.billed(DEMO)
        self.bring(program, [charge(1, 10), charge(2, 10), charge(6, 10)])
        self.refused(program, "2025-06", "--reason", "all the same", words=("the month is not over",))
        self.refused(program, "2025-04", "--reason", "all the same", words=("nothing is stored for it",))
        self.refused(program, "2025-01", words=("nothing was fetched from demo between 2025-01-01", "--reason"))
        self.closed(program, "2025-01", "--reason", "before the telemetry")
        program.configure(configuration(*self.sources[1:]) + RULES)
        self.bring(program, [charge(1, 10), charge(2, 10), charge(3, 10), charge(4, 10), charge(5, 10)])
        self.refused(program, "2025-05", words=("2025-02 and 2 earlier months are still open",))
        self.refused(program, "2025-03", words=("2025-02, which comes before it, is still open",))
        self.refused(program, "2025-03", "--reason", " \t ", words=("still open",))
        whole = charge(2, 7) | {"ChargePeriodStart": "1000-01-01T00:00:00Z", "ChargePeriodEnd": "9000-01-01T00:00:00Z"}
        self.bring(program, [charge(2, 10), whole])
        self.refused(program, "2025-02", words=("7.000000000 USD of the bills is unexplained",))
        self.closed(program, "2025-02", "--reason", "asked the provider")
        self.assertEqual(self.log(program)[-1]["details"], self.log(program)[-1]["details"] | {"objections": ["unexplained"], "reason": "asked the provider"})
        for arguments in (("--reason", "x"), ("--yes",), ("--close", "--review"), ("--close", "--months"), ("--close", "--with-savings")):
            self.assertEqual(program.run("showback", "--month", "2025-03", *arguments, now=LATER).returncode, 2, arguments)
        for form in ("json", "html", "pdf"):  # savings are about the newest data
            path = os.path.join(self.folder, "savings." + form)
            done = program.run("showback", "--month", "2025-02", "--with-savings", "--out", path, now=LATER)
            self.assertEqual(done.returncode, 2, done.text)
            self.assertIn("a closed month is shown as it was closed", done.text)
            self.assertFalse(os.path.exists(path))
        done = self.close(program, "2025-03", "--reason", "x" * 3000)
        self.assertEqual(done.returncode, 2, done.text)

    def test_only_estimates_need_a_reason(self):
        program = self.program()
        program.healthy("sync")
        self.refused(program, "2025-03", words=("no bill covers it",))
        self.closed(program, "2025-03", "--reason", "machines of our own")

    def answer(self, program, word):
        """Closes January at a terminal; returns the exit status and the question."""
        master, slave = pty.openpty()
        running = subprocess.Popen(program.command("showback", "--month", "2025-01", "--close", "--reason", "on a terminal", now=LATER),
                                   env=program.environment, stdin=slave, stderr=slave, stdout=subprocess.PIPE)
        os.close(slave)
        text = b""
        while b"[y/N]" not in text:
            text += os.read(master, 4096)
        os.write(master, word + b"\n")
        running.communicate(timeout=120)
        os.close(master)
        return running.returncode, text.decode()

    def test_it_is_asked_on_a_terminal_only(self):
        program = self.billed()
        self.bring(program, [charge(1, 10)])
        done = program.run("showback", "--month", "2025-01", "--close", now=LATER)
        self.assertEqual(done.returncode, 5)
        self.assertIn("it was not confirmed", done.text)
        status, text = self.answer(program, b"n")
        self.assertEqual((status, self.state(program, "2025-01")), (5, "draft"))
        self.assertIn("permanently", text)
        self.assertIn("on a terminal", text)
        status, _ = self.answer(program, b"y")
        self.assertEqual((status, self.state(program, "2025-01")), (0, "closed"))

    def test_two_at_once(self):
        program = self.billed()
        self.bring(program, [charge(1, 10)])
        running = [program.start("showback", "--month", "2025-01", "--close", "--yes", "--json", now=LATER) for _ in range(4)]
        ended = [(process.communicate(timeout=240)[1], process.returncode) for process in running]
        self.assertEqual(sorted(status for _, status in ended), [0, 5, 5, 5], ended)
        for text, status in ended:
            self.assertTrue(status == 0 or "already closed" in text, text)
        self.assertEqual([e["action"] for e in self.log(program)], ["close-month"])
        program.verify()


class Late(MonthTest):
    """What becomes known about a closed month later."""

    def test_a_closed_month_is_printed_byte_for_byte(self):
        program = self.billed(DEMO)
        program.healthy("sync")
        self.bring(program, [charge(2, 3), charge(3, 100, effective=90), charge(3, 7, "speech"), line(ServiceCategory="Network", BilledCost="-3")])
        self.closed(program, "2025-03", "--reason", "two days of telemetry")
        before = self.documents(program, "2025-03")
        self.assertIn(b"two days of telemetry", before["html", "billed", ()])
        # Late and restated rows, of this month and the previous one; more telemetry; other rules, prices, currency and zone.
        self.bring(program, [charge(2, 9), charge(3, 250, "speech", effective=1), charge(3, 1, "new team"), charge(4, 5)])
        program.healthy("sync", now="2025-04-02T00:00:00Z")
        sources = configuration(*self.sources).replace("currency: USD", "currency: EUR").replace("time_zone: UTC", "time_zone: Asia/Tokyo")
        program.configure(sources + "owners: [{ account: acc, team: platform }, { namespace: research, team: science }]\n"
                          "prices: { exchange_rates: [{ from: USD, to: EUR, rate: \"0.5\", date: 2025-01-01 }],"
                          " overrides: [{ gpu_model: H100, per_gpu_hour: \"99\", currency: EUR }] }\n")
        program.healthy("sync", now=LATER)
        after = self.documents(program, "2025-03", now="2025-12-24T18:00:00Z")
        self.assertEqual([k for k in before if before[k] != after[k]], [])
        # The ledger did change.
        bill = json.loads(program.healthy("ledger", "--from", "2025-03-01", "--to", "2025-04-01", "--json", now=LATER).stdout)["bill"]
        self.assertEqual(amount(bill), 251)
        program.verify()

    def test_nothing_of_other_months_moves_it(self):
        """Facts of earlier months, their closing, rules, prices, currency and accounts: whatever happens to them."""
        if not WINDOW:
            print("the window was not built: no PDF is compared", flush=True)
        program = self.billed(DEMO)
        program.configure(configuration(*self.sources) + RULES + ACCOUNTS)
        program.healthy("sync")
        self.bring(program, [charge(1, 40), charge(1, 2, "speech"), charge(2, 50, effective=45), charge(3, 60), charge(3, 7, "speech")])
        hash_of = self.closed(program, "2025-03", "--reason", "two days of telemetry")["status"]["hash"]
        before = self.prints(program, "2025-03")
        report = os.path.join(self.folder, "march.gpureport")
        program.healthy("showback", "--month", "2025-03", "--out", report, now=LATER)
        # January and February are restated and lose a team; then they are closed; rules, prices and accounts change.
        self.bring(program, [charge(1, 4), charge(2, 500, "other"), charge(3, 60), charge(3, 7, "speech")])
        program.configure(configuration(*self.sources).replace("currency: USD", "currency: EUR") + "owners: [{ account: acc, team: platform }]\n"
                          "prices: { exchange_rates: [{ from: USD, to: EUR, rate: \"0.5\", date: 2025-01-01 }],"
                          " overrides: [{ gpu_model: H100, per_gpu_hour: \"99\", currency: EUR }] }\n" + ACCOUNTS.replace("6200", "7000"))
        program.healthy("sync", now=LATER)
        for month in ("2025-01", "2025-02"):
            self.closed(program, month, "--reason", "late")
        self.bring(program, [])  # and no month has a bill any more
        after = self.prints(program, "2025-03", now="2025-12-24T18:00:00Z")
        self.assertEqual([key for key in before if after[key] != before[key]], [])
        done = program.run("showback", "--month", "2025-03", "--format", "journal", now=LATER)
        self.assertIn(b"6200", done.stdout)
        self.assertIn("the configuration has others by now", done.text)
        self.assertEqual(self.ask(program, "2025-03")["status"]["hash"], hash_of)
        program.verify(now=LATER)
        # The exported report prints the same elsewhere, without any configuration.
        other = self.program(name="elsewhere")  # nothing was fetched there
        for form in (*FORMATS[:3], *(["pdf"] if WINDOW else [])):
            path = os.path.join(self.folder, "of-the-report")
            done = subprocess.run([CLI, "--data", other.data, "--report", report, "showback", "--format", form, "--out", path],
                                  env=other.environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120, check=False)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            with open(path, "rb") as file:
                self.assertEqual(hashlib.sha256(file.read()).hexdigest(), before[form, "billed", ()], form)
        with open(report, "rb") as file:
            self.assertNotIn(b"CC-17", file.read())

    def test_accounts_that_were_not_there_can_come(self):
        """A month that was closed without configured accounts is booked with the present ones; a journal says so."""
        program = self.billed()
        self.bring(program, [charge(1, 10)])
        self.closed(program, "2025-01")
        done = program.run("showback", "--month", "2025-01", "--format", "journal", now=LATER)
        self.assertEqual(done.returncode, 3, done.text)
        program.configure(configuration(*self.sources) + RULES + ACCOUNTS)
        done = program.run("showback", "--month", "2025-01", "--format", "journal", now=LATER)
        self.assertEqual(done.returncode, 0, done.text)
        self.assertIn(b"6200", done.stdout)
        self.assertIn("when the month was closed, no journal could be made of it", done.text)

    def adjustments(self, program, month, **options):
        """The billed cost of each reference, team and category."""
        statement = self.ask(program, month, **options)
        return {(a["month"], a["team"], a["category"]): amount(a["cost"]) for c in statement["currencies"] for a in c["adjustments"]}

    def test_an_adjustment_is_told_once(self):
        program = self.billed()
        self.bring(program, [charge(1, 10)], "1.csv")
        self.closed(program, "2025-01")
        self.bring(program, [charge(2, 20)], "2.csv")
        self.assertEqual(self.adjustments(program, "2025-02"), {})
        self.bring(program, [charge(1, 12), charge(1, 4, "speech")], "1.csv")
        told = {("2025-01", "vision", "storage"): 2, ("2025-01", "speech", "storage"): 4}
        self.assertEqual(self.adjustments(program, "2025-02"), told)
        statement = self.closed(program, "2025-02")
        usd = statement["currencies"][0]
        self.assertEqual((amount(usd["cost"]), amount(usd["bill"]), amount(usd["adjusted"]["cost"])), (20, 20, 6))
        self.assertEqual({t["team"]: amount(t["total_with_adjustments"]) for t in usd["teams"]}, {"vision": 22, "speech": 4})
        # The next open month is the current one: at first it has nothing to adjust, then it has.
        self.assertEqual(self.adjustments(program, "2025-06"), {})
        self.bring(program, [charge(1, 11)], "1.csv")
        self.bring(program, [charge(2, 25)], "2.csv")
        self.assertEqual(self.adjustments(program, "2025-06"),
                         {("2025-01", "vision", "storage"): -1, ("2025-01", "speech", "storage"): -4, ("2025-02", "vision", "storage"): 5})
        self.assertEqual(self.adjustments(program, "2025-02"), told)
        # A month with figures of its own shows the adjustment there.
        self.bring(program, [charge(4, 40)], "4.csv")
        self.assertEqual(self.adjustments(program, "2025-06"), {})
        self.assertEqual(len(self.adjustments(program, "2025-04")), 3)
        sums = sum(amount(c["cost"]) + amount(c["adjusted"]["cost"]) for m in ("2025-01", "2025-02", "2025-04")
                   for c in self.ask(program, m)["currencies"])
        self.assertEqual(sum(amount(c["bill"]) for m in ("2025-01", "2025-02", "2025-04") for c in self.ask(program, m)["currencies"]), 70)
        self.assertEqual(sums, 11 + 25 + 40)
        program.verify()

    def test_other_rules_and_late_data_are_parts_of_the_change(self):
        program = self.billed()
        self.bring(program, [charge(1, 10), charge(2, 20)])
        change = {t["team"]: t["change"] for t in self.ask(program, "2025-02")["currencies"][0]["teams"]}["vision"]
        self.assertEqual((change["month_before"], amount(change["policy"]), amount(change["late"])), ("open", 0, 0))
        self.closed(program, "2025-01")
        self.bring(program, [charge(1, 12), charge(1, 4, "speech"), charge(2, 20)])
        program.configure(configuration(*self.sources) + "owners: [{ account: acc, team: platform }]\n")
        teams = {t["team"]: t for t in self.ask(program, "2025-02")["currencies"][0]["teams"]}
        parts = ("price", "hours", "mix", "efficiency", "other", "policy", "late")
        told = {team: tuple(amount(one["change"][part]) for part in ("before", "policy", "late", "other")) for team, one in teams.items()}
        self.assertEqual(told, {"vision": (10, -12, 2, 0), "speech": (0, -4, 4, 0), "platform": (0, 16, 0, 4)})
        for team in teams.values():
            change = team["change"]
            self.assertEqual(amount(change["before"]) + sum(amount(change[p]) for p in parts), amount(team["total"]))
            self.assertEqual(amount(change["policy"]) + amount(change["late"]), amount(change["restated"]))
            self.assertEqual(change["month_before"], "closed")
        text = program.healthy("showback", "--month", "2025-02", "--team", "vision", now=LATER).stdout.decode()
        self.assertIn("other rules -12.00, late data 2.00", text)
        self.assertIn("The month before is closed", text)
        html = program.healthy("showback", "--month", "2025-02", "--format", "html", now=LATER).stdout.decode()
        self.assertIn("other rules \u221212.00, late data 2.00", html)
        path = os.path.join(self.folder, "book.xlsx")
        program.healthy("showback", "--month", "2025-02", "--out", path, now=LATER)
        from showback import Workbook
        cells = Workbook(path).sheets["vision"]
        rows = {cells[f"A{row}"][0]: row for row in range(1, 40) if f"A{row}" in cells}
        self.assertEqual([cells[f"C{rows[name]}"][0] for name in ("Month before", "Other rules", "Late data", "This month")], [10, -12, 2, 0])
        self.assertEqual(cells[f"C{rows['This month']}"][1], f"SUM(C{rows['Month before']}:C{rows['Late data']})")
        program.verify()

    def test_every_document_tells_them(self):
        program = self.billed()
        self.bring(program, [charge(1, 10), charge(2, 20)])
        self.closed(program, "2025-01")
        self.bring(program, [charge(1, 12.5), charge(2, 20)])
        reference = "2025-01, closed 2025-06-10"
        for key, data in self.documents(program, "2025-02").items():
            if key[0] == "xlsx":
                path = os.path.join(self.folder, "book.xlsx")
                with open(path, "wb") as file:
                    file.write(data)
                from showback import Workbook
                cells = Workbook(path).sheets["Adjustments USD"]
                self.assertEqual((cells["A4"][0], cells["E4"][0]), (reference, amount({"amount": "2.5"})))
            elif key[0] != "json":
                self.assertIn(reference, data.decode(), key)
                self.assertIn("2.5", data.decode(), key)


class Rights(MonthTest):
    def test_documents_are_for_their_owner(self):
        """Unless a file with wider permissions existed; then it keeps them."""
        program = self.billed()
        self.bring(program, [charge(1, 10)])
        for form in ("csv", "html", "json", "xlsx", "gpureport"):
            path = os.path.join(program.folder, "january." + form)
            for mode in (0o600, 0o644):
                done = program.run("showback", "--month", "2025-01", "--format", form, "--out", path, now=LATER)
                self.assertIn(done.returncode, (0, 1), done.text)
                self.assertEqual(os.stat(path).st_mode & 0o777, mode, form)
                os.chmod(path, 0o644)
        for folder, _, files in os.walk(program.data):
            self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700, folder)
            for name in files:
                self.assertEqual(os.stat(os.path.join(folder, name)).st_mode & 0o777, 0o600, name)


    def test_every_file_under_any_umask(self):
        """Cache, locks, log, keys, consents and documents, also if the umask would grant access to everyone or to no one."""
        for umask in ("000", "077", "777"):
            with self.subTest(umask):
                program = self.billed("  - { name: demo, kind: demo, gpus: 8, days: 1, first_sync: 6h }\n", name="umask" + umask)
                write_bill(os.path.join(self.folder_of_bills, "a.csv"), [charge(1, 10)])
                os.chmod(os.path.join(self.folder_of_bills, "a.csv"), 0o600)
                made = os.path.join(program.folder, "made")
                os.mkdir(made)

                def run(*arguments, status=(0, 1), by=program):
                    done = by.run(*arguments, now=LATER, wrapper=("sh", "-c", f'umask {umask}; exec "$@"', "sh"))  # noqa: B023
                    self.assertIn(done.returncode, status, done.text)
                run("sync")
                month = ("showback", "--month", "2025-01")
                forms = ("csv", "html", "json", "xlsx", "gpureport", *(("pdf",) if os.path.exists(WINDOW) else ()))
                for form in forms:
                    run(*month, "--out", os.path.join(made, "january." + form))
                run(*month, "--review")
                run(*month, "--close", "--yes", "--reason", "a test")
                idle = json.loads(program.run("idle", "--json", now=LATER).stdout)["items"]
                run("act", "stop", idle[0]["id"], "--yes", status=(0, 5))
                other = Program(program.folder, data="made/demo")
                other.config = os.path.join(made, "new.yaml")
                run("sources", "add", "more", "--url", "http://127.0.0.1:9", by=other)
                run("demo", "--gpus", "8", "--days", "1", by=other)
                with open(program.cache, "r+b") as file:
                    file.seek(2000)
                    byte = file.read(1)
                    file.seek(2000)
                    file.write(bytes([byte[0] ^ 4]))
                run("summary")  # moves it aside
                seen = 0
                for folder, folders, files in os.walk(program.folder):
                    for name in files:
                        seen += 1
                        self.assertEqual(os.stat(os.path.join(folder, name)).st_mode & 0o777, 0o600, os.path.join(folder, name))
                    for name in folders:
                        if os.path.join(folder, name) != made:
                            self.assertEqual(os.stat(os.path.join(folder, name)).st_mode & 0o077, 0, os.path.join(folder, name))
                self.assertGreater(seen, 10)


class Damaged(MonthTest):
    def change(self, program, sql):
        with edited(program.cache) as db:
            for trigger in [r[0] for r in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]:
                db.execute(f"DROP TRIGGER {trigger}")
            self.assertGreater(db.execute(sql).rowcount, 0, sql)

    def test_a_closed_month_can_not_be_changed_by_mistake(self):
        program = self.billed()
        self.bring(program, [charge(1, 10)])
        self.closed(program, "2025-01")
        with sqlite3.connect(program.cache) as db:
            for sql in ("UPDATE closed_row SET content = ''", "DELETE FROM closed_row", "UPDATE month_close SET hash = ''", "DELETE FROM month_close",
                        "UPDATE audit_entry SET actor = ''", "DELETE FROM audit_entry"):
                with self.assertRaises(sqlite3.IntegrityError):
                    db.execute(sql)

    def test_damage_is_found_and_nothing_of_it_is_shown(self):
        for number, sql in enumerate((
                "UPDATE closed_row SET content = replace(content, '10000000000', '10000000001') WHERE content LIKE '[\"sum\"%'",
                "UPDATE closed_row SET content = replace(content, 'vision', 'visioN') WHERE content LIKE '[\"key\"%'",
                "DELETE FROM closed_row WHERE number = (SELECT max(number) FROM closed_row)",
                "UPDATE month_close SET hash = replace(hash, substr(hash, 1, 1), 'x')", "UPDATE month_close SET figure_count = figure_count - 1")):
            program = self.billed(name=f"p{number}")
            self.bring(program, [charge(1, 10), charge(2, 3)])
            self.closed(program, "2025-01")
            self.change(program, sql)
            done = program.run("verify", now=LATER)
            self.assertEqual(done.returncode, 1, sql)
            self.assertIn("2025-01", done.stdout.decode())
            done = program.run("showback", "--month", "2025-01", now=LATER)
            self.assertEqual((done.returncode, done.stdout), (3, b""), sql)
            self.assertIn("the closed month 2025-01 is damaged", done.text)
            self.assertEqual(program.run("showback", "--months", now=LATER).returncode, 0)

    def test_damage_to_the_months_before_is_found(self):
        program = self.billed()
        self.bring(program, [charge(1, 10), charge(2, 3), charge(3, 4)])
        self.closed(program, "2025-03", "--reason", "test")
        self.change(program, "UPDATE closed_row SET content = replace(content, '10000000000', '20000000000') WHERE content LIKE '[\"past\",\"2025-01\"%'")
        done = program.run("verify", now=LATER)
        self.assertEqual(done.returncode, 1)
        self.assertIn("2025-03", done.stdout.decode())
        for form in ("csv", *(["pdf"] if WINDOW else [])):
            path = os.path.join(self.folder, "damaged")
            done = program.run("showback", "--month", "2025-03", "--format", form, "--out", path, now=LATER)
            self.assertEqual(done.returncode, 3, done.text)
            self.assertFalse(os.path.exists(path))

    def test_accounts_of_a_close_that_were_changed_are_found(self):
        program = self.billed()
        program.configure(configuration(*self.sources) + RULES + ACCOUNTS)
        self.bring(program, [charge(1, 10)])
        self.closed(program, "2025-01")
        self.assertEqual(self.log(program)[-1]["details"]["accounts"]["accounts"], {"vision": {"account": "6200", "cost_center": "CC-17"}})
        self.change(program, "UPDATE audit_entry SET details = replace(details, '6200', '6201')")
        done = program.run("verify", now=LATER)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not what was written", done.stdout.decode())
        done = program.run("showback", "--month", "2025-01", "--format", "journal", now=LATER)
        self.assertEqual((done.returncode, done.stdout), (3, b""), done.text)
        self.assertIn("the log entry for the close of 2025-01 was changed after it was written", done.text)

    def test_a_changed_log_is_found(self):
        for number, (sql, words) in enumerate((("UPDATE audit_entry SET actor = 'somebody' WHERE sequence = 2", "entry 2 is not what was written"),
                                               ("DELETE FROM audit_entry WHERE sequence = 2", "entry 2 is not where it belongs"),
                                               ("DELETE FROM audit_entry WHERE sequence = 3", "was not the last one"),
                                               ("UPDATE month_review SET reviewed_by = 'somebody'", "the review of 2025-02"))):
            program = self.billed(name=f"p{number}")
            self.bring(program, [charge(1, 10), charge(2, 3)])
            self.closed(program, "2025-01")
            self.ask(program, "2025-02", "--review")
            self.closed(program, "2025-02")
            self.change(program, sql)
            done = program.run("verify", now=LATER)
            self.assertEqual(done.returncode, 1, sql)
            self.assertIn(words, done.stdout.decode())


    def test_a_review_of_a_team_that_was_changed_is_found(self):
        for number, (sql, words) in enumerate((("UPDATE team_review SET figures = 'x'", "the review of 2025-01 of team vision is not what the log says"),
                                               ("UPDATE team_review SET team = 'speech'", "the review of 2025-01 of team vision is gone"),
                                               ("DELETE FROM team_review", "the review of 2025-01 of team vision is gone"))):
            program = self.billed(name=f"p{number}")
            self.bring(program, [charge(1, 10)])
            self.ask(program, "2025-01", "--review", "--team", "vision")
            program.verify(now=LATER)
            self.change(program, sql)
            done = program.run("verify", now=LATER)
            self.assertEqual(done.returncode, 1, sql)
            self.assertIn(words, done.stdout.decode())


class Killed(MonthTest):
    """The close is killed, or its disk is full or loses power, at any point: the month is closed completely, or open as before."""
    POINTS = 6

    def prepared(self, name):
        program = self.billed(name=name)
        self.bring(program, [charge(1, 1 + i / 100, f"team-{i}", ResourceId=f"r-{i}") for i in range(300)])
        return program

    def test_at_a_write(self):
        expected = self.prepared("quiet")
        draft = self.ask(expected, "2025-01")
        closed = self.closed(expected, "2025-01")
        for call, what in (("write", "kill"), ("write", "28"), ("sync", "5"), ("any", "power")):
            program = self.prepared(f"{call}-{what}")
            counted = os.path.join(self.folder, "counted")
            count = self.prepared(f"count-{call}-{what}")
            self.assertEqual(count.faulty(f"{call}:1000000000:{what}:ledger.db", "showback", "--month", "2025-01", "--close", "--yes", now=LATER,
                                          FAULT_COUNT=counted).returncode, 0)
            with open(counted, encoding="ascii") as file:
                points = sample(int(file.read()), self.POINTS)
            felt = told = 0
            for number in points:
                done = program.faulty(f"{call}:{number}:{what}:ledger.db", "showback", "--month", "2025-01", "--close", "--yes", now=LATER)
                felt += done.returncode != 0
                program.verify(now=LATER)
                statement = self.ask(program, "2025-01")
                self.assertIn(statement, (draft, closed), f"{call} {number} {what}")
                if "2025-01 is closed; SHA-256" in done.text:  # what was reported is on disk
                    told += done.returncode != 0
                    self.assertEqual(statement, closed, f"{call} {number} {what}: {done.text}")
                if statement == closed:
                    program = self.prepared(f"{call}-{what}-{number}")
            self.assertGreater(felt, 0, f"{call} {what}: no fault had an effect")
            if what == "power":
                self.assertGreater(told, 0, "the power never failed after the close")
            self.assertEqual(self.closed(program, "2025-01"), closed)
            print(f"{call} {what}: {len(points)} points, {felt} felt, seed {SEED}", flush=True)


if __name__ == "__main__":
    unittest.main()
