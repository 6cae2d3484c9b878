// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/bills/billmatch.h"
#include "app/store/values/billed.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gpuledger::ledger {

// The GPU time that a day's bill lines pay for by naming a machine type and no machine, compared with the GPU time that
// telemetry saw on the nodes that they find. Lines that find a common node are settled together: on-demand and spot
// machines of a type, or those of several accounts, are different machines.
//   - Hours of one product (source, publisher, service) add up. A refund takes its hours back.
//   - Different products are of the same hours (a machine and its licence, the same bill read by two sources): the
//     longest counts.
// Where the hours of a refund are not given, nothing is known. Times are in ticks of one device (base::GpuTime). One
// thread.
class BilledTypes {
public:
    // `nodes` must outlive this object and must not change.
    explicit BilledTypes(const std::vector<NodeDay> &nodes);
    // Adds a line for the nodes that `found` has by type. A refund is a line that takes money back.
    void add(const store::BilledItem &billed, const BillItem &item, const BillMatch::Found &found, bool isRefund);

    struct Split { // of the cost of each line for these nodes
        std::int64_t seen = 0, rest = 0; // GPU time that telemetry saw, and that it did not see; rest > 0
        std::int64_t restOfLine = 0; // GPU time of this line's part of the rest, rounded down
    };
    // Call this after the last add(). std::nullopt: telemetry saw all of the billed time (up to a fiftieth), or the
    // bill does not say.
    std::optional<Split> splitOf(const store::BilledItem &billed, const BillItem &item, const BillMatch::Found &found);

private:
    using Product = std::tuple<std::string, std::string, std::string>; // source, publisher, service
    struct Sum {
        std::int64_t regular = 0, refunded = 0, corrected = 0;
        bool isDoubtful = false;
    };
    struct Group { // lines that are settled together
        std::map<Product, Sum> products;
        std::int64_t seen = 0;
    };
    struct Line {
        Product product;
        std::size_t node; // one of those found
        Sum sum;
    };
    std::size_t rootOf(std::size_t node);
    void settle();

    const std::vector<NodeDay> &m_nodes;
    std::vector<std::size_t> m_parents; // of the nodes: those of one group have the same root
    std::vector<Line> m_lines;
    std::map<std::size_t, Group> m_groups; // by root
    bool m_isSettled = false;
};

} // namespace gpuledger::ledger
