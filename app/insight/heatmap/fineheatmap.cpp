// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/heatmap/fineheatmap.h"

#include "app/base/remedy.h"
#include "app/insight/heatmap/heatmapbins.h"
#include "app/insight/heatmap/heatmapcells.h"
#include "app/store/facts/measures.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace gpuledger::insight {

using base::Result;
using store::Measure;

namespace {

constexpr std::size_t kFilteredOut = static_cast<std::size_t>(-1);

base::TimeRange wholeBuckets(base::TimeRange range)
{
    const base::TimeRange buckets{base::ceilTo(range.start, base::kBucket), base::floorTo(range.end, base::kBucket)};
    return buckets.empty() ? base::TimeRange{buckets.start, buckets.start} : buckets;
}

// Observed time without a holder has nothing to measure, which is not the same as missing telemetry.
float packed(Metric metric, const MeasureSums &sums)
{
    if (const auto value = valueOf(metric, sums))
        return static_cast<float>(*value);
    const TimeByState time = sums.time();
    const bool nothingHeld =
        time.held().ticks == 0 && (time.paid().ticks == 0 || time.paid().ticks > time.unobserved().ticks);
    return nothingHeld ? PackedCells::kNothingHeld : PackedCells::kMissing;
}

// Whole percent, rounded down, so that a value just below a limit stays below it.
std::uint8_t percentOf(std::optional<double> share)
{
    constexpr double kTiny = 1e-9;
    return static_cast<std::uint8_t>(share ? std::clamp(std::floor(*share * 100 + kTiny), 0.0, 100.0) : 100);
}

// The sums of one day's buckets for the rows that are open; a day's rows become cells as soon as they are complete.
class FineCells {
public:
    FineCells(const HeatmapQuery &query, base::TimeRange range)
        : m_metric(query.metric)
        , m_range(range)
        , m_width(static_cast<std::size_t>((range.end - range.start) / base::kBucket))
        , m_slots(query.metric)
        , m_columns(m_width)
    {
    }

    std::size_t rowOf(const std::string &key)
    {
        const auto [it, isNew] = m_rows.try_emplace(key, m_keys.size());
        if (isNew) {
            m_keys.push_back(key);
            m_wholes.emplace_back();
            m_open.push_back(kFilteredOut);
            m_expected.emplace_back();
            m_values.resize(m_keys.size() * m_width, PackedCells::kNothingHeld);
            m_known.resize(m_keys.size() * m_width, percentOf({}));
        }
        return it->second;
    }
    bool fits() const { return m_keys.size() * m_width <= kMaxFineCells; }

    void add(const model::DeviceAttribution &device, const model::UsagePart &part, std::size_t row)
    {
        if (m_open[row] == kFilteredOut) {
            m_open[row] = m_openRows.size();
            m_openRows.push_back(row);
            m_sums.resize(m_openRows.size() * rowSize());
        }
        std::int64_t *const cell = m_sums.data() + m_open[row] * rowSize() + part.bucket * m_slots.count();
        store::forEachMeasure(device, part, [&](Measure m, std::int64_t amount) { m_slots.add(cell, m, amount); });
    }

    // All data of the day have been added.
    void close(base::Day day)
    {
        const auto first = (day.start() - m_range.start) / base::kBucket;
        for (const std::size_t row : m_openRows) {
            const std::int64_t *cell = m_sums.data() + m_open[row] * rowSize();
            for (int bucket = 0; bucket < base::kBucketsPerDay; ++bucket, cell += m_slots.count()) {
                const auto column = first + bucket;
                if (column < 0 || static_cast<std::size_t>(column) >= m_width)
                    continue;
                const MeasureSums sums = m_slots.sums(cell);
                const std::size_t at = row * m_width + static_cast<std::size_t>(column);
                m_values[at] = packed(m_metric, sums);
                m_known[at] = percentOf(sums.coverage());
                m_wholes[row] += sums;
                m_columns[static_cast<std::size_t>(column)] += sums;
            }
            m_open[row] = kFilteredOut;
        }
        m_openRows.clear();
        m_sums.clear();
    }

    // Nothing is known about these buckets; they are not the same as empty ones.
    void addExpected(const ExpectedTime &expected)
    {
        const base::TimeRange missing = expected.missing.intersect(m_range);
        const auto first =
            static_cast<std::size_t>((base::ceilTo(missing.start, base::kBucket) - m_range.start) / base::kBucket);
        const auto end =
            static_cast<std::size_t>((base::ceilTo(missing.end, base::kBucket) - m_range.start) / base::kBucket);
        for (const auto &[key, perCell] : expected.perCell) {
            const std::size_t row = rowOf(key);
            if (!fits())
                return;
            const base::GpuTime time = expectedOver(perCell, base::kBucket);
            const CellTime one{expected.stale ? time : base::GpuTime{}, time};
            m_columnTimes.resize(m_width);
            for (std::size_t column = first; column < std::min(end, m_width); ++column) {
                m_values[row * m_width + column] = PackedCells::kMissing;
                m_known[row * m_width + column] = 0;
                m_columnTimes[column] += one;
                m_expected[row] += one;
            }
        }
    }

    void moveTo(Heatmap &out)
    {
        m_columnTimes.resize(m_width);
        std::vector<std::int64_t> idle;
        std::vector<std::size_t> from;
        for (std::size_t row = 0; row < m_keys.size(); ++row) {
            if (m_wholes[row].time().paid().ticks == 0 && m_expected[row].notFetched.ticks == 0)
                continue;
            out.rows.push_back({std::move(m_keys[row]), {}, cellOf(m_metric, m_wholes[row], m_expected[row])});
            idle.push_back(m_wholes[row][Measure::IdleTicks]);
            from.push_back(row);
        }
        std::vector<HeatmapRow> sorted;
        out.packed.values.reserve(from.size() * m_width);
        out.packed.known.reserve(from.size() * m_width);
        for (const std::size_t i : rowOrder(out.rows, idle)) {
            sorted.push_back(std::move(out.rows[i]));
            const float *const line = m_values.data() + from[i] * m_width;
            out.packed.values.insert(out.packed.values.end(), line, line + m_width);
            const std::uint8_t *const known = m_known.data() + from[i] * m_width;
            out.packed.known.insert(out.packed.known.end(), known, known + m_width);
        }
        out.rows = std::move(sorted);
        for (std::size_t c = 0; c < m_width; ++c)
            out.columns.push_back(cellOf(m_metric, m_columns[c], m_columnTimes[c]));
    }

private:
    std::size_t rowSize() const { return m_slots.count() * base::kBucketsPerDay; }

    const Metric m_metric;
    const base::TimeRange m_range;
    const std::size_t m_width;
    const MeasureSlots m_slots;
    std::unordered_map<std::string, std::size_t> m_rows;
    std::vector<std::string> m_keys;
    std::vector<MeasureSums> m_wholes; // of each row
    std::vector<MeasureSums> m_columns;
    std::vector<CellTime> m_expected, m_columnTimes; // of each row and column
    std::vector<float> m_values;
    std::vector<std::uint8_t> m_known; // percent
    std::vector<std::size_t> m_open; // of each row: its place in m_sums
    std::vector<std::size_t> m_openRows;
    std::vector<std::int64_t> m_sums; // of the open rows: bucket by bucket, the slots of each
};

tl::unexpected<base::Error> tooMany()
{
    return base::fail(base::ErrorCode::InvalidArgument, "the heatmap would have more than 32 million five-minute cells",
                      base::Remedy::ChooseCoarserBins);
}

} // namespace

Result<Heatmap> fineHeatmap(store::AttributionReader &facts, const HeatmapQuery &query, base::Currency currency,
                            const std::stop_token &stop, const Reach &reach, const std::vector<ExpectedTime> &expected)
{
    Heatmap out = emptyHeatmap(query, currency);
    out.reach = reach;
    out.range = wholeBuckets(query.query.range);
    if (static_cast<std::size_t>((out.range.end - out.range.start) / base::kBucket) > BinTable::kMaxBins)
        return base::fail(base::ErrorCode::InvalidArgument, "the range has more than 20,000 bins",
                          base::Remedy::ChooseCoarserBins);
    out.bins = bucketLabels(out.range, query.zone);
    if (out.range.empty())
        return out;
    const auto labels = LabelLookup::read(facts, query.query.filter, {query.by});
    GPULEDGER_TRY(labels);
    FineCells cells(query, out.range);
    std::vector<std::pair<std::int32_t, std::size_t>> known; // of the current device: holder to row
    base::Day day = base::dayOf(out.range.start);
    base::DeviceId before{};
    const auto visit = [&](const model::DeviceAttribution &device) -> Result<void> {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "superseded");
        // A device's own row is complete at the end of its day, so a whole fleet needs no extra memory.
        if (device.day != day || (query.by == Dimension::Device && device.device->id != before))
            cells.close(day);
        day = device.day;
        before = device.device->id;
        known.clear();
        for (const model::UsagePart &part : device.parts) {
            auto it = std::find_if(known.begin(), known.end(), [&](const auto &k) { return k.first == part.holder; });
            if (it == known.end()) {
                const bool in = matches(query.query.filter, device, part.holder, *labels);
                it = known.insert(
                    known.end(),
                    {part.holder, in ? cells.rowOf(valueOf(device, part.holder, query.by, *labels)) : kFilteredOut});
            }
            if (it->second != kFilteredOut)
                cells.add(device, part, it->second);
        }
        return cells.fits() ? Result<void>() : tooMany();
    };
    GPULEDGER_TRY(facts.walk(day, base::dayOf(out.range.end - base::Seconds{1}), {}, visit));
    cells.close(day);
    for (const ExpectedTime &one : expected)
        cells.addExpected(one);
    if (!cells.fits())
        return tooMany();
    cells.moveTo(out);
    return out;
}

} // namespace gpuledger::insight
