// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ledger/fleet/machinetwins.h"
#include "app/ledger/fleet/rangeset.h"
#include "app/store/facts/factreader.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gpuledger::ledger {

// A unit that can be held: the whole device, or one MIG slice of it.
struct Unit {
    std::string gpuInstance; // empty: the whole device
    std::int16_t slice = -1; // index into Device::slices
    model::Fraction fraction;
    RangeSet seen; // hulls of its placements
    // Indexes into FleetIndex::holders: first those ever placed on it, ascending, then those inferred for the current
    // day.
    std::vector<std::size_t> holders;
    std::size_t placed = 0; // how many of them were placed
    // The names seen on it, used where there is no scheduler record: index into FleetIndex::subjects, and the times of
    // their samples with gaps of less than a day filled.
    std::vector<std::pair<std::size_t, RangeSet>> subjects;
};

// A device with its units, places and paid time.
struct IndexedDevice {
    model::Device facts;
    std::vector<Unit> units; // the whole device first if it was ever seen whole, then slices by instance
    // (from, node index or -1), ascending: the node that the device was in from that instant on.
    std::vector<std::pair<base::UtcTime, int>> nodes;
    RangeSet paid;
    RangeSet measured; // of one that is listed: when the cloud's own monitoring knew it
    bool everLabelled = false; // at least one of its series named a holder
    bool isListed = false; // a cloud tells that it exists, and no telemetry beside that of the cloud does
    base::TimeRange seen;
};

// A holder with the times at which it ran.
struct IndexedHolder {
    model::Holder facts;
    RangeSet spans; // running, according to the scheduler
    int node = -1;
    bool requestsShared = false; // requests a time-sliced or MPS resource
    std::int64_t requested = 0; // devices or slices
    bool placed = false; // telemetry named it on a device
};

// A name in exporter labels, with the scheduler records that it may refer to.
struct IndexedSubject {
    model::Subject facts;
    std::vector<std::size_t> holders; // scheduler records of that name (one per incarnation)
    base::TimeRange seen; // hull of its series
};

// A holder without a scheduler record, built from its name and, for a machine, from its node's labels. `node` may be
// null.
model::Holder holderOf(const model::Subject &subject, const model::Node *node);

// Everything but usage that attribution needs, loaded once and read for many days. Its answers for a day do not depend
// on the range it was loaded for. One thread at a time; immutable except for inferFor().
class FleetIndex {
public:
    // Loads what the days of the range need. Fails with Storage… codes.
    [[nodiscard]] static base::Result<FleetIndex> load(store::FactReader &facts, base::TimeRange range);
    // Places the pods that no series ever named on devices, using only what is known about that day; replaces the
    // placements of the previous day.
    void inferFor(base::Day day);

    std::vector<model::Node> nodes;
    std::vector<RangeSet> nodeSpans; // parallel to nodes
    std::vector<std::vector<std::size_t>> holdersOnNode, devicesOnNode; // parallel to nodes
    std::vector<IndexedDevice> devices; // ascending by id
    std::vector<IndexedHolder> holders;
    std::vector<IndexedSubject> subjects; // of devices and holders near the range
    std::unordered_map<std::int64_t, std::size_t> deviceById, subjectById;
    std::map<std::string, RangeSet> schedulerKnows; // by cluster: times covered by the scheduler's records of holders
    base::TimeRange covered;

    int nodeOf(const IndexedDevice &device, base::UtcTime at) const;
    // The ids of the machines of a list that ran at some time of the range in which telemetry saw none of their GPUs.
    // `source`: whose list.
    std::set<std::string> unseenMachines(const std::string &source, base::TimeRange range) const;
    // Those that ran at some time of the range, and all that time telemetry other than their cloud's saw their GPUs.
    std::set<std::string> seenMachines(const std::string &source, base::TimeRange range) const;

private:
    void indexNodes(std::vector<model::Node> list, const std::vector<store::NodeSpan> &spans);
    void indexHolders(std::vector<model::Holder> list, const std::vector<store::HolderSpan> &spans);
    void indexScheduler(const std::vector<std::string> &clusters);
    base::Result<void> indexSubjects(store::FactReader &facts, const std::unordered_set<std::int64_t> &near);
    void indexDevices(std::vector<model::Device> list, const std::vector<store::Placement> &placements);
    void placeTold(IndexedDevice &device, const store::Placement &placement);
    void place(IndexedDevice &device, const store::Placement &placement);
    void settlePaidTime();
    void addStay(IndexedDevice &device, std::size_t i);
    std::vector<KnownNode> knownNodes() const; // parallel to nodes
    void settleListed();
    void settle(std::size_t listed, std::size_t machine, const std::vector<std::size_t> &known,
                const std::vector<std::size_t> &lists);
    void nameHolder(const store::Placement &placement);
    void join(std::size_t listed, std::size_t node, bool hasOthers, bool isScheduled);
    base::TimeRange betweenNeighbours(const IndexedDevice &device, std::size_t i, base::TimeRange stay) const;
    void listUnplaced();
    void inferOnNode(std::size_t node, base::TimeRange day);
    void inferShared(std::size_t holder, base::TimeRange life, const std::vector<std::size_t> &candidates);
    void inferExclusive(std::size_t holder, base::TimeRange life, const std::vector<std::size_t> &candidates);
    void infer(std::size_t holder, std::size_t device);
    std::unordered_map<std::int64_t, int> m_nodeById;
    std::unordered_map<std::size_t, RangeSet> m_unseen; // when telemetry did not see a machine of a list, by its node
    std::unordered_map<std::size_t, RangeSet> m_seen; // when telemetry other than its cloud's did
    std::unordered_map<std::int64_t, std::string> m_machineNames; // of all subjects that are machines
    std::unordered_map<std::size_t, std::set<std::string>> m_heldBy; // those of them that telemetry names, by node
    std::vector<std::int64_t> m_named; // all subjects, ascending, also those that the range doesn't need
    std::vector<std::vector<std::size_t>> m_unplaced; // holders, parallel to nodes, the oldest first
    std::vector<std::size_t> m_inferredOn; // devices, for the current day
};

} // namespace gpuledger::ledger
