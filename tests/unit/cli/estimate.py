# SPDX-License-Identifier: GPL-3.0-or-later
"""`estimate`: shape, exact figures, refusals, the gate, and that it opens no cache."""
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


class Estimate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpuledgerestimate")
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.file = self.home / "intervals.csv"
        self.file.write_text(HEAD + rows(), "utf-8")
        self.environment = {**os.environ, "HOME": folder.name, "LC_ALL": "C.UTF-8",
                            **{f"XDG_{name}_HOME": f"{folder.name}/{name.lower()}" for name in ("CONFIG", "DATA", "CACHE", "STATE")}}

    def run_cli(self, *options, **changed):
        values = {"gpu-model": "V100", "hours": "24", "checkpoint-every": "30m", "checkpoint-cost": "60s", "restart": "5m", "on-demand": "3.06",
                  "spot": "0.92", "interruptions": str(self.file), **{key.replace("_", "-"): value for key, value in changed.items()}}
        arguments = [word for key, value in values.items() if value is not None for word in (f"--{key}", value)]
        return subprocess.run([CLI, "estimate", *arguments, *options], env=self.environment, capture_output=True, text=True, timeout=300, check=False)

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


if __name__ == "__main__":
    unittest.main()
