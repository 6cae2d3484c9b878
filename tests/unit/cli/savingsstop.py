# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stop really saved, from the proposal on: `savings`, `act stop` of an id in its `act`, weeks later `savings realized`, and an undo, which ends it."""
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
UNDONE = "2026-10-13T16:00:00Z"


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

    def proposals(self):
        """Two, each of which a single stop does something about, and that holder."""
        found = [(item, item["act"]["stop"][0]) for item in self.fleet.json("savings", now=STOPPED)["items"]
                 if item["kind"] == "schedule" and "/StatefulSet/" in item["id"] and item["act"] and len(item["act"]["stop"]) == 1]
        self.assertGreater(len(found), 1)
        return found[:2]

    def stop(self, holder):
        (done,) = self.fleet.json("act", "stop", holder, "--yes", "--count", "1", now=STOPPED)["actions"]
        self.assertEqual(done["state"], "verified")
        return done["id"]

    def test_from_a_proposal_to_what_it_saved(self):
        fleet = self.fleet
        (item, holder), (other, second) = self.proposals()
        self.assertEqual(fleet.stops(STOPPED), ([], []))
        stopped, undone = self.stop(holder), self.stop(second)
        (back,) = fleet.json("act", "undo", str(undone), "--yes", now=UNDONE)["actions"]
        self.assertEqual((back["kind"], back["state"]), ("undo", "verified"))
        fleet.healthy("sync", now=WEEKS_LATER, timeout=600)
        ended = {}
        for now in (UNDONE, WEEKS_LATER):
            stops, total = fleet.stops(now)
            self.assertEqual(total, [])
            one, ended[now] = stops
            self.assertEqual([(s["target"], s["stop"]["action"], s["proposal"]) for s in stops],
                             [(item["target"], stopped, None), (other["target"], undone, None)])
            self.assertEqual([s["stop"]["undone"] for s in stops], [None, UNDONE])
            # The machines go on in this fleet, whoever uses them: a stop alone saved nothing there. A workload may also be too young.
            self.assertIn(one["state"], ("still-paid", "no-before"))
            self.assertIsNone(one["per_month"])
            if one["state"] != "no-before":
                self.assertEqual((one["before"]["to"], one["after"]["from"], one["after"]["to"]), (day(STOPPED), day(STOPPED, 1), day(STOPPED, 22)))
        # What came after the undo isn't part of it, so weeks later there is no whole week either.
        self.assertIn(ended[WEEKS_LATER]["state"], ("too-early", "no-before"))
        text = fleet.healthy("savings", "realized", now=WEEKS_LATER).stdout.decode()
        self.assertIn("action %d" % stopped, text)
        self.assertIn("action %d, undone %s" % (undone, UNDONE[:10]), text)


if __name__ == "__main__":
    unittest.main()
