// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/askedbill.h"

#include "app/ports/billtally.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace gpuledger::format {

using base::Result;

namespace {

constexpr std::size_t kMostLines = ports::CostSource::kMostLines;

Result<void> passBill(std::vector<model::BillLine> lines, const model::BillKey &key, ports::BillSink &sink,
                      const std::stop_token &stop, const ports::ImportReport &report)
{
    if (lines.empty()) // the month no longer costs anything: what was stored for it goes
        return sink.accept({key, {}});
    const std::uint64_t bytes = report.files.front().bytes;
    for (std::size_t from = 0; from < lines.size(); from += kMostLines) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "stopped");
        const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = begin + static_cast<std::ptrdiff_t>(std::min(kMostLines, lines.size() - from));
        ports::BillBatch batch{key, {}};
        batch.lines.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
        GPULEDGER_TRY(sink.accept(std::move(batch)));
        sink.progress({bytes, bytes, from});
    }
    return {};
}

} // namespace

base::UtcTime monthStart(base::UtcTime t)
{
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(t)};
    return std::chrono::sys_days(day.year() / day.month() / 1);
}

base::UtcTime nextMonthStart(base::UtcTime t)
{
    constexpr std::chrono::days kLongest{31};
    return monthStart(monthStart(t) + kLongest);
}

std::vector<base::TimeRange> monthsToAsk(base::UtcTime now, base::Seconds firstSync, int most)
{
    const base::UtcTime today = base::floorTo(now, base::kDay);
    base::UtcTime earliest = monthStart(now);
    for (int i = 0; i < most; ++i)
        earliest = monthStart(earliest - base::kDay);
    std::vector<base::TimeRange> out;
    for (base::UtcTime month = std::max(earliest, monthStart(now - firstSync)); month < today;
         month = nextMonthStart(month))
        out.push_back({month, nextMonthStart(month)});
    return out;
}

Result<void> tallyBill(const std::vector<model::BillLine> &lines, const model::BillKey &key,
                       const std::string &provider, ports::ImportReport &report)
{
    for (const model::BillLine &line : lines)
        GPULEDGER_TRY(ports::add(report.accepted,
                                 ports::RowMoney{line.billed.currency(), base::Decimal::of(line.billed),
                                                 base::Decimal::of(line.effective)}));
    report.read = report.accepted;
    report.parts.push_back({key, report.accepted});
    report.providers.push_back({provider, report.accepted});
    return {};
}

Result<void> storeBill(std::vector<model::BillLine> lines, const model::BillKey &key, ports::BillSink &sink,
                       const std::stop_token &stop, ports::ImportReport &report)
{
    GPULEDGER_TRY(sink.begin(report.files));
    auto done = passBill(std::move(lines), key, sink, stop, report);
    if (done)
        done = sink.commit(report);
    if (!done)
        sink.discard();
    return done;
}

} // namespace gpuledger::format
