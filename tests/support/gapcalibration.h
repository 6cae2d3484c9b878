// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/ledger.h"
#include "app/model/settings.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/gapkept.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::tests {

// The stored chances of idle workloads, held against what came of them.
using GapDays = std::vector<std::pair<base::Day, store::GapDay>>; // ascending, without a day left out

// As a sync would store them.
base::Result<GapDays> gapDaysOf(ledger::Ledger &ledger, store::FactReader &facts);

// One horizon: how often what was said came true.
struct GapTrial {
    struct Bin {
        int rows = 0, stayed = 0;
        double said = 0; // sum
        double meanSaid() const { return rows ? said / rows : 0; }
        double share() const { return rows ? static_cast<double>(stayed) / rows : 0; }
        double error() const { return share() - meanSaid(); }
    };
    std::array<Bin, 10> bins; // by tenths of what was said
    int rows = 0, stayed = 0;
    double squares = 0;
    double brier() const { return rows ? squares / rows : 0; }
    // Of saying the share of the whole second half every time, which no program could know.
    double constantBrier() const;
    // The largest error of a bin with at least that many rows.
    double worst(int leastRows) const;
    std::string text() const; // one line: "0.5-0.6: said 0.57, was 0.55 of 91; …"
};

struct GapCalibration {
    GapTrial hour, day;
};

// Counts the gaps of the first half of the days, and asks in the second half for each gap as soon as it is as old as
// the grace window of its kind, and whenever it is twice as old as the last time; so a gap that lasts for days does not
// outvote the others. What can't be known, because the data end or the holder was not observed, is left out.
GapCalibration calibrate(const GapDays &days, const model::IdleSettings &settings);

} // namespace gpuledger::tests
