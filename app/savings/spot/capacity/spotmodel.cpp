// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/capacity/spotmodel.h"

#include <algorithm>
#include <cmath>

namespace gpuledger::savings {

namespace {

constexpr std::size_t kLeastAlike = 8; // positions, below which any position in that state serves
constexpr int kBlockSteps = 8; // of a mean stretch: lengths are geometric

} // namespace

SpotModel::SpotModel(std::vector<SpotTrace> past, std::int64_t start, SpotTuning tuning)
    : m_tuning(tuning)
{
    for (SpotTrace &trace : past) {
        if (!trace.intervals.empty())
            m_past.push_back(prepared(std::move(trace), {}, start));
    }
}

SpotModel::SpotModel(SpotTrace past, std::vector<SpotInterval> alike, std::int64_t start, SpotTuning tuning)
    : m_tuning(tuning)
{
    if (!past.intervals.empty())
        m_past.push_back(prepared(std::move(past), std::move(alike), start));
}

// Share available within [from, to) as far as it was observed; 0.5 if it was not.
double SpotModel::Past::share(std::int64_t from, std::int64_t to) const
{
    const auto upUntil = [this](std::int64_t second) {
        const auto next = std::upper_bound(trace.intervals.begin(), trace.intervals.end(), second,
                                           [](std::int64_t s, const SpotInterval &i) { return s < i.start; });
        if (next == trace.intervals.begin())
            return std::int64_t{0};
        const auto at = static_cast<std::size_t>(next - trace.intervals.begin()) - 1;
        const SpotInterval &in = trace.intervals[at];
        return upBefore[at] + (in.available ? std::min(second, in.end()) - in.start : 0);
    };
    from = std::max(from, trace.begin());
    return to > from ? static_cast<double>(upUntil(to) - upUntil(from)) / static_cast<double>(to - from) : 0.5;
}

double SpotModel::weight(const Past &past, std::int64_t position, double now) const
{
    const double off = (past.share(position - m_tuning.memory, position) - now) / m_tuning.likeness;
    const double age = static_cast<double>(past.trace.end() - position) / static_cast<double>(m_tuning.fade);
    return 1 / ((1 + off * off) * (1 + age));
}

void SpotModel::put(Draw &draw, std::size_t index, double weight)
{
    draw.index.push_back(index);
    draw.sum.push_back((draw.sum.empty() ? 0 : draw.sum.back()) + weight);
}

SpotModel::Past SpotModel::prepared(SpotTrace trace, std::vector<SpotInterval> alike, std::int64_t start) const
{
    Past past;
    if (trace.end() >= start)
        past.alike = std::move(alike);
    past.trace = std::move(trace);
    const auto &intervals = past.trace.intervals;
    std::int64_t up = 0;
    for (const SpotInterval &i : intervals) {
        past.upBefore.push_back(up);
        up += i.available ? i.length : 0;
    }
    const double now = past.share(past.trace.end() - m_tuning.memory, past.trace.end());
    // Not the last interval: it is cut.
    for (std::size_t i = 0; i + 1 < intervals.size(); ++i)
        put(past.after[intervals[i].available ? 1 : 0], i, weight(past, intervals[i].start, now));
    for (Draw &draw : past.after) {
        if (draw.index.empty()) // nothing else was ever seen
            put(draw, intervals.size() - 1, 1);
    }
    drawStart(past, past.trace.end() >= start, now);
    const std::int64_t old = std::clamp<std::int64_t>(start - past.trace.end(), 0, m_tuning.oldest);
    const double days = static_cast<double>(old) / 86400;
    past.better = m_tuning.drift + m_tuning.betterADay * days;
    past.worse = m_tuning.drift + m_tuning.worseADay * days;
    return past;
}

// How long the last interval goes on is what is asked: as long as those went on that had lasted as long. If there are
// few, it is at any second of any interval of its state; if that is not known, of any interval.
void SpotModel::drawStart(Past &past, bool known, double now) const
{
    const auto &intervals = past.startTimes();
    const SpotInterval &present = intervals.back();
    past.age = present.length;
    for (std::size_t i = 0; known && i + 1 < intervals.size(); ++i) {
        if (intervals[i].available == present.available && intervals[i].length > past.age)
            put(past.start, i, weight(past, intervals[i].start + past.age, now));
    }
    past.residual = past.start.index.size() >= kLeastAlike;
    if (past.residual)
        return;
    past.start = {};
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        if (!known || intervals[i].available == present.available)
            put(past.start, i,
                weight(past, intervals[i].start + intervals[i].length / 2, now)
                    * static_cast<double>(intervals[i].length));
    }
}

std::size_t SpotModel::drawn(const Draw &draw, double uniform)
{
    const auto at = std::upper_bound(draw.sum.begin(), draw.sum.end(), uniform * draw.sum.back());
    return draw.index[std::min(static_cast<std::size_t>(at - draw.sum.begin()), draw.index.size() - 1)];
}

SpotModel::Path::Path(const SpotModel &model, SeededRandom random, std::int64_t horizon)
    : m_model(model)
    , m_random(random)
{
    m_home = static_cast<std::size_t>(m_random.below(static_cast<std::int64_t>(m_model.m_past.size())));
    const Past &past = m_model.m_past[m_home];
    const double most = 1 + std::max(past.better, past.worse);
    m_horizon = std::llround(static_cast<double>(horizon) * most); // also after it was shortened
    const SpotInterval &time = past.startTimes()[drawn(past.start, m_random.uniform())];
    const std::int64_t at = time.start + (past.residual ? past.age : m_random.below(time.length));
    const auto &intervals = past.trace.intervals;
    const auto after =
        std::upper_bound(intervals.begin(), intervals.end(), at,
                         [](std::int64_t second, const SpotInterval &one) { return second < one.start; });
    m_index = static_cast<std::size_t>(after - intervals.begin()) - 1;
    m_offset = at - intervals[m_index].start;
    const double side = 2 * m_random.uniform() - 1;
    m_drift = side < 0 ? 1 / (1 - side * past.worse) : 1 + side * past.better;
    beginStretch();
    m_held = piece();
}

void SpotModel::Path::beginStretch()
{
    m_block = 0;
    do
        m_block += m_model.m_tuning.block / kBlockSteps;
    while (m_random.uniform() * kBlockSteps >= 1);
}

// To the begin of an interval of this state.
void SpotModel::Path::jump(bool available)
{
    const Draw &draw = m_model.m_past[m_home].after[available ? 1 : 0];
    const bool any = m_random.uniform() < m_model.m_tuning.open;
    const double at = m_random.uniform();
    m_index = any ? draw.index[static_cast<std::size_t>(at * static_cast<double>(draw.index.size()))] : drawn(draw, at);
    m_offset = 0;
}

SpotState SpotModel::Path::piece()
{
    const auto &intervals = m_model.m_past[m_home].trace.intervals;
    const SpotInterval &in = intervals[m_index];
    const SpotState state{in.length - m_offset, in.available};
    m_from = in.start + m_offset;
    m_block -= state.seconds;
    m_offset = 0;
    if (m_block <= 0 || m_index + 1 >= intervals.size()) {
        jump(!in.available);
        beginStretch();
    } else if (++m_index + 1 == intervals.size()) {
        jump(intervals.back().available); // the last one is cut: another one in its place
    }
    return state;
}

SpotPiece SpotModel::Path::nextPiece()
{
    const SpotPiece given{m_from, m_held};
    m_held = piece();
    return given;
}

SpotState SpotModel::Path::next()
{
    SpotState given = m_held;
    for (m_held = piece(); m_held.available == given.available && given.seconds <= m_horizon; m_held = piece())
        given.seconds += m_held.seconds;
    const double seconds = static_cast<double>(given.seconds);
    given.seconds = std::max<std::int64_t>(1, std::llround(given.available ? seconds * m_drift : seconds / m_drift));
    return given;
}

} // namespace gpuledger::savings
