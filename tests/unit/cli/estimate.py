# SPDX-License-Identifier: GPL-3.0-or-later
"""`estimate`: shape, exact figures, refusals, the gate, offers, and that it opens no cache."""
import csv
import decimal
import io
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

CLI = os.environ["GPULEDGER_CLI"]
HEAD = "trace,zone,instance_type,gpu,gpus,tick_s,start_s,duration_s,available\n"
BANDS = {"p10", "p50", "p90"}
KEYS = {"cost", "hours", "interruptions", "p_deadline_missed", "on_demand", "checkpoint", "suitable", "reason"}


def rows(zone="a", pairs=60, machine="p3.2xlarge,V100,1"):
    """Up for 2 to 9 h, down for 1 or 2, without chance."""
    text, at = "", 0
    for i in range(2 * pairs):
        length = 3600 * (2 + i * 5 % 8 if i % 2 == 0 else 1 + i // 2 % 2)
        text += f"t,{zone},{machine},600,{at},{length},{1 - i % 2}\n"
        at += length
    return text


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpuledgerestimate")
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.file = self.home / "intervals.csv"
        self.file.write_text(HEAD + rows(), "utf-8")
        self.environment = {**os.environ, "HOME": folder.name, "LC_ALL": "C.UTF-8",
                            **{f"XDG_{name}_HOME": f"{folder.name}/{name.lower()}" for name in ("CONFIG", "DATA", "CACHE", "STATE")}}

    def call(self, *arguments):
        return subprocess.run([CLI, *arguments], env=self.environment, capture_output=True, text=True, timeout=300, check=False)


class Estimate(Program):
    def run_cli(self, *options, **changed):
        values = {"gpu-model": "V100", "hours": "24", "checkpoint-every": "30m", "checkpoint-cost": "60s", "restart": "5m", "on-demand": "3.06",
                  "spot": "0.92", "interruptions": str(self.file), **{key.replace("_", "-"): value for key, value in changed.items()}}
        arguments = [word for key, value in values.items() if value is not None for word in (f"--{key}", value)]
        return self.call("estimate", *arguments, *options)

    def json(self, status=0, **changed):
        done = self.run_cli("--json", **changed)
        self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
        return json.loads(done.stdout)

    def refused(self, **changed):
        done = self.run_cli(**changed)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        return done.stderr

    def test_shape_and_no_cache(self):
        told = self.json(deadline="48h")
        self.assertLessEqual(KEYS, set(told))
        for key in ("cost", "hours", "interruptions"):
            self.assertEqual(set(told[key]), BANDS)
        amounts = [float(told["cost"][p]["amount"]) for p in ("p10", "p50", "p90")]
        self.assertEqual(amounts, sorted(amounts))
        self.assertGreaterEqual(amounts[0], 24 * 0.92)
        self.assertEqual(told["cost"]["p10"]["currency"], "USD")
        self.assertEqual(told["on_demand"], {"cost": {"amount": "73.440000000", "currency": "USD"}, "hours": 24.0})
        self.assertEqual((told["basis"], told["history"]["zones"], told["paths"]), ("intervals", ["a"], 10000))
        self.assertEqual(told["fallback"]["p_deadline_missed"], 0)
        self.assertGreaterEqual(told["p_deadline_missed"], 0)
        self.assertIsNone(self.json()["p_deadline_missed"])
        self.assertEqual(list(self.home.rglob("ledger.db*")), [])

    def test_the_same_seed_gives_the_same_bytes(self):
        first = self.run_cli("--json", seed="7").stdout
        self.assertEqual(self.run_cli("--json", seed="7").stdout, first)
        self.assertNotEqual(json.loads(self.run_cli("--json", seed="8").stdout)["discount"], json.loads(first)["discount"])

    def test_only_what_lies_before_the_start_counts(self):
        first = self.json(start="500000")
        text = self.file.read_text("utf-8").splitlines(keepends=True)
        kept = [line for line in text[1:] if int(line.split(",")[6]) < 500000]
        end = sum(int(line.split(",")[7]) for line in kept)
        self.file.write_text(text[0] + "".join(kept) + f"t,a,p3.2xlarge,V100,1,600,{end},9000000,{len(kept) % 2 ^ 1}\n", "utf-8")
        self.assertEqual(self.json(start="500000"), first)
        self.file.write_text(text[0] + "".join(kept), "utf-8")
        self.assertEqual(self.json(start="500000"), first)

    def test_work_moves_between_zones(self):
        single = self.json(zone="a")
        self.assertNotIn("pools", single)
        self.assertEqual(self.json(), single)  # the file's only zone
        swapped = "".join(line[:-1] + str(1 - int(line[-1])) + "\n" for line in rows("b").splitlines())
        self.file.write_text(HEAD + rows() + swapped, "utf-8")
        self.assertEqual(self.json(zone="a"), single)
        done = self.run_cli("--json", "--diversify")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual([pool["zone"] for pool in told["pools"]], ["a", "b"])
        self.assertAlmostEqual(sum(pool["share_of_time"] for pool in told["pools"]), 1)
        self.assertEqual({pool["price"] for pool in told["pools"]}, {"constant"})
        self.assertAlmostEqual(told["correlation"], -1)
        self.assertTrue(told["resampled_together"])
        self.assertLess(told["hours"]["p90"], single["hours"]["p90"])
        self.assertEqual(self.run_cli("--json", "--zone", "b", zone="a").stdout, done.stdout)
        text = self.run_cli("--diversify").stdout
        self.assertIn("correlation of capacity between zones: -1.00", text)
        self.file.write_text(HEAD + rows(), "utf-8")
        self.assertIn("there is one zone only", self.run_cli("--diversify").stderr)
        self.assertIn("--diversify needs a history", self.run_cli("--diversify", interruptions=None, rate="0.1").stderr)

    def test_a_deadline_can_be_a_time(self):
        """Relative to --start where that is a time."""
        begin = 1796083200  # 2026-12-01T00:00:00Z
        text = "".join(",".join([*cells[:6], str(int(cells[6]) + begin - 2000000), *cells[7:]]) + "\n"
                       for cells in (line.split(",") for line in rows(pairs=200).splitlines()))
        self.file.write_text(HEAD + text, "utf-8")
        by_length = self.json(start=str(begin), deadline="40h")
        self.assertIsNotNone(by_length["p_deadline_missed"])
        for start in (str(begin), "2026-12-01T00:00:00Z"):
            self.assertEqual(self.json(start=start, deadline="2026-12-02T16:00:00Z"), by_length)
        late = self.run_cli(start="2026-12-01T00:00:00Z", deadline="2026-11-30T16:00:00Z")
        self.assertEqual((late.returncode, late.stdout), (2, ""))
        self.assertIn("is not after the start, 2026-12-01T00:00:00Z", late.stderr)
        self.assertIn("is not after the start", self.run_cli(deadline="2001-01-01T00:00:00Z").stderr)  # by the clock

    def test_a_rate_alone_is_marked(self):
        told = self.json(interruptions=None, rate="0", checkpoint_every=None, checkpoint_cost=None, restart=None)
        self.assertEqual((told["basis"], told["history"]), ("rate", None))
        self.assertEqual({told["cost"][p]["amount"] for p in BANDS}, {"22.080000000"})
        self.assertEqual(set(told["interruptions"].values()), {0})
        self.assertTrue(told["suitable"])

    def test_work_that_never_ends_shows_the_figure(self):
        told = self.json(hours="48.5", interruptions=None, rate="0.15", checkpoint_every=None, checkpoint_cost=None, restart=None)
        self.assertFalse(told["suitable"])
        self.assertAlmostEqual(told["expected_running_hours"], (math.exp(0.15 * 48.5) - 1) / 0.15, places=5)
        self.assertIn("9618.3 h", told["reason"])
        self.assertIsNone(told["cost"]["p90"])

    def test_the_gate(self):
        p90 = float(self.json()["cost"]["p90"]["amount"])
        self.json(max_cost=f"{p90 + 0.01:.2f}")
        self.json(status=1, max_cost=f"{p90 - 0.01:.2f}")
        self.assertIn("the p90 of the cost is above --max-cost", self.run_cli(max_cost="1").stdout)

    def test_text(self):
        done = self.run_cli(deadline="48h")
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("p10", "cost", "finished after", "with fallback", "on-demand: 73.44 USD", "best checkpoint interval", "suitable: "):
            self.assertIn(part, done.stdout)

    def test_every_bad_value_is_named(self):
        for option, values in {"gpus": ("0", "x", "1.5"), "hours": ("0", "-1", "nan", "inf", "x", "1e9"), "checkpoint-every": ("0", "soon"),
                               "checkpoint-cost": ("-1",), "restart": ("x",), "deadline": ("0", "48hours"), "on-demand": ("0", "-3", "x"),
                               "spot": ("0", "-0.1", "free"), "start": ("-1", "x"), "horizon": ("0", "x"), "seed": ("-1", "x"),
                               "max-cost": ("-1", "x")}.items():
            for value in values:
                with self.subTest(f"{option} {value}"):
                    done = self.run_cli(f"--{option}={value}", **{option.replace("-", "_"): None})
                    self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                    self.assertIn(f'--{option} can\'t be "{value}"', done.stderr)
        for option in ("hours", "on_demand", "spot", "gpu_model"):
            self.assertIn(f"--{option.replace('_', '-')} is missing", self.refused(**{option: None}))
        for value in ("-1", "nan", "x", "9999"):
            done = self.run_cli(f"--rate={value}", interruptions=None)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(f'--rate can\'t be "{value}"', done.stderr)
        self.assertIn("nothing is known of interruptions", self.refused(interruptions=None))
        self.assertIn("can't be given together", self.refused(rate="0.1"))
        self.assertIn("--zone can't be", self.refused(interruptions=None, rate="0.1", zone="a"))

    def test_histories_that_do_not_serve(self):
        for text, part in ((HEAD, "has no rows"), ("a,b\n", "no column trace"), (HEAD + "t,a,x,V100,1,600,0,zero,1\n", "line 2"),
                           (HEAD + rows(pairs=1), "too few to project from"), (HEAD + rows(machine="p5,H100,8"), "no machine with 1 x V100")):
            self.file.write_text(text, "utf-8")
            done = self.run_cli("--json")
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stdout, "")
            self.assertIn(part, done.stderr)
        self.file.write_text(HEAD + rows(), "utf-8")
        self.assertIn("its zones are a", self.run_cli(zone="z").stderr)
        self.assertIn("there is no interruption history before the start", self.run_cli(start="0").stderr)
        self.assertIn("there is no file", self.run_cli(interruptions=str(self.home)).stderr)

    def test_options_of_offers_are_refused(self):
        for option in ("region", "prices", "own"):
            done = self.run_cli("--" + option, "here")
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(f"--{option} can't be \"here\"", done.stderr)


class Offers(Program):
    """Without prices and interruptions: what price lists offer."""
    WORK = ("--gpu-model", "T4", "--gpus", "1", "--hours", "24", "--checkpoint-every", "30m", "--checkpoint-cost", "60s", "--restart", "5m")
    OFFER = {"provider", "region", "zone", "machine", "gpu", "gpu_model", "gpus", "purchase", "per_machine_hour", "per_gpu_hour", "price_basis", "seen",
             "source", "cost", "hours", "interruptions", "p_deadline_missed", "p_unfinished", "expected_running_hours", "checkpoint", "fallback", "discount",
             "published", "suitable", "reason"}

    def offers(self, *options, status=0, work=WORK):
        done = self.call("estimate", *work, *options, "--json")
        self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
        return json.loads(done.stdout)["offers"]

    def own(self, text):
        path = self.home / "own.csv"
        path.write_text("provider,gpu_model,gpus,currency,per_hour,purchase,region,machine\n" + text, "utf-8")
        return str(path)

    def test_shape_and_order(self):
        offers = self.offers("--deadline", "48h")
        self.assertGreater(len(offers), 8)
        for one in offers:
            self.assertEqual(set(one), self.OFFER)
            self.assertEqual((one["gpus"], one["gpu_model"]), (1, "T4"))
            self.assertEqual((set(one["cost"]), set(one["hours"])), (BANDS, BANDS))
        middle = [decimal.Decimal(one["cost"]["p50"]["amount"]) for one in offers]
        self.assertEqual(middle, sorted(middle))
        self.assertEqual({one["purchase"] for one in offers}, {"on-demand", "spot"})
        self.assertEqual(list(self.home.rglob("ledger.db*")), [])

    def test_on_demand_is_price_times_hours(self):
        for one in self.offers():
            if one["purchase"] != "on-demand":
                continue
            cost = decimal.Decimal(one["per_machine_hour"]["amount"]) * 24
            self.assertEqual({decimal.Decimal(one["cost"][band]["amount"]) for band in BANDS}, {cost})
            self.assertEqual(set(one["hours"].values()), {24})
            self.assertEqual((one["suitable"], one["interruptions"], one["published"], one["p_deadline_missed"]), (True, None, None, None))

    def test_spot_is_the_published_discount_and_the_same_estimate(self):
        offers = {(one["machine"], one["purchase"]): one for one in self.offers("--deadline", "48h")}
        spot, full = offers["g4dn.xlarge", "spot"], offers["g4dn.xlarge", "on-demand"]
        published = spot["published"]
        self.assertEqual((published["band"], published["saving_percent"], spot["price_basis"]), ("15-20%", 64, "published-discount"))
        self.assertAlmostEqual(published["per_hour"], -math.log(1 - 0.175) / 730, places=8)
        price = decimal.Decimal(full["per_machine_hour"]["amount"])
        self.assertEqual(decimal.Decimal(spot["per_machine_hour"]["amount"]), price * 36 / 100)
        done = self.call("estimate", *self.WORK, "--deadline", "48h", "--on-demand", str(price), "--spot", str(price * 36 / 100), "--rate",
                         repr(-math.log(1 - 0.175) / 730), "--json")
        alone = json.loads(done.stdout)
        for key in ("cost", "hours", "interruptions", "p_deadline_missed", "suitable", "reason", "fallback", "discount"):
            self.assertEqual(spot[key], alone[key], key)
        self.assertTrue(spot["suitable"])

    def test_a_deadline_that_nothing_keeps(self):
        offers = self.offers("--deadline", "1h")
        self.assertEqual({one["suitable"] for one in offers}, {False})
        self.assertEqual({one["p_deadline_missed"] for one in offers}, {1})
        self.assertTrue(all("deadline is missed even without an interruption" in one["reason"] for one in offers))
        self.offers("--deadline", "1h", "--max-cost", "1000000", status=1)
        done = self.call("estimate", *self.WORK, "--deadline", "1h", "--max-cost", "1000000")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no offer in USD is suitable", done.stdout)

    def test_the_gate_is_the_cheapest_suitable(self):
        cheapest = next(one for one in self.offers() if one["suitable"])
        p90 = float(cheapest["cost"]["p90"]["amount"])
        self.offers("--max-cost", f"{p90 + 0.01:.2f}")
        self.offers("--max-cost", f"{p90 - 0.01:.2f}", status=1)

    def test_own_offers_and_what_is_unknown(self):
        own = self.own("us,T4,1,USD,0.01,spot,here,box\nus,T4,1,USD,0.02,on-demand,here,box\nus,T4,1,EUR,0.01,on-demand,here,box\n"
                       "us,T4,1,USD,0.001,1-year,here,box\n")
        done = json.loads(self.call("estimate", *self.WORK, "--own", own, "--region", "here", "--json").stdout)
        self.assertEqual(done["other_terms"], 1)
        euro, first, last = done["offers"]
        self.assertEqual((euro["cost"]["p50"]["currency"], euro["suitable"]), ("EUR", True))
        self.assertEqual((first["purchase"], first["cost"]["p50"]["amount"]), ("on-demand", "0.480000000"))
        self.assertEqual((last["purchase"], last["cost"]["p50"], last["suitable"]), ("spot", None, None))  # unknown, so last
        self.assertIn("nothing is published", last["reason"])

    def test_the_sheet_has_the_same(self):
        offers = self.offers()
        sheet = list(csv.DictReader(io.StringIO(self.call("estimate", *self.WORK, "--csv").stdout)))
        self.assertEqual([(row["machine"], row["purchase"], row["cost_p50"]) for row in sheet],
                         [(one["machine"], one["purchase"], one["cost"]["p50"]["amount"]) for one in offers])

    def test_text(self):
        text = self.call("estimate", *self.WORK).stdout
        for part in ("machine-hour", "cost p10", "spot at a discount", "published on 2025-06-28", "from published rates alone", "g4dn.xlarge"):
            self.assertIn(part, text)

    def test_clouds(self):
        self.assertEqual({one["provider"] for one in self.offers("--cloud", "azure")}, {"azure"})

    def test_what_is_no_question(self):
        for change, part in ((("--gpu-model", "T4", "--gpus", "3", "--hours", "1"), "machines with a T4 have so many GPUs: 1, 4, 8"),
                             (("--gpu-model", "Nothing", "--hours", "1"), "no machine with exactly 1 x Nothing"), (("--hours", "1"), "--gpu-model is missing"),
                             (("--gpu-model", "T4"), "--hours is missing"), ((*self.WORK, "--zone", "a"), "--zone can't be"),
                             ((*self.WORK, "--own", "/nowhere"), "there is no price list"), ((*self.WORK, "--max-cost", "x"), "--max-cost can't be")):
            done = self.call("estimate", *change)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
