// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/billmatch.h"
#include "app/store/values/billed.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::ledger {

// The hours for which a day's bill charges machines that it names by id, compared with the time that telemetry saw.
// A machine may have several lines: its hours under a commitment and the others, its licence, its processors, its GPUs.
//   - Hours of one meter (source, publisher, service, SKU) add up; different meters are of the same hours, so the
//     longest counts.
//   - One machine has no more than 24 hours a day: a meter with more does not count machine-hours (processor-hours,
//     GPU-hours), and is ignored.
//   - Where the bill gives no hours, nothing is known.
// Times are in ticks of one device (base::GpuTime). One thread.
class BilledHours {
public:
    // `nodes` must outlive this object and must not change.
    explicit BilledHours(const std::vector<NodeDay> &nodes)
        : m_nodes(nodes)
    {
    }
    // Adds a line for the machines that `found` names by id.
    void add(const store::BilledItem &billed, const BillItem &item, const BillMatch::Found &found);

    struct Split {
        std::int64_t seen = 0, rest = 0; // machine time that telemetry saw, and that it did not see; both > 0
    };
    // std::nullopt: telemetry saw all of the billed time (up to a fiftieth), or the bill does not say.
    std::optional<Split> splitOf(const std::vector<std::size_t> &nodes) const;
    // GPU time in that line's part of the rest; 0 if other lines of the same machines give their hours.
    std::int64_t restOf(const store::BilledItem &billed, const BillItem &item, const std::vector<std::size_t> &nodes,
                        const Split &split) const;

private:
    using Meters = std::map<std::string, std::int64_t>;
    const Meters::value_type *longest(const std::vector<std::size_t> &nodes) const;

    const std::vector<NodeDay> &m_nodes;
    std::map<std::vector<std::size_t>, Meters> m_hours;
    std::map<std::size_t, int> m_sets; // how many of the lists above contain a node
};

} // namespace gpuledger::ledger
