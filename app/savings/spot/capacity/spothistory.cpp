// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/capacity/spothistory.h"

#include "app/base/money/money.h"
#include "app/base/text/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace gpuledger::savings {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::array<std::string_view, 9> kSpotColumns{"trace",  "zone",    "instance_type", "gpu",      "gpus",
                                                       "tick_s", "start_s", "duration_s",    "available"};
constexpr std::string_view kSpotPriceColumn = "price"; // may be missing
enum SpotColumn : std::size_t { Trace, Zone, InstanceType, Gpu, Gpus, Tick, Start, Duration, Available };
using SpotCells = std::array<std::string_view, kSpotColumns.size()>;

constexpr std::int64_t kLatestSecond = 10'000'000'000; // 317 years
constexpr std::int64_t kLongestTick = 86400;
constexpr int kMostGpus = 1024; // of one machine
constexpr std::size_t kMostRows = 2'000'000;

tl::unexpected<base::Error> badLine(std::size_t line, const std::string &what)
{
    return base::fail(ErrorCode::Parse, "line " + std::to_string(line) + " of the interruption history: " + what,
                      "correct line " + std::to_string(line) + ", or leave it out together with the rest of its trace");
}

std::vector<std::string_view> cellsOf(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (std::size_t from = 0; from <= line.size();) {
        const std::size_t to = std::min(line.find(',', from), line.size());
        cells.push_back(line.substr(from, to - from));
        from = to + 1;
    }
    return cells;
}

// Takes a line from the front of the text, without its end.
std::string_view takeLine(std::string_view &text)
{
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(c < 128 ? std::tolower(c) : c); });
    return out;
}

class IntervalReader {
public:
    Result<std::vector<SpotTrace>> read(std::string_view text)
    {
        if (text.starts_with("\xEF\xBB\xBF"))
            text.remove_prefix(3);
        GPULEDGER_TRY(readHeader(takeLine(text)));
        while (!text.empty()) {
            ++m_line;
            const std::string_view line = takeLine(text);
            if (!line.empty())
                GPULEDGER_TRY(readRow(line));
        }
        if (m_traces.empty())
            return base::fail(ErrorCode::Parse, "the interruption history has no rows",
                              "give it at least one interval below its line " + std::to_string(m_line));
        return std::move(m_traces);
    }

private:
    Result<void> readHeader(std::string_view line)
    {
        const std::vector<std::string_view> names = cellsOf(line);
        m_width = names.size();
        for (std::size_t i = 0; i < kSpotColumns.size(); ++i) {
            const auto found = std::find(names.begin(), names.end(), kSpotColumns[i]);
            if (found == names.end())
                return badLine(1, "there is no column " + std::string(kSpotColumns[i]));
            m_at[i] = static_cast<std::size_t>(found - names.begin());
        }
        m_price = static_cast<std::size_t>(std::find(names.begin(), names.end(), kSpotPriceColumn) - names.begin());
        return {};
    }

    Result<void> readRow(std::string_view line)
    {
        const std::vector<std::string_view> all = cellsOf(line);
        if (all.size() != m_width)
            return badLine(m_line,
                           "it has " + std::to_string(all.size()) + " cells, and the header has "
                               + std::to_string(m_width));
        if (++m_rows > kMostRows)
            return badLine(m_line, "the file has more than " + std::to_string(kMostRows) + " intervals");
        SpotCells cells;
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] = all[m_at[i]];
        for (const SpotColumn named : {Zone, InstanceType, Gpu}) {
            if (cells[named].empty())
                return badLine(m_line, std::string(kSpotColumns[named]) + " is empty");
        }
        SpotInterval interval;
        const auto gpus = number(cells, Gpus, 1, kMostGpus), tick = number(cells, Tick, 1, kLongestTick),
                   start = number(cells, Start, 0, kLatestSecond), length = number(cells, Duration, 1, kLatestSecond),
                   state = number(cells, Available, 0, 1);
        for (const auto *value : {&gpus, &tick, &start, &length, &state})
            GPULEDGER_TRY(*value);
        GPULEDGER_TRY(put(cells, static_cast<int>(*gpus), *tick, {*start, *length, *state == 1}));
        return m_price < m_width ? putPrice(m_traces[m_last], *start, all[m_price]) : Result<void>();
    }

    // An empty cell: as before.
    Result<void> putPrice(SpotTrace &trace, std::int64_t start, std::string_view cell) const
    {
        if (cell.empty())
            return {};
        const auto price = base::Money::parse(cell, base::Currency::usd()); // of any currency
        if (!price || price->nanos() <= 0)
            return badLine(m_line, "price can't be \"" + base::printable(cell, 40) + "\"; it is above zero");
        if (trace.prices.empty() || trace.prices.back().nanosPerHour != price->nanos())
            trace.prices.push_back({start, price->nanos()});
        return {};
    }

    Result<std::int64_t> number(const SpotCells &cells, SpotColumn column, std::int64_t least, std::int64_t most) const
    {
        const auto value = base::parseInt(cells[column]);
        if (!value || *value < least || *value > most)
            return badLine(m_line,
                           std::string(kSpotColumns[column]) + " can't be \"" + base::printable(cells[column], 40)
                               + "\"; it is a whole number from " + std::to_string(least) + " to "
                               + std::to_string(most));
        return *value;
    }

    Result<void> put(const SpotCells &cells, int gpus, std::int64_t tick, const SpotInterval &interval)
    {
        const auto [place, isNew] = placeOf(cells);
        if (isNew) {
            m_traces.push_back({std::string(cells[Trace]),
                                std::string(cells[Zone]),
                                std::string(cells[InstanceType]),
                                std::string(cells[Gpu]),
                                gpus,
                                tick,
                                {interval}});
            return {};
        }
        SpotTrace *const trace = &m_traces[place];
        if (trace->gpu != cells[Gpu] || trace->gpus != gpus || trace->tick != tick)
            return badLine(m_line, "gpu, gpus or tick_s differ from the row before it in the same trace");
        if (interval.start != trace->end())
            return badLine(m_line,
                           "it starts at second " + std::to_string(interval.start)
                               + ", but the interval before it ends at " + std::to_string(trace->end()));
        if (trace->intervals.back().available == interval.available)
            trace->intervals.back().length += interval.length;
        else
            trace->intervals.push_back(interval);
        return {};
    }

    // Of its trace, and whether that is a new one, which the caller adds. Rows of a trace mostly follow each other.
    std::pair<std::size_t, bool> placeOf(const SpotCells &cells)
    {
        if (m_last < m_traces.size()) {
            const SpotTrace &t = m_traces[m_last];
            if (t.trace == cells[Trace] && t.zone == cells[Zone] && t.instanceType == cells[InstanceType])
                return {m_last, false};
        }
        std::string name; // a cell has no comma
        for (const SpotColumn part : {Trace, Zone, InstanceType})
            name.append(cells[part]).append(1, ',');
        const auto [found, isNew] = m_places.try_emplace(std::move(name), m_traces.size());
        m_last = found->second;
        return {m_last, isNew};
    }

    std::size_t m_line = 1, m_rows = 0, m_width = 0, m_last = 0, m_price = 0;
    std::array<std::size_t, kSpotColumns.size()> m_at{};
    std::vector<SpotTrace> m_traces;
    std::unordered_map<std::string, std::size_t> m_places; // in m_traces
};

std::string joined(const std::set<std::string> &names)
{
    std::string all;
    for (const std::string &name : names)
        all += (all.empty() ? "" : ", ") + base::printable(name, 40);
    return all;
}

} // namespace

Result<std::vector<SpotTrace>> readSpotIntervals(std::string_view csv)
{
    return IntervalReader().read(csv);
}

Result<std::vector<SpotTrace>> chosenTraces(const std::vector<SpotTrace> &traces, const SpotChoice &choice)
{
    std::vector<SpotTrace> chosen;
    std::set<std::string> machines, zones;
    const std::string wanted = lowered(choice.gpu);
    for (const SpotTrace &t : traces) {
        machines.insert(std::to_string(t.gpus) + " x " + t.gpu);
        if ((lowered(t.gpu) != wanted && lowered(t.instanceType) != wanted) || t.gpus != choice.gpus)
            continue;
        zones.insert(t.zone);
        if (choice.zone.empty() || t.zone == choice.zone)
            chosen.push_back(t);
    }
    if (!chosen.empty())
        return chosen;
    const std::string machine = std::to_string(choice.gpus) + " x " + base::printable(choice.gpu, 40);
    if (zones.empty())
        return base::fail(ErrorCode::NotFound, "the interruption history has no machine with " + machine,
                          "it has " + joined(machines));
    return base::fail(ErrorCode::NotFound,
                      "the interruption history has no " + machine + " in zone " + base::printable(choice.zone, 40),
                      "its zones are " + joined(zones));
}

SpotTrace before(const SpotTrace &trace, std::int64_t start)
{
    SpotTrace known = trace;
    std::erase_if(known.intervals, [&](const SpotInterval &i) { return i.start >= start; });
    if (!known.intervals.empty())
        known.intervals.back().length = std::min(known.end(), start) - known.intervals.back().start;
    return known;
}

SpotTrace since(const SpotTrace &trace, std::int64_t start)
{
    SpotTrace rest = trace;
    std::erase_if(rest.intervals, [&](const SpotInterval &i) { return i.end() <= start; });
    if (!rest.intervals.empty() && rest.begin() < start) {
        rest.intervals.front().length = rest.intervals.front().end() - start;
        rest.intervals.front().start = start;
    }
    return rest;
}

SpotShape shapeOf(const std::vector<SpotTrace> &traces)
{
    SpotShape shape;
    for (const SpotTrace &t : traces) {
        for (std::size_t i = 0; i < t.intervals.size(); ++i) {
            const SpotInterval &interval = t.intervals[i];
            shape.observed += interval.length;
            if (!interval.available)
                continue;
            shape.up += interval.length;
            ++shape.upIntervals;
            shape.interruptions += i + 1 < t.intervals.size() ? 1 : 0;
        }
    }
    return shape;
}

} // namespace gpuledger::savings
