// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ledger/rangeset.h"
#include "app/store/factreader.h"

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace gpuledger::ledger {

// A unit that can be held: the whole device, or one MIG slice of it.
struct Unit {
    std::string gpuInstance; // empty: the whole device
    std::int16_t slice = -1; // index into Device::slices
    model::Fraction fraction;
    RangeSet seen; // hulls of its placements
    std::vector<std::size_t> holders; // index into FleetIndex::holders: those ever placed on it
    // Those placed on it that have no scheduler record: index into FleetIndex::subjects and the hull of their samples.
    std::vector<std::pair<std::size_t, base::TimeRange>> subjects;
};

struct IndexedDevice {
    model::Device facts;
    std::vector<Unit> units; // whole device first when it was ever seen whole, then slices by instance
    // (from, node index or -1), ascending: where the device was from that instant on.
    std::vector<std::pair<base::UtcTime, int>> nodes;
    RangeSet paid;
    bool everLabelled = false; // some series of it named a holder
    base::TimeRange seen;
};

struct IndexedHolder {
    model::Holder facts;
    RangeSet spans; // running, per the scheduler
    int node = -1;
    bool requestsShared = false; // requests a time-sliced or MPS resource
    std::int64_t requested = 0; // devices or slices
    bool placed = false; // telemetry named it on a device
};

struct IndexedSubject {
    model::Subject facts;
    std::vector<std::size_t> holders; // scheduler records of that name (one an incarnation)
    base::TimeRange seen; // hull of its series
};

// Everything but usage that attribution needs, loaded once and read many times. Built on one thread, then immutable.
class FleetIndex {
public:
    // Loads what touches the range. Fails with Storage… codes.
    [[nodiscard]] static base::Result<FleetIndex> load(store::FactReader &facts, base::TimeRange range);

    std::vector<model::Node> nodes;
    std::vector<RangeSet> nodeSpans; // parallel to nodes
    std::vector<std::vector<std::size_t>> holdersOnNode, devicesOnNode; // parallel to nodes
    std::vector<IndexedDevice> devices; // ascending by id
    std::vector<IndexedHolder> holders;
    std::vector<IndexedSubject> subjects;
    std::unordered_map<std::int64_t, std::size_t> deviceById, subjectById;
    std::map<std::string, RangeSet>
        schedulerKnows; // cluster: times for which the scheduler's records of holders are there
    base::TimeRange covered;

    int nodeOf(const IndexedDevice &device, base::UtcTime at) const;

private:
    void indexNodes(std::vector<model::Node> list, const std::vector<store::NodeSpan> &spans);
    void indexHolders(std::vector<model::Holder> list, const std::vector<store::HolderSpan> &spans);
    void indexSubjects(std::vector<model::Subject> list);
    void indexDevices(std::vector<model::Device> list, const std::vector<store::Placement> &placements);
    void place(IndexedDevice &device, const store::Placement &placement);
    void settlePaidTime();
    void addStay(IndexedDevice &device, std::size_t i);
    base::TimeRange betweenNeighbours(const IndexedDevice &device, std::size_t i, base::TimeRange stay) const;
    void placeUnseenHolders();
    void inferOnNode(std::size_t node);
    void inferShared(std::size_t holder, const std::vector<std::size_t> &candidates);
    void inferExclusive(std::size_t holder, const std::vector<std::size_t> &candidates);
    std::unordered_map<std::int64_t, int> m_nodeById;
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::size_t>> m_holdersByName;
};

} // namespace gpuledger::ledger
