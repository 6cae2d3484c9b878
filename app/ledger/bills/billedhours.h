// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/bills/billmatch.h"
#include "app/store/values/billed.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::ledger {

// The GPU time for which a day's bill charges machines that it names by id, compared with the GPU time that telemetry
// saw. The measure is paid time = billed hours of the machine x its GPUs (by the SKU or its type; else the positions of
// the devices that telemetry saw), or the billed GPU-hours. A machine may have several lines: its hours under a
// commitment and the others, its licence, its processors, its GPUs.
//   - Hours of one meter (source, publisher, service, SKU) add up. A refund takes its hours back.
//   - Different meters are of the same hours: the longest counts. Meters of different machine types are those of a
//     machine that was resized: they add up, if they are of one source and no more than a day together.
//   - Where a meter names a GPU machine or its GPUs, the others don't count; where none does, the shortest counts.
//   - One machine has no more than 24 hours a day: a meter with more does not count machine-hours (processor-hours),
//     and is ignored. This does not hold for a group.
//   - A device that is in several nodes on that day was seen in all of them.
// Where this leaves a doubt, nothing is known. What was seen and the rest are never more than the paid time. Times are
// in ticks of one device (base::GpuTime). One thread.
class BilledHours {
public:
    // `nodes` must outlive this object and must not change.
    explicit BilledHours(const std::vector<NodeDay> &nodes);
    // Adds a line for the machines that `found` names by id. A refund is a line that takes money back.
    void add(const store::BilledItem &billed, const BillItem &item, const BillMatch::Found &found, bool isRefund);

    struct Split {
        std::int64_t seen = 0, rest = 0; // GPU time that telemetry saw, and that it did not see; both > 0
    };
    // Call these after the last add(). std::nullopt: telemetry saw all of the billed time (up to a fiftieth), or the
    // bill does not say.
    std::optional<Split> splitOf(const BillMatch::Found &found);
    // The part of the rest that belongs to a line, rounded down; 0 if other lines of the same machines give their
    // hours.
    std::int64_t restOf(const store::BilledItem &billed, const BillItem &item, const BillMatch::Found &found);

private:
    struct Time { // of the machine in hours, and of its GPUs
        std::int64_t machine = 0, gpus = 0;
    };
    struct Meter {
        Time regular, refunded, corrected;
        std::string source, type; // of a machine in the price list; empty: not given
        bool namesGpus = false, isDoubtful = false;
        std::optional<Time> net() const;
    };
    using Meters = std::map<std::string, Meter>;
    struct Paid {
        std::set<std::string> meters; // those that count
        Time time;
        std::int64_t charged = 0; // GPU time of their lines without refunds
    };
    struct Set {
        Meters meters;
        bool isDecided = false;
        Paid paid;
        std::optional<Split> split;
    };
    using Key = std::pair<bool, std::vector<std::size_t>>; // a group or not, and its nodes

    std::optional<Time> timeOf(const store::BilledItem &billed, const BillItem &item,
                               const std::vector<std::size_t> &nodes) const;
    std::int64_t positionsOf(const std::vector<std::size_t> &nodes) const;
    std::int64_t seenOf(const std::vector<std::size_t> &nodes) const;
    static bool take(Paid &paid, const Meters::value_type &meter);
    static std::optional<Paid> paidOf(const Meters &meters, bool isGroup);
    static std::optional<Paid> shortestOf(const Meters &meters);
    static std::optional<Paid> paidTo(const Meters &meters, const std::string &source, bool isGroup);
    std::optional<Split> decide(const Key &key, Set &set) const;

    const std::vector<NodeDay> &m_nodes;
    std::map<std::int64_t, std::int64_t> m_devices; // the GPU time of each in all nodes, at most a day
    std::map<Key, Set> m_sets;
    std::map<std::size_t, int> m_count; // how many of the sets contain a node
};

} // namespace gpuledger::ledger
