// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/spend/countedtwice.h"

#include "app/store/values/billed.h"

#include <algorithm>
#include <chrono>

namespace gpuledger::insight {

using base::Day;
using base::Result;

namespace {

Month monthOf(Day day)
{
    const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(day.start()));
    return {static_cast<int>(date.year()), static_cast<unsigned>(date.month())};
}

} // namespace

bool arePieces(const std::string &account, const std::map<std::string, std::set<std::string>> &billingAccounts)
{
    std::set<std::string> pieces;
    for (const auto &[source, ids] : billingAccounts) {
        for (const std::string &id : ids) {
            if (!id.starts_with(account + '/') || !pieces.insert(id).second)
                return false;
        }
    }
    return true;
}

Result<void> DoubleCounts::add(Day day, const model::LedgerKey &key, const model::LedgerAmounts &amounts)
{
    if (key.origin != model::LedgerOrigin::Billed || key.source.empty() || key.account.empty())
        return {};
    if (amounts.billed == 0 && amounts.effective == 0)
        return {};
    Account &account = m_accounts[{key.account, key.currency}];
    if (account.name.empty())
        account.name = key.accountName;
    Amounts &to = account.sources[key.source][day];
    GPULEDGER_TRY(store::addAmount(to.billed, amounts.billed));
    return store::addAmount(to.effective, amounts.effective);
}

Result<std::vector<CountedTwice>> DoubleCounts::take() const
{
    std::vector<CountedTwice> all;
    for (const auto &[of, account] : m_accounts) {
        if (account.sources.size() > 1)
            GPULEDGER_TRY(addShared(all, of, account));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const CountedTwice &a, const CountedTwice &b) { return a.month > b.month; });
    return all;
}

Result<void> DoubleCounts::addShared(std::vector<CountedTwice> &all, const Key &of, const Account &account)
{
    std::map<Day, int> sources; // that have the day
    for (const auto &[source, days] : account.sources) {
        for (const auto &[day, amounts] : days)
            ++sources[day];
    }
    std::map<Month, std::vector<Day>> shared; // ascending
    for (const auto &[day, count] : sources) {
        if (count > 1)
            shared[monthOf(day)].push_back(day);
    }
    const auto &[id, currency] = of;
    for (const auto &[month, days] : shared) {
        CountedTwice one{month, id, account.name, currency, static_cast<std::int64_t>(days.size()), days.back(), {}};
        const base::TimeRange range = month.range();
        for (const auto &[source, amounts] : account.sources) {
            Amounts sum;
            bool has = false;
            for (auto it = amounts.lower_bound(base::dayOf(range.start));
                 it != amounts.end() && it->first.start() < range.end; ++it) {
                if (sources[it->first] < 2)
                    continue;
                has = true;
                GPULEDGER_TRY(store::addAmount(sum.billed, it->second.billed));
                GPULEDGER_TRY(store::addAmount(sum.effective, it->second.effective));
            }
            if (has)
                one.parts.push_back({source, base::Money(sum.billed, currency), base::Money(sum.effective, currency)});
        }
        all.push_back(std::move(one));
    }
    return {};
}

} // namespace gpuledger::insight
