// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/vastai/bookedcharges.h"

#include "connectors/vastai/chargeanswer.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace gpuledger::vastai {

using base::Decimal;
using base::Result;

namespace {

// Vast.ai rounds each charge to a thousandth.
bool isRounding(const Decimal &rest, std::size_t charges)
{
    const Decimal most = Decimal::parse(std::to_string(charges + 1) + "e-3").value_or(Decimal());
    const Decimal least = Decimal().minus(most).value_or(Decimal());
    return rest <= most && rest >= least;
}

// Books the charges of one contract; `days` are of the same one.
Result<void> book(Charge month, std::vector<Charge> days, std::vector<Charge> &booked)
{
    Decimal rest = month.amount;
    for (const Charge &day : days) {
        const auto less = rest.minus(day.amount);
        GPULEDGER_TRY(less);
        rest = *less;
    }
    const bool isUncut = !isRounding(rest, days.size())
        && std::all_of(days.begin(), days.end(),
                       [&](const Charge &day) { return day.amount == month.amount && day.stated == month.stated; });
    if (days.empty() || isUncut) {
        if (!days.empty() && month.period != month.stated)
            return unreadableCharges("the charge for " + month.source + " is for more days than were asked");
        booked.push_back(std::move(month));
        return {};
    }
    std::move(days.begin(), days.end(), std::back_inserter(booked));
    month.items.clear();
    month.amount = rest;
    if (!rest.isZero())
        booked.push_back(std::move(month));
    return {};
}

} // namespace

std::vector<base::Day> daysToAsk(const std::vector<Charge> &month, const base::TimeRange &asked)
{
    std::set<base::Day> days;
    if (asked.length() <= base::kDay)
        return {};
    for (const Charge &charge : month) {
        for (base::UtcTime t = charge.period.start; t < charge.period.end; t += base::kDay)
            days.insert(base::dayOf(t));
    }
    return {days.begin(), days.end()};
}

Result<std::vector<Charge>> bookedCharges(std::vector<Charge> month, std::vector<Charge> days)
{
    std::map<std::string, std::vector<Charge>> bySource;
    for (Charge &day : days)
        bySource[day.source].push_back(std::move(day));
    std::vector<Charge> booked;
    for (Charge &charge : month) {
        auto ofSource = bySource.extract(charge.source);
        GPULEDGER_TRY(book(std::move(charge), ofSource ? std::move(ofSource.mapped()) : std::vector<Charge>(), booked));
    }
    if (!bySource.empty())
        return unreadableCharges("a day has a charge for " + bySource.begin()->first + " that the month lacks");
    return booked;
}

} // namespace gpuledger::vastai
