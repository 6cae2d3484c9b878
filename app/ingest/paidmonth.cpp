// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/paidmonth.h"

#include <chrono>
#include <sstream>

namespace gpuledger::ingest {

using base::Result;

namespace {

std::string paidMemory(const std::string &source)
{
    return source + "\npaid calls"; // "month requests nanos currency", the month as its first second since 1970
}

std::optional<PaidMonth> paidFrom(const std::string &text)
{
    std::istringstream in(text);
    std::int64_t month = 0, nanos = 0;
    std::uint64_t requests = 0;
    std::string code;
    if (!(in >> month >> requests >> nanos >> code))
        return std::nullopt;
    const auto currency = base::Currency::parse(code);
    if (!currency)
        return std::nullopt;
    return PaidMonth{base::fromUnix(month), {requests, base::Money(nanos, *currency)}};
}

} // namespace

base::UtcTime monthOf(base::UtcTime t)
{
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(t)};
    return std::chrono::sys_days(day.year() / day.month() / 1);
}

Result<std::optional<PaidMonth>> paidCalls(store::LedgerStore &cache, const std::string &source)
{
    const auto text = cache.memoryOf(paidMemory(source));
    GPULEDGER_TRY(text);
    return paidFrom(*text);
}

Result<void> addPaid(store::LedgerStore &cache, const std::string &source, const ports::PaidCalls &calls,
                     base::UtcTime at)
{
    const auto before = paidCalls(cache, source);
    GPULEDGER_TRY(before);
    PaidMonth month{monthOf(at), calls};
    if (*before && (*before)->month == month.month) {
        const auto sum = (*before)->calls.amount.plus(calls.amount);
        GPULEDGER_TRY(sum);
        month.calls = {(*before)->calls.requests + calls.requests, *sum};
    }
    std::ostringstream text;
    text << base::toUnix(month.month) << ' ' << month.calls.requests << ' ' << month.calls.amount.nanos() << ' '
         << month.calls.amount.currency().code();
    return cache.putMemory(paidMemory(source), text.str());
}

} // namespace gpuledger::ingest
