// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/ledger.h"
#include "app/model/settings.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/gapkept.h"

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::tests {

// The stored chances of idle workloads, held against what came of them.
using GapDays = std::vector<std::pair<base::Day, store::GapDay>>; // ascending, without a day left out

// As a sync would store them.
base::Result<GapDays> gapDaysOf(ledger::Ledger &ledger, store::FactReader &facts);

// One horizon: how often what was said came true. A row is one gap asked about at one instant. The rows of one gap have
// their end in common, so a bin counts as fewer independent ones: (sum of n)^2 / sum of n^2, n being the rows of each
// gap (Kish, Survey Sampling, 1965, 8.2).
struct GapTrial {
    struct Bin {
        int tenth = 0, tenths = 1; // what was said: from tenth / 10, and how many tenths
        int rows = 0, stayed = 0;
        double said = 0; // sum
        double least = 1, most = 0; // said
        std::map<std::size_t, int> rowsOfGap;
        std::set<std::string> workloads;
        double meanSaid() const { return rows ? said / rows : 0; }
        double share() const { return rows ? static_cast<double>(stayed) / rows : 0; }
        double error() const { return share() - meanSaid(); }
        double effectiveRows() const;
        std::pair<double, double> wilson() const; // 95 % interval of the share, by the effective rows
        bool isWithinGoal() const;
        bool isOff() const; // misses the goal, and sampling does not explain it
        // How likely a bin with so many effective rows is within the goal if what is said is the truth.
        double perfectWithinGoal() const;
        Bin &operator+=(const Bin &next);
    };
    static constexpr double kGoal = 0.05; // issue 21: the truth in each bin within 5 points
    static constexpr std::size_t kLeastGaps = 30; // of a bin that is judged; smaller ones join their neighbour

    static constexpr int kBins = 10;

    std::array<Bin, kBins> bins; // by tenths of what was said
    std::map<double, Bin> byChance; // by what was said
    int rows = 0, stayed = 0;
    double squares = 0;
    double brier() const { return rows ? squares / rows : 0; }
    // Of saying the share of the whole second half every time, which no program could know.
    double constantBrier() const;
    std::vector<Bin> judged() const; // joined bins
    // Ten bins of equally many gaps, in the order of what was said: adaptive bins, as deciles of risk (Hosmer and
    // Lemeshow, Communications in Statistics A9, 1980, 1043-1069). A gap asked n times counts as 1/n in each of its
    // rows, but only for where the bins end: with equally many rows, the few gaps that stay idle for weeks would fill
    // most bins. What was said alike is in one bin, so there may be fewer than ten.
    std::vector<Bin> equalBins() const;
    struct Verdict {
        std::size_t bins = 0;
        int withinGoal = 0, off = 0;
        double worst = 0; // largest error
        double perfectPasses = 1; // how likely all bins are within the goal if what is said is the truth
    };
    static Verdict verdict(const std::vector<Bin> &bins);
    Verdict verdict() const { return verdict(judged()); }
    double meanError() const; // of the tenths, weighted by rows (expected calibration error)
    void add(double chance, bool stays, std::size_t gap, const std::string &workload);
    std::string text() const; // one line: "0.5: said 0.57, was 0.55 of 91; …"
};

struct GapCalibration {
    GapTrial hour, day;
};

// Counts the gaps of the first half of the days, and asks in the second half about each gap every 35 minutes of the
// clock, from the age of its kind's grace window on: what somebody meets who opens the idle list at a random instant.
// All twelve buckets of an hour are asked alike. Each quarter of an hour would not be a random instant: in the demo
// work begins on quarters, so each question would come when work may begin, and none between. Long gaps are met more
// often, and count so. (Giving each gap the same weight would choose rows by their outcome: no true chance could pass.)
// A gap whose next bucket works is still idle at that instant. What can't be known, because the data end or the holder
// was not observed, is left out.
GapCalibration calibrate(const GapDays &days, const model::IdleSettings &settings);

} // namespace gpuledger::tests
