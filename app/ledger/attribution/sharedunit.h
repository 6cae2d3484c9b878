// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/attribution/unitshares.h"

#include <vector>

namespace gpuledger::ledger {

// Splits a bucket of a unit that several holders may have at once (time slicing, MPS, copies of one series): each
// second is divided among the holders present in it. Holds scratch memory; use one object per thread.
class SharedUnit {
public:
    // `index` must outlive this object.
    explicit SharedUnit(const FleetIndex &index)
        : m_index(index)
        , m_finder(index)
    {
    }
    bool isShared(const IndexedDevice &device, const Unit &unit, const Samples &samples, base::TimeRange range) const;
    // Adds `paid` seconds to the shares.
    void resolve(const Unit &unit, const Samples &samples, base::TimeRange range, std::int64_t paid, Shares &shares);

private:
    struct Sharer {
        Claim claim;
        std::vector<base::TimeRange> times;
        std::int64_t weight = 1;
        std::int64_t ticks = 0;
        model::UsageBucket reading; // from its own copy of the unit's series
        std::int64_t readSeconds = 0;
    };
    struct Reading {
        model::UsageBucket reading;
        std::int64_t observed = 0; // seconds
        bool measured = false; // the exporter reports each holder's own part
    };

    Reading read(const Unit &unit, const Samples &samples, std::int64_t paid) const;
    void collectSharers(const Unit &unit, const Samples &samples, base::TimeRange range, std::int64_t observed);
    Sharer &sharerOf(const Claim &claim);
    bool isOf(const Sharer &sharer, const Sample &sample) const;
    bool weighByProcess(const Unit &unit, const Samples &samples);
    void readOwnCopies(const Unit &unit, const Samples &samples);
    void splitPresence(base::TimeRange range, bool byMeasure);
    void handOut(const Reading &unit, std::int64_t paid, bool byMeasure, Shares &shares);

    const FleetIndex &m_index;
    ClaimFinder m_finder;
    std::vector<Sharer> m_sharers;
    std::int64_t m_nobodyTicks = 0;
};

} // namespace gpuledger::ledger
