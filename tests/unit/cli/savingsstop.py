# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stop really saved, from the proposal on: `savings`, `act stop` of an id in its `act`, weeks later `savings realized`, and an undo that ends it."""
import datetime
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))

from fleet import Fleet  # noqa: E402
from product import ProductTest, Program  # noqa: E402

STOPPED = "2026-10-13T15:00:00Z"
WEEKS_LATER = "2026-11-04T15:00:00Z"  # three whole weeks after the day of the stop
UNDONE = "2026-11-04T16:00:00Z"
LAST = "2026-11-13T15:00:00Z"


def day(text, more=0):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=more)).isoformat() + "T00:00:00Z"


class Past(Fleet):
    """40 days of the demo fleet, which ends at the stop."""

    def __init__(self, folder):
        Program.__init__(self, folder)
        self.platform = os.path.join(self.data, "simulated-platform.json")
        self.healthy("demo", "--gpus", "64", "--days", "40", "--quiet", now=STOPPED, timeout=600)

    def json(self, *arguments, now, **options):
        return super().json(*arguments, now=now, timeout=600, **options)

    def stops(self, now):
        told = self.json("savings", "realized", now=now)
        return [one for one in told["realized"] if one["stop"]], told["total"]


class SavingsStop(ProductTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="gpuledgersavingsstop")
        self.addCleanup(folder.cleanup)
        self.fleet = Past(folder.name)

    def a_proposal(self):
        """One that a single stop does something about, of work that was there for four weeks."""
        items = self.fleet.json("savings", now=STOPPED)["items"]
        idle = {one["id"]: one for one in self.fleet.json("idle", now=STOPPED)["items"]}
        for item in items:
            ids = (item["act"] or {"stop": []})["stop"]
            if item["kind"] == "schedule" and "/StatefulSet/" in item["id"] and len(ids) == 1 and idle[ids[0]]["per_month"]:
                return item, ids[0]
        raise AssertionError("no proposal about a notebook that is idle now")

    def test_from_a_proposal_to_what_it_saved(self):
        fleet = self.fleet
        item, holder = self.a_proposal()
        self.assertEqual(fleet.stops(STOPPED), ([], []))
        (done,) = fleet.json("act", "stop", holder, "--yes", "--count", "1", now=STOPPED)["actions"]
        self.assertEqual(done["state"], "verified")
        ((one,), total) = fleet.stops(STOPPED)
        self.assertIn(one["state"], ("too-early", "no-before"))
        self.assertEqual((one["per_month"], total), (None, []))
        self.assertEqual((one["stop"]["action"], one["stop"]["undone"], one["proposal"]), (done["id"], None, None))
        self.assertEqual(one["target"], item["target"])

        fleet.healthy("sync", now=WEEKS_LATER, timeout=600)
        ((one,), total) = fleet.stops(WEEKS_LATER)
        self.assertEqual(one["stop"]["action"], done["id"])
        # The machine goes on in this fleet, whoever uses it: a stop alone saved nothing there. The workload may also be too young.
        self.assertIn(one["state"], ("still-paid", "no-before"))
        self.assertEqual((one["per_month"], total), (None, []))
        if one["state"] != "no-before":
            self.assertEqual((one["before"]["to"], one["after"]["from"], one["after"]["to"]), (day(STOPPED), day(STOPPED, 1), day(STOPPED, 22)))
        self.assertIn("action " + str(done["id"]), fleet.healthy("savings", "realized", now=WEEKS_LATER).stdout.decode())
        act = next(i for i in fleet.json("savings", now=WEEKS_LATER)["items"] if i["id"] == item["id"])["act"]
        self.assertEqual([s["action"] for s in act["stopped"]], [done["id"]])

        (undone,) = fleet.json("act", "undo", str(done["id"]), "--yes", now=UNDONE)["actions"]
        self.assertEqual((undone["kind"], undone["state"]), ("undo", "verified"))
        ((one,), total) = fleet.stops(UNDONE)
        self.assertEqual((one["stop"]["action"], one["stop"]["undone"]), (done["id"], UNDONE))
        fleet.healthy("sync", now=LAST, timeout=600)
        ((after,), total) = fleet.stops(LAST)
        self.assertEqual(after["stop"]["undone"], UNDONE)
        self.assertEqual((after["after"], total), (one["after"], []))  # what came after the undo isn't part of it


if __name__ == "__main__":
    unittest.main()
