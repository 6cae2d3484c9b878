// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/accountseries.h"

#include "app/ledger/prices/pricerules.h"
#include "app/store/values/billed.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace gpuledger::services {

using base::Day;
using base::Result;
using model::LedgerAmounts;
using model::LedgerCategory;
using model::LedgerKey;
using model::LedgerOrigin;

namespace {

struct AccountDay {
    std::map<base::Currency, std::int64_t> cost; // nano-units
    std::int64_t ticks = 0, unpriced = 0; // on no bill
};

struct AccountSum {
    std::map<Day, AccountDay> days;
    std::set<std::string> sources; // bills that charge it for GPU machines
};

struct BilledSpan {
    Day first, last; // with time of machines
};

class AccountLines {
public:
    explicit AccountLines(model::CostView view)
        : m_view(view)
    {
    }
    Result<void> add(Day day, const LedgerKey &key, const LedgerAmounts &amounts)
    {
        m_first = m_first ? std::min(*m_first, day) : day;
        const bool isOnBill = key.origin == LedgerOrigin::Billed && key.category != LedgerCategory::NotBilled;
        if (isOnBill && (key.category == LedgerCategory::Gpu || key.category == LedgerCategory::Compute)) {
            BilledSpan &span = m_spans.try_emplace(key.source, BilledSpan{day, day}).first->second;
            span = {std::min(span.first, day), std::max(span.last, day)};
        }
        if (key.category != LedgerCategory::Gpu)
            return {};
        AccountSum &sum = m_accounts[key.account];
        if (isOnBill)
            sum.sources.insert(key.source);
        if (!key.accountName.empty())
            nameAccount(day, key);
        return addCost(sum.days[day], key, amounts, isOnBill);
    }

    std::optional<Day> first() const { return m_first; }
    const std::map<std::string, AccountSum> &accounts() const { return m_accounts; }
    const std::map<std::string, BilledSpan> &spans() const { return m_spans; }
    std::map<std::string, std::string> names() const
    {
        std::map<std::string, std::string> out;
        for (const auto &[id, named] : m_names)
            out.emplace(id, named.second);
        return out;
    }
    const std::map<std::string, std::set<std::string>> &ids() const { return m_ids; }

private:
    void nameAccount(Day day, const LedgerKey &key)
    {
        m_ids[key.accountName].insert(key.account);
        auto &named = m_names.try_emplace(key.account, day, key.accountName).first->second;
        named = std::max(named, std::pair(day, key.accountName));
    }
    Result<void> addCost(AccountDay &to, const LedgerKey &key, const LedgerAmounts &amounts, bool isOnBill) const
    {
        if (isOnBill) {
            const bool isBilledView = m_view == model::CostView::Billed;
            return store::addAmount(to.cost[key.currency], isBilledView ? amounts.billed : amounts.effective);
        }
        GPULEDGER_TRY(store::addAmount(to.ticks, amounts.ticks));
        if (m_view == model::CostView::Billed)
            return store::addAmount(to.unpriced, amounts.ticks);
        if (key.origin == LedgerOrigin::Allocated)
            return store::addAmount(to.cost[key.currency], amounts.allocated);
        GPULEDGER_TRY(store::addAmount(to.unpriced, amounts.unpricedTicks));
        return store::addAmount(to.cost[key.currency], amounts.priced); // in the currency of the configuration
    }

    model::CostView m_view;
    std::optional<Day> m_first;
    std::map<std::string, AccountSum> m_accounts;
    std::map<std::string, BilledSpan> m_spans; // by source of bills
    std::map<std::string, std::pair<Day, std::string>> m_names;
    std::map<std::string, std::set<std::string>> m_ids;
};

// Whose days are known.
class KnownAccountDays {
public:
    KnownAccountDays(const AccountLines &lines, const AccountQuestion &question)
        : m_spans(lines.spans())
        , m_question(question)
    {
        for (const auto &[source, span] : m_spans) {
            const auto &all = question.settings.sources;
            if (std::any_of(all.begin(), all.end(), [&, name = source](const model::SourceSettings &one) {
                    return one.name == name && one.mayRead;
                }))
                m_expected.insert(source);
        }
    }
    bool onBills(const std::set<std::string> &sources, Day day) const
    {
        return std::all_of(sources.begin(), sources.end(), [&](const std::string &source) {
            const auto span = m_spans.find(source);
            return span == m_spans.end() || isWithin(source, span->second, day);
        });
    }
    bool everywhere(Day day) const
    {
        return isDayFetched(day, m_question.end, m_question.fetched)
            && std::all_of(m_spans.begin(), m_spans.end(),
                           [&](const auto &span) { return isWithin(span.first, span.second, day); });
    }

private:
    bool isWithin(const std::string &source, const BilledSpan &span, Day day) const
    {
        return day >= span.first && (day <= span.last || !m_expected.contains(source));
    }

    const std::map<std::string, BilledSpan> &m_spans;
    const AccountQuestion &m_question;
    std::set<std::string> m_expected; // that will tell more days
};

struct AccountAmount {
    std::int64_t nanos = 0;
    bool isWhole = true; // false: a part has no exchange rate
};

Result<AccountAmount> amountOf(const AccountDay &day, Day at, const ledger::ExchangeRates &rates)
{
    AccountAmount out;
    for (const auto &[currency, nanos] : day.cost) {
        const auto converted = rates.convert(base::Money(nanos, currency), at.start());
        if (converted)
            GPULEDGER_TRY(store::addAmount(out.nanos, converted->amount.nanos()));
        else if (nanos != 0)
            out.isWhole = false;
    }
    return out;
}

void addDay(alerts::ForecastQuestion &to, std::int64_t nanos, bool isKnown)
{
    to.past.days.push_back(isKnown ? std::optional(nanos) : std::nullopt);
    to.past.partly.push_back(nanos);
}

} // namespace

Result<std::string> AccountSeries::keyOf(const std::string &nameOrId)
{
    const auto named = ids.find(nameOrId);
    if (series.scopes.contains(nameOrId) || named == ids.end())
        return nameOrId;
    if (named->second.size() == 1)
        return *named->second.begin();
    alerts::ForecastQuestion sum;
    for (const std::string &id : named->second) {
        const alerts::ForecastQuestion &one = series.scopes.at(id);
        if (sum.past.days.empty()) {
            sum = one;
            continue;
        }
        for (std::size_t i = 0; i < sum.past.days.size(); ++i) {
            auto &day = sum.past.days[i];
            GPULEDGER_TRY(store::addAmount(sum.past.partly[i], one.past.partly[i]));
            day = day && one.past.days[i] ? std::optional(sum.past.partly[i]) : std::nullopt;
        }
    }
    series.scopes.emplace(nameOrId, std::move(sum));
    return nameOrId;
}

Result<AccountSeries> accountSeriesOf(store::CubeReader &cube, const AccountQuestion &question)
{
    if (question.cost == model::CostView::List)
        return base::fail(base::ErrorCode::InvalidArgument, "costs by the price book are not known per project");
    const auto rates =
        ledger::ExchangeRates::create(question.settings.prices.exchangeRates, question.settings.currency);
    GPULEDGER_TRY(rates);
    AccountSeries out;
    out.series.total.currency = question.settings.currency;
    out.series.total.past.first = question.from;
    const Day last{base::dayOf(question.end).number - 1};
    AccountLines lines(question.cost);
    if (question.from <= last)
        GPULEDGER_TRY(
            cube.ledger(question.from, last, [&](Day day, const LedgerKey &key, const LedgerAmounts &amounts) {
                return lines.add(day, key, amounts);
            }));
    if (!lines.first())
        return out;
    out.names = lines.names();
    out.ids = lines.ids();
    out.series.total.past.first = *lines.first();
    for (const auto &[id, sum] : lines.accounts())
        out.series.scopes.emplace(id, out.series.total);
    const KnownAccountDays known(lines, question);
    for (Day day = *lines.first(); day <= last; ++day.number) {
        const bool isEverywhere = known.everywhere(day);
        AccountAmount total;
        for (const auto &[id, sum] : lines.accounts()) {
            const auto found = sum.days.find(day);
            const AccountDay of = found == sum.days.end() ? AccountDay() : found->second;
            const auto amount = amountOf(of, day, *rates);
            GPULEDGER_TRY(amount);
            const bool isCovered = id.empty() ? isEverywhere : known.onBills(sum.sources, day);
            const bool isPriced = of.ticks == 0 || of.unpriced < of.ticks;
            addDay(out.series.scopes.at(id), amount->nanos, isCovered && isPriced && amount->isWhole);
            GPULEDGER_TRY(store::addAmount(total.nanos, amount->nanos));
            total.isWhole = total.isWhole && amount->isWhole;
        }
        addDay(out.series.total, total.nanos, isEverywhere && total.isWhole);
    }
    return out;
}

Result<ScopeSeries> budgetedAccounts(store::CubeReader &cube, const AccountQuestion &question)
{
    auto accounts = accountSeriesOf(cube, question);
    GPULEDGER_TRY(accounts);
    for (const model::Budget &budget : question.settings.budgets) {
        if (budget.by != kByProject)
            continue;
        const auto key = accounts->keyOf(budget.key);
        GPULEDGER_TRY(key);
        auto &scopes = accounts->series.scopes;
        if (const auto found = scopes.find(*key); found != scopes.end())
            scopes.emplace(budget.key, alerts::ForecastQuestion(found->second));
    }
    return std::move(accounts->series);
}

} // namespace gpuledger::services
