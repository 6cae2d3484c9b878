# SPDX-License-Identifier: GPL-3.0-or-later
"""From a proposal of `savings` to a verified stop and back, on the demo fleet. Which idle workload belongs to which proposal is computed again from the lists."""
import os
import shlex
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))

from fleet import Fleet  # noqa: E402
from product import ProductTest, Program  # noqa: E402

NOW = "2026-11-04T15:00:00Z"


class Days(Fleet):
    """Three days of the demo fleet, asked at their end."""

    def __init__(self, folder):
        Program.__init__(self, folder)  # without the single day of Fleet
        self.platform = os.path.join(self.data, "simulated-platform.json")
        self.healthy("demo", "--gpus", "64", "--days", "3", "--quiet")

    def command(self, *arguments, now=NOW):
        return super().command(*arguments, now=now)

    def run(self, *arguments, now=NOW, **options):
        return super().run(*arguments, now=now, **options)

    def healthy(self, *arguments, now=NOW, **options):
        return super().healthy(*arguments, now=now, **options)

    def proposals(self):
        return {item["id"]: item for item in self.json("savings")["items"]}


class SavingsAct(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="gpuledgersavingsact")
        cls.addClassCleanup(folder.cleanup)
        cls.fleet = Days(folder.name)

    def test_1_ids_are_those_of_the_idle_list(self):
        idle = self.fleet.json("idle")["items"]
        found = 0
        for name, item in self.fleet.proposals().items():
            if item["kind"] == "commitments":
                self.assertIsNone(item["act"], name)
            if item["kind"] not in ("schedule", "right-size"):
                continue
            want = [i["id"] for i in idle if i["protection"] is None
                    and name == f"{item['kind']}:{i['cluster']}/{i['namespace']}/{i['workload'] or 'Pod/' + i['name']}"]
            self.assertEqual((item["act"] or {"stop": []})["stop"], want, name)
            found += len(want)
        self.assertGreater(found, 3)
        protected = {i["id"] for i in idle if i["protection"] is not None}
        self.assertTrue(protected)
        for item in self.fleet.proposals().values():
            self.assertFalse(protected & set((item["act"] or {"stop": []})["stop"]))

    def test_2_from_a_proposal_to_a_verified_stop_and_back(self):
        name, item = next((n, i) for n, i in self.fleet.proposals().items()
                          if i["kind"] == "schedule" and "/StatefulSet/" in n and i["act"])
        text = self.fleet.healthy("savings", name).stdout.decode()
        (command,) = [line.strip() for line in text.splitlines() if line.startswith("  gpuledger-cli act stop ")]
        self.assertEqual(shlex.split(command), ["gpuledger-cli", "act", "stop", *item["act"]["stop"]])
        self.assertEqual(item["act"]["stopped"], [])
        self.assertEqual(item["act"]["mark"], item["act"]["stop"])
        (mark,) = [shlex.split(line) for line in text.splitlines() if line.startswith("  gpuledger-cli act mark ")]
        self.assertEqual(mark[:-1], ["gpuledger-cli", "act", "mark", *item["act"]["mark"], "--after"])
        self.assertRegex(mark[-1], r"^[1-9][0-9]*m$")  # until its off-hours
        self.assertGreaterEqual(int(mark[-1][:-1]), 10)
        self.assertEqual(self.fleet.deeds(), {})
        (done,) = self.fleet.json(*shlex.split(command)[1:], "--yes", "--count", "1")["actions"]
        self.assertEqual((done["kind"], done["state"]), ("stop", "verified"))
        self.assertIn(done["target"]["uid"], self.fleet.deeds())

        act = self.fleet.json("savings", name)["item"]["act"]
        self.assertEqual(act["stop"], [])
        self.assertEqual([one["action"] for one in act["stopped"]], [done["id"]])
        text = self.fleet.healthy("savings", name).stdout.decode()
        self.assertNotIn("act stop", text)
        self.assertIn("stopped at ", text)
        (undo,) = [line.strip() for line in text.splitlines() if line.startswith("  gpuledger-cli act undo ")]
        others = [i["act"] for n, i in self.fleet.proposals().items() if i["act"] and i["act"]["stopped"] and not n.endswith(item["target"])]
        self.assertEqual(others, [])

        self.fleet.healthy(*shlex.split(undo)[1:], "--yes")
        self.assertEqual((self.fleet.json("savings", name)["item"]["act"] or {"stopped": []})["stopped"], [])


if __name__ == "__main__":
    unittest.main()
