// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/codecs/columncodec.h"

#include "app/store/codecs/columnslope.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace gpuledger::store {

namespace {

constexpr std::size_t kManyChanges = 8; // runs shorter than this on average may take more space than their values

// `gaps`: where values are missing, as encoded by putPresence(); empty: nowhere.
void putForm(std::string &out, ColumnForm form, std::string_view gaps = {})
{
    out.push_back(static_cast<char>(static_cast<int>(form) << 1 | (gaps.empty() ? 0 : 1)));
    out += gaps;
}

// True if the steps from each value to the next take fewer bits than the distances from the smallest; only the better
// of the two is examined further.
bool stepsAreSmall(std::span<const std::uint32_t> values)
{
    const std::uint32_t low = *std::min_element(values.begin(), values.end());
    int steps = 0, distances = 0;
    std::uint32_t before = values.front();
    for (const std::uint32_t v : values) {
        steps += 1 + std::bit_width(v > before ? v - before : before - v);
        distances += std::bit_width(v - low);
        before = v;
    }
    return steps < distances;
}

// Slope by least squares, each track around its own mean.
std::int64_t slopeOf(std::span<const std::uint32_t> values, const ColumnCodec::Shape &shape)
{
    double both = 0, own = 0;
    std::size_t at = 0;
    for (const std::size_t count : shape.tracks) {
        std::uint64_t sumValue = 0, sumGuide = 0;
        for (std::size_t i = at; i < at + count; ++i) {
            sumValue += values[i];
            sumGuide += shape.guide[i];
        }
        const double n = static_cast<double>(std::max<std::size_t>(count, 1));
        const double meanValue = static_cast<double>(sumValue) / n, meanGuide = static_cast<double>(sumGuide) / n;
        for (std::size_t i = at; i < at + count; ++i) {
            const double g = shape.guide[i] - meanGuide;
            both += g * (values[i] - meanValue);
            own += g * g;
        }
        at += count;
    }
    const double slope = own > 0 ? both / own * (1 << columns::kSlopeBits) : 0;
    return std::abs(slope) < columns::kSteepest ? std::llround(slope) : 0;
}

} // namespace

void ColumnCodec::put(std::string &out, std::span<const std::uint32_t> values, const Shape &shape)
{
    const std::uint64_t missing = shape.missing;
    const std::uint64_t nothing = missing == kNever ? 0 : missing;
    const std::uint32_t first = values.empty() ? static_cast<std::uint32_t>(nothing) : values.front();
    if (std::all_of(values.begin(), values.end(), [first](std::uint32_t v) { return v == first; })) {
        putForm(out, first == nothing ? ColumnForm::Nothing : ColumnForm::Constant);
        if (first != nothing)
            putVarint(out, first);
        return;
    }
    m_gaps.clear();
    if (missing == kNever || std::find(values.begin(), values.end(), missing) == values.end())
        return putPresent(out, values, shape);
    putPresence(values, static_cast<std::uint32_t>(missing));
    m_present.clear();
    for (const std::uint32_t v : values) {
        if (v != missing)
            m_present.push_back(v);
    }
    putPresent(out, m_present, presentPart(shape));
}

// The shape of the part of the column that m_isPresent selects.
ColumnCodec::Shape ColumnCodec::presentPart(const Shape &shape)
{
    m_presentGuide.clear();
    m_presentTracks.clear();
    std::size_t at = 0;
    for (const std::size_t count : shape.tracks) {
        m_presentTracks.push_back(0);
        for (const std::size_t end = at + count; at < end; ++at) {
            if (!m_isPresent[at])
                continue;
            ++m_presentTracks.back();
            if (!shape.guide.empty())
                m_presentGuide.push_back(shape.guide[at]);
        }
    }
    return {shape.missing, m_presentTracks, m_presentGuide};
}

std::size_t ColumnCodec::splitIntoRuns(std::span<const std::uint32_t> values)
{
    m_runValues.clear();
    m_runLengths.clear();
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= values.size(); ++i) {
        if (i < values.size() && values[i] == values[begin])
            continue;
        m_runValues.push_back(values[begin]);
        m_runLengths.push_back(static_cast<std::uint32_t>(i - begin - 1));
        begin = i;
    }
    m_runLengths.pop_back(); // of the last run, which extends to the end
    return m_runValues.size();
}

void ColumnCodec::putPresent(std::string &out, std::span<const std::uint32_t> values, const Shape &shape)
{
    const std::size_t runs = splitIntoRuns(values);
    if (runs == 1) {
        putForm(out, ColumnForm::Constant, m_gaps);
        return putVarint(out, values.front());
    }
    const NumberList::Plan lengths = NumberList::plan(m_runLengths), ofRuns = NumberList::plan(m_runValues);
    double best = lengths.bits + ofRuns.bits + 8;
    NumberList::Plan each;
    ColumnForm form = ColumnForm::Runs;
    Steps steps;
    std::optional<Slope> slope;
    if (runs * kManyChanges > values.size()) {
        if (stepsAreSmall(values)) {
            steps = stepThrough(values);
            if (steps.plan.bits < best) {
                form = ColumnForm::Steps;
                best = steps.plan.bits;
            }
        } else {
            each = NumberList::plan(values);
            if (each.bits < best) {
                form = ColumnForm::Each;
                best = each.bits;
            }
        }
        slope = follow(values, shape);
        if (slope && slope->bits < best)
            form = ColumnForm::Following;
    }
    putForm(out, form, m_gaps);
    if (form == ColumnForm::Runs) {
        putVarint(out, runs);
        m_list.put(out, m_runLengths, lengths);
        m_list.put(out, m_runValues, ofRuns);
    } else if (form == ColumnForm::Each) {
        m_list.put(out, values, each);
    } else if (form == ColumnForm::Steps) {
        putVarint(out, values.front());
        putVarint(out, steps.divisor);
        m_list.put(out, m_steps, steps.plan);
    } else {
        putVarint(out, zigzag(slope->slope));
        m_list.put(out, m_bases);
        m_list.put(out, m_distances, slope->plan);
    }
}

ColumnCodec::Steps ColumnCodec::stepThrough(std::span<const std::uint32_t> values)
{
    std::uint32_t divisor = 0;
    for (std::size_t i = 1; i < values.size() && divisor != 1; ++i) {
        const std::uint32_t step = std::max(values[i], values[i - 1]) - std::min(values[i], values[i - 1]);
        if (step != 0 && (divisor == 0 || step % divisor != 0))
            divisor = std::gcd(divisor, step);
    }
    Steps steps;
    steps.divisor = std::max(divisor, 1U);
    m_steps.clear();
    for (std::size_t i = 1; i < values.size(); ++i) {
        const std::int64_t step = std::int64_t{values[i]} - std::int64_t{values[i - 1]};
        const auto number = zigzag(step / steps.divisor);
        if (number > std::numeric_limits<std::uint32_t>::max()) {
            steps.plan.bits = std::numeric_limits<double>::infinity(); // never the shortest
            return steps;
        }
        m_steps.push_back(static_cast<std::uint32_t>(number));
    }
    steps.plan = NumberList::plan(m_steps);
    steps.plan.bits += 32;
    return steps;
}

std::optional<ColumnCodec::Slope> ColumnCodec::follow(std::span<const std::uint32_t> values, const Shape &shape)
{
    if (shape.guide.empty())
        return std::nullopt;
    Slope s;
    s.slope = slopeOf(values, shape);
    m_distances.resize(values.size());
    m_bases.clear();
    std::size_t at = 0;
    for (const std::size_t count : shape.tracks) {
        std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();
        for (std::size_t i = at; i < at + count; ++i) {
            const std::int64_t distance = std::int64_t{values[i]} - columns::along(s.slope, shape.guide[i]);
            low = std::min(low, distance);
            high = std::max(high, distance);
        }
        constexpr std::int64_t kFits = std::numeric_limits<std::int32_t>::max();
        if (count > 0 && (low < -kFits || low > kFits || high - low > kFits))
            return std::nullopt;
        m_bases.push_back(count > 0 ? static_cast<std::uint32_t>(zigzag(low)) : 0);
        for (std::size_t i = at; i < at + count; ++i)
            m_distances[i] =
                static_cast<std::uint32_t>(std::int64_t{values[i]} - columns::along(s.slope, shape.guide[i]) - low);
        at += count;
    }
    s.plan = NumberList::plan(m_distances);
    s.bits = s.plan.bits + NumberList::plan(m_bases).bits + 24;
    return s;
}

// Writes alternating runs of present and missing values, present first (maybe empty), into m_gaps and m_isPresent.
void ColumnCodec::putPresence(std::span<const std::uint32_t> values, std::uint32_t missing)
{
    m_runLengths.clear();
    m_isPresent.resize(values.size());
    std::size_t begin = 0;
    bool present = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
        m_isPresent[i] = values[i] != missing ? 1 : 0;
        if ((values[i] != missing) == present)
            continue;
        m_runLengths.push_back(static_cast<std::uint32_t>(i - begin));
        begin = i;
        present = !present;
    }
    putVarint(m_gaps, m_runLengths.size());
    m_list.put(m_gaps, m_runLengths);
}

} // namespace gpuledger::store
