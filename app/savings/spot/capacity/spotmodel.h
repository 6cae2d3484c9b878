// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/proposals/seededrandom.h"
#include "app/savings/spot/capacity/spothistory.h"

#include <cstdint>
#include <optional>
#include <vector>

// How spot capacity may go on: stretches of the real past, strung together. Pure; any thread may read.
namespace gpuledger::savings {

struct SpotState {
    std::int64_t seconds = 0;
    bool available = false;
};

// A part of the past as it was.
struct SpotPiece {
    std::int64_t from = 0; // second of the trace
    SpotState state;
};

// What the model looks at; chosen by the calibration on real intervals (tests/bench: spot).
struct SpotTuning {
    std::int64_t block = 2 * 86400; // mean length of a stretch, seconds
    std::int64_t memory = 86400; // a past hour counts more the nearer the share available before it is to that now
    double likeness = 0.25; // difference of these shares that halves its weight
    std::int64_t fade = 3 * 86400; // age that halves its weight
    double open = 0.2; // part of the stretches that are drawn from the whole past alike
    double drift = 0.75; // a path's up intervals are up to 1 + drift times as long and its down ones as much shorter,
                         // or the other way round: the future is not the past
    // A history that ends before the start says less the older it is: what `drift` grows by in each day of its age, up
    // to `oldest`, where capacity is better than it was and where it is worse. Better ends at no interruption at all,
    // worse nowhere, so that a band pays for it with its width.
    double betterADay = 0.4, worseADay = 0.01;
    std::int64_t oldest = 14 * 86400;
};

// A stationary block bootstrap (Politis and Romano 1994) over intervals, which begins in the state of the last known
// second: at positions where the past had been as long in that state.
class SpotModel {
public:
    // Traces as they were known at second `start`; of several, each path follows one, by chance. One that ends before
    // the start says nothing about the state then.
    SpotModel(std::vector<SpotTrace> past, std::int64_t start, SpotTuning tuning = {});
    // A trace whose present has more to it than its state. `alike` are the times of the trace, in their order and
    // without gaps, that are as the last of them (available) or not; paths begin in such a time, chosen as otherwise
    // among intervals of the present state. Not empty; used only if the state at the start is known.
    SpotModel(SpotTrace past, std::vector<SpotInterval> alike, std::int64_t start, SpotTuning tuning = {});
    bool empty() const { return m_past.empty(); } // no interval: there are no paths

    // One possible future, states by turns; the model, which isn't empty, must outlive it.
    class Path {
    public:
        // A state that lasts longer than `horizon` seconds is cut there.
        Path(const SpotModel &model, SeededRandom random, std::int64_t horizon);
        SpotState next();
        // What the future is made of, not yet stretched; two in a row can have the same state. Use this or next().
        SpotPiece nextPiece();
        double stretch(bool available) const { return available ? m_drift : 1 / m_drift; }

    private:
        void beginStretch();
        void jump(bool available);
        SpotState piece();

        const SpotModel &m_model;
        SeededRandom m_random;
        std::size_t m_home = 0, m_index = 0;
        std::int64_t m_offset = 0; // seconds of the interval that lie before the position
        std::int64_t m_from = 0; // second of the trace at which the held state begins
        std::int64_t m_block = 0; // seconds left of the stretch
        std::int64_t m_horizon;
        double m_drift; // factor of the up intervals; divisor of the others
        SpotState m_held; // not given yet, because what follows may be of the same state
    };

private:
    struct Draw { // positions of one kind with their weights, summed up
        std::vector<std::size_t> index;
        std::vector<double> sum;
    };
    // One trace, prepared.
    struct Past {
        SpotTrace trace;
        std::vector<std::int64_t> upBefore; // seconds available before each interval
        std::vector<SpotInterval> alike; // that `start` is drawn from; empty: the intervals of the trace
        Draw start; // positions like the present
        bool residual = false; // they have been in their state as long as the present has
        std::int64_t age = 0;
        double better = 0, worse = 0; // drifts, grown with the age of the history
        Draw after[2]; // intervals by state, for a new stretch
        double share(std::int64_t from, std::int64_t to) const;
        const std::vector<SpotInterval> &startTimes() const { return alike.empty() ? trace.intervals : alike; }
    };
    static void put(Draw &draw, std::size_t index, double weight);
    static std::size_t drawn(const Draw &draw, double uniform);
    Past prepared(SpotTrace trace, std::vector<SpotInterval> alike, std::int64_t start) const;
    void drawStart(Past &past, bool known, double now) const;
    double weight(const Past &past, std::int64_t position, double now) const;

    SpotTuning m_tuning;
    std::vector<Past> m_past;
};

} // namespace gpuledger::savings
